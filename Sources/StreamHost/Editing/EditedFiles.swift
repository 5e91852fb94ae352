internal import Catalogue
internal import Analyzer
internal import Companion
internal import HTTPServer
internal import MusicShared
internal import Tagging

/// Finds the files that requests are about, and reads what can be edited of them.
struct EditedFiles: Sendable {
    /// A file that a request names.
    struct Target: Sendable {
        /// As the request names it, or as the library does.
        var text: String?
        var id: Int?
        /// The path, or why there is none.
        var path: Result<RelativePath, HTTPError>
    }

    let music: MusicFolder
    let library: LibraryStore

    /// The file of a path, of a number, or of both, if they mean the same file.
    func target(relativePath: String?, id: Int?) throws -> Target {
        switch (relativePath, id) {
        case (let text?, nil):
            return Target(
                text: text, path: RelativePath(text: text).map { .success($0) } ?? .failure(Self.noFile))
        case (nil, let id?):
            guard let path = try library.catalogue({ try $0.coverSource(trackID: id) })?.path else {
                return Target(id: id, path: .failure(Self.noTrack(id)))
            }
            return Target(text: path.text, id: id, path: .success(path))
        case (let text?, let id?):
            let target = try target(relativePath: nil, id: id)
            guard case .success(let path) = target.path, path != RelativePath(text: text) else {
                return target
            }
            throw HTTPError(
                .unprocessableContent, code: "one_file_expected",
                message: "relative_path and id mean different files.", field: "id")
        case (nil, nil):
            throw HTTPError(
                .unprocessableContent, code: "one_file_expected",
                message: "Name the file by relative_path or by id.", field: "relative_path")
        }
    }

    /// The files of some lists, each once. What the lists name and is not there is among them, with the reason.
    func targets(of lists: SelectionLists, limit: Int) throws -> [Target] {
        var targets: [Target] = []
        var seen: Set<RelativePath> = []
        func add(_ target: Target) throws {
            if case .success(let path) = target.path, !seen.insert(path).inserted { return }
            targets.append(target)
            guard targets.count <= limit else {
                throw HTTPError(
                    .unprocessableContent, code: "too_many_items",
                    message: "At most \(limit) files can be edited by a request.")
            }
        }
        for text in lists.relativePaths { try add(target(relativePath: text, id: nil)) }
        for id in lists.trackIDs { try add(target(relativePath: nil, id: id)) }
        for (ids, what, list) in [
            (lists.albumIDs, "album", \TrackSelection.albumIDs),
            (lists.artistIDs, "artist", \TrackSelection.artistIDs),
        ] {
            for id in ids {
                var selection = TrackSelection()
                selection[keyPath: list] = [id]
                let tracks = try library.tracks(of: selection, after: 0, limit: limit + 1)
                if tracks.isEmpty {
                    try add(
                        Target(
                            path: .failure(
                                HTTPError(
                                    .notFound, code: "no_such_\(what)",
                                    message: "There is no \(what) \(id) with tracks.", field: "\(what)_ids")))
                    )
                }
                for track in tracks {
                    try add(Target(text: track.path.text, id: track.id, path: .success(track.path)))
                }
            }
        }
        return targets
    }

    /// What the tags of a file say, with the state that the file was in meanwhile.
    /// - Throws: 404 where there is no MP3, 409 where it changes all the time, 422 where its tags cannot be read.
    func metadata(at path: RelativePath) throws -> TrackMetadata {
        for _ in 0..<3 {
            guard let entry = music.entry(at: path) else { throw Self.noFile }
            let tags: TrackTags
            do {
                tags = try TrackTags.read(from: music.absolutePath(of: path))
            } catch {
                throw HTTPError(
                    .unprocessableContent, code: "unreadable",
                    message: "The file cannot be read: \(error.message).",
                    field: "relative_path")
            }
            guard music.entry(at: path)?.file == entry.file else { continue }
            return TrackMetadata(
                tags, id: try library.trackState(of: path)?.trackID, path: path, state: entry.file)
        }
        throw HTTPError(
            .conflict, code: TagEditError.Code.busy.rawValue, message: "The file is being written.",
            fields: [.retryAfter: "2"])
    }

    static let noFile = HTTPError(
        .notFound, code: "not_found", message: "The music folder has no MP3 of this path.",
        field: "relative_path")

    private static func noTrack(_ id: Int) -> HTTPError {
        HTTPError(.notFound, code: "no_such_track", message: "There is no track \(id).", field: "id")
    }
}

extension TrackMetadata {
    /// What tags say.
    init(_ tags: TrackTags, id: Int?, path: RelativePath, state: FileState) {
        self.init(id: id, relativePath: path.text, etag: FileStateTag.text(state))
        title = tags.title
        artist = tags.artist
        album = tags.album
        albumArtist = tags.albumArtist
        trackNumber = tags.track.number
        trackTotal = tags.track.total
        discNumber = tags.disc.number
        discTotal = tags.disc.total
        year = tags.year
        genre = tags.genre
        comment = tags.comment
        composer = tags.composer
        isCompilation = tags.isCompilation
        hasCover = tags.hasCover
        let kinds: [(TagKinds, String)] = [(.id3v2, "ID3v2"), (.ape, "APE"), (.id3v1, "ID3v1")]
        tagKinds = kinds.filter { tags.kinds.contains($0.0) }.map(\.1)
        replayGain = ReplayGainValues(tags.replayGain)
    }
}

extension ReplayGainValues {
    /// Values as tags have them.
    init(_ tags: ReplayGainTags) {
        self.init(
            trackGainDB: tags.trackGainDB, trackPeak: tags.trackPeak, albumGainDB: tags.albumGainDB,
            albumPeak: tags.albumPeak)
    }
}
