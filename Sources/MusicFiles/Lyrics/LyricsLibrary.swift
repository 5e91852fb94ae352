internal import Analyzer
internal import FileSystem
internal import Foundation
package import LibraryStore
internal import MPEGAudio
package import MusicShared
internal import Synchronization
internal import Tagging

/// The lyrics of a music folder: read from tags and `.lrc` files on every request, and changed in place.
///
/// Blocks on the disk: do not use it from the threads of the task pool.
package final class LyricsLibrary: Sendable {
    let music: MusicFolder
    /// Serialises changes, so that a condition still holds when the change is made.
    private let changing = Mutex(())

    /// Creates the lyrics library of a music folder.
    package init(_ music: MusicFolder) { self.music = music }

    /// Finds all lyrics of a track.
    /// - Throws: `noSuchTrack`, `systemFailed`. It is not an error if the track has no lyrics.
    package func find(_ path: RelativePath) throws(LyricsError) -> LyricsFinding {
        guard music.entry(at: path) != nil, let file = try? music.open(file: path),
            let folder = music.opened(folder: path.folder)
        else { throw LyricsError(.noSuchTrack, "There is no music file at this path.") }
        guard let status = try? file.status() else {
            throw LyricsError(.systemFailed, "The file cannot be examined.")
        }
        let state = FileState(status)
        let stored: StoredLyrics
        do throws(TaggingError) {
            stored = try StoredLyrics.read(descriptor: file.number)
        } catch {
            throw LyricsError(.systemFailed, "The tags cannot be read: \(error.message).")
        }
        let parsed = stored.items.enumerated().compactMap { place, item -> (Int, ID3Lyrics)? in
            guard let content = item.content, item.kind != .comment else { return nil }
            return ID3Lyrics(content: content, isSynchronised: item.kind == .synchronisedFrame).map {
                (place, $0)
            }
        }
        var frameSeconds: Double?
        for case (_, let frame) in parsed {
            if case .entries(_, .mpegFrames) = frame.content {
                frameSeconds = Self.frameSeconds(of: file.number)
            }
        }
        let sidecar = LyricsSidecar.find(for: path, in: music, folder)
        var candidates = [sidecar.flatMap { Self.candidate($0, path) }].compactMap { $0 }
        for (place, item) in stored.items.enumerated() where item.kind == .comment {
            guard let content = item.content, content.count <= LyricsLimits.sourceBytes else { continue }
            var candidate = Self.candidate(content, .comment, path)
            candidate?.place = place
            candidates += [candidate].compactMap { $0 }
        }
        for (place, frame) in parsed {
            guard let lyrics = Lyrics(frame, frameSeconds: frameSeconds), !lyrics.isEmpty else { continue }
            var candidate = LyricsFinding.Candidate(
                lyrics: TrackLyrics(
                    relativePath: path.text, source: frame.isSynchronised ? .sylt : .uslt,
                    language: frame.language,
                    description: frame.description.isEmpty ? nil : frame.description, lyrics: lyrics),
                place: place, frame: frame)
            if case .text(let text) = frame.content { candidate.text = text }
            candidates.append(candidate)
        }
        func rank(_ lyrics: TrackLyrics) -> Int {
            (lyrics.isSynced ? 0 : 10) + (LyricsSource.allCases.firstIndex(of: lyrics.source) ?? 0)
        }
        let ordered = candidates.enumerated().sorted {
            (rank($0.element.lyrics), $0.offset) < (rank($1.element.lyrics), $1.offset)
        }
        return LyricsFinding(
            stateName: "l1-\(state.size)-\(state.modificationTimeNanoseconds)-\(sidecar?.stateName ?? "")",
            file: state, candidates: ordered.map(\.element),
            sidecarName: sidecar.map { Array($0.path.bytes.suffix(while: { $0 != UInt8(ascii: "/") })) },
            container: stored.container, frameSeconds: frameSeconds)
    }

    /// The result of a change.
    package struct Change: Sendable {
        /// Where the lyrics are or were stored.
        package let source: LyricsSource
        /// Their language, if known.
        package let language: String?
        /// All lyrics of the track after the change.
        package let finding: LyricsFinding
        /// The edited file, if its tags were edited.
        package let edited: TagEditOutcome?

        /// The lyrics that were written; nil if they were removed.
        package var written: TrackLyrics? {
            finding.lyrics(source: source, language: language, listsAll: false)
        }
    }

    /// Writes lyrics, or changes the offset of existing ones.
    /// - Parameters:
    ///   - source: where to write them; nil for the source of the existing lyrics, or else an `.lrc` file.
    ///   - states: the change is only made in one of these states (``LyricsFinding/stateName``); nil for any
    ///     state.
    /// - Throws: ``LyricsError``; nothing has been changed then.
    package func update(
        _ path: RelativePath, _ update: LyricsUpdate, source: LyricsSource? = nil,
        ifState states: [String]? = nil
    ) throws(LyricsError) -> Change {
        try change(path, ifState: states) { finding throws(LyricsError) in
            let source = source ?? finding.all.first?.source ?? .sidecar
            let old = finding.candidates(source, update.language).first
            let isOther = update.language != nil && old?.lyrics.language != update.language
            // Only frames state their language, so only they are chosen by it.
            let isFrame = source == .sylt || source == .uslt
            let place = NewLyrics.Place(
                source: source, language: update.language ?? old?.lyrics.language,
                old: isOther && isFrame ? nil : old, frameSeconds: finding.frameSeconds)
            try Self.requireRoom(for: source, at: place, in: finding)
            let new = try NewLyrics(update, at: place, hasCondition: states != nil)
            let item: LyricsEdit.Item
            switch new {
            case .text(let text) where source == .sidecar:
                try writeSidecar(text, of: path, finding)
                return (source, place.language, nil)
            case .text(let text): item = LyricsEdit.Item(comment: text)
            case .frame(let frame):
                item = LyricsEdit.Item(
                    kind: frame.isSynchronised ? .synchronisedFrame : .plainFrame,
                    content: frame.encoded(forVersion: 4), olderContent: frame.encoded(forVersion: 3))
            }
            var edit = LyricsEdit()
            if let number = place.old?.place {
                edit.replaced[number] = item
            } else {
                edit.added = [item]
            }
            return (source, place.language, try apply(edit, to: path, finding))
        }
    }

    /// Checks that the track's format can store lyrics like this.
    private static func requireRoom(
        for source: LyricsSource, at place: NewLyrics.Place, in finding: LyricsFinding
    ) throws(LyricsError) {
        switch source {
        case .comment where !finding.container.hasLyricsComments:
            throw LyricsError(
                .invalidLyrics,
                "Only FLAC, Ogg and M4A files have such a text field; choose uslt, sylt or sidecar.",
                field: "target")
        case .sylt, .uslt:
            // Frames of an ID3v2 tag in front of the audio can be changed, but none are added.
            guard finding.container.hasLyricsComments, place.old?.place == nil else { return }
            throw LyricsError(
                .invalidLyrics,
                "FLAC, Ogg and M4A files store lyrics as a text field; choose comment or sidecar.",
                field: "target")
        default: break
        }
    }

    /// Removes lyrics: the `.lrc` file, or all frames of one kind.
    /// - Parameters:
    ///   - source: the source to remove; nil for that of the best lyrics.
    ///   - language: only lyrics in this language; applies to tags only.
    ///   - states: as in `update`.
    /// - Throws: `noLyrics` if there is nothing to remove, and the errors of `update`.
    package func remove(
        _ path: RelativePath, source: LyricsSource? = nil, language: String? = nil,
        ifState states: [String]? = nil
    ) throws(LyricsError) -> Change {
        try change(path, ifState: states) { finding throws(LyricsError) in
            guard let source = source ?? finding.all.first?.source else { throw Self.noLyrics }
            if source == .sidecar {
                guard let name = finding.sidecarName, let folder = music.opened(folder: path.folder) else {
                    throw Self.noLyrics
                }
                try LyricsSidecar.remove(name: name, in: folder)
                return (source, nil, nil)
            }
            var edit = LyricsEdit()
            for candidate in finding.candidates(source, nil)
            where language == nil || candidate.lyrics.language == language {
                if let place = candidate.place { edit.removed.insert(place) }
            }
            guard !edit.removed.isEmpty else { throw Self.noLyrics }
            return (source, language, try apply(edit, to: path, finding))
        }
    }

    static let noLyrics = LyricsError(.noLyrics, "The track has no such lyrics.")

    private func change(
        _ path: RelativePath, ifState states: [String]?,
        _ body: (LyricsFinding) throws(LyricsError) -> (LyricsSource, String?, TagEditOutcome?)
    ) throws(LyricsError) -> Change {
        let result = changing.withLock { _ in
            Result { () throws(LyricsError) in
                let finding = try find(path)
                guard states?.contains(finding.stateName) ?? true else {
                    throw LyricsError(
                        .stateDiffers, "The lyrics have changed since they were read (ETag mismatch).",
                        field: "If-Match")
                }
                let (source, language, edited) = try body(finding)
                return Change(
                    source: source, language: language, finding: try find(path), edited: edited)
            }
        }
        return try result.get()
    }

    private func apply(
        _ lyrics: LyricsEdit, to path: RelativePath, _ finding: LyricsFinding
    ) throws(LyricsError) -> TagEditOutcome {
        var edit = TagEdit()
        edit.lyrics = lyrics
        do throws(TagEditError) {
            return try TagEditor(music).apply(edit, to: path, expecting: finding.file)
        } catch {
            throw LyricsError(error)
        }
    }

    private func writeSidecar(
        _ text: String, of path: RelativePath, _ finding: LyricsFinding
    ) throws(LyricsError) {
        guard let folder = music.opened(folder: path.folder) else {
            throw LyricsError(.noSuchTrack, "The folder of the track no longer exists.")
        }
        let name = finding.sidecarName ?? LyricsSidecar.name(for: path)
        guard name.count <= Int(NAME_MAX) else {
            throw LyricsError(.systemFailed, "The name of the lyrics file would be too long.")
        }
        let own = finding.sidecarName == nil ? nil : try? folder.status(of: name, followsLinks: true)
        if finding.sidecarName != nil, own?.kind != .file {
            throw LyricsError(.readOnly, "The lyrics file is not a regular file.")
        }
        let track = path.bytes.suffix { $0 != UInt8(ascii: "/") }
        guard var status = try? own ?? folder.status(of: track, followsLinks: true) else {
            throw LyricsError(.noSuchTrack, "The track no longer exists.")
        }
        guard own == nil || status.permissions & 0o222 != 0 else {
            throw LyricsError(.readOnly, "The lyrics file is read-only.")
        }
        // A read-only track does not make its lyrics read-only.
        if own == nil { status.permissions |= 0o200 }
        try LyricsSidecar.write(Array(text.utf8), name: name, in: folder, like: status)
    }

    private static func candidate(_ sidecar: LyricsSidecar, _ path: RelativePath) -> LyricsFinding.Candidate?
    {
        sidecar.bytes.flatMap { candidate($0, .sidecar, file: sidecar.path.name, path) }
    }

    /// Reads lyrics that are stored as text; nil if it contains none.
    private static func candidate(
        _ bytes: [UInt8], _ source: LyricsSource, file: String? = nil, _ path: RelativePath
    ) -> LyricsFinding.Candidate? {
        let text = LyricsText.decoded(bytes)
        let lyrics = Lyrics(lrc: text)
        guard !lyrics.isEmpty else { return nil }
        let stated = ["la", "lang", "language"].compactMap { lyrics.metadata[$0] }.first
        return LyricsFinding.Candidate(
            lyrics: TrackLyrics(
                relativePath: path.text, source: source, file: file, language: stated, lyrics: lyrics),
            text: text)
    }

    /// Duration of an MPEG frame of the file in seconds; nil if it is not an MPEG file.
    private static func frameSeconds(of descriptor: Int32) -> Double? {
        guard let mapped = try? MappedFile(descriptor: descriptor) else { return nil }
        return mapped.withBytes { bytes in
            (try? MPEGAudioStream.scan(bytes) { mapped.release(before: $0) }).map {
                Double($0.format.samplesPerFrame) / Double($0.format.sampleRate)
            }
        }
    }
}
