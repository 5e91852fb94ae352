internal import Analyzer
internal import FileSystem
import Foundation
package import LibraryStore
internal import Synchronization
package import Tagging

/// Imports uploaded files into the music folder: checks, tags, names and moves them, and updates the library.
///
/// At any moment, even after a crash or a power loss, the music folder contains only complete files, and
/// existing files are never replaced. Uploading a file again changes nothing: duplicates are reported, not
/// stored. All calls block while files are being read: do not call them from the threads of the task pool.
package final class MusicIntake: Sendable {
    /// Maximum number of suffixes to try if a name is taken.
    private static let mostNumbers = 999

    /// The staging area for received files.
    package let staging: StagingArea
    /// The limits for uploads.
    package let limits: IntakeLimits
    let music: MusicFolder
    let library: LibraryStore
    let naming: NamingPattern
    let onChange: @Sendable ([IntakeChange]) -> Void
    /// Serialises the duplicate check and the move.
    private let placing = Mutex(())

    /// - Parameter onChange: called after files have been added or removed, both on disk and in the library.
    package init(
        music: MusicFolder, library: LibraryStore, staging: StagingArea, naming: NamingPattern = .standard,
        limits: IntakeLimits = IntakeLimits(),
        onChange: @escaping @Sendable ([IntakeChange]) -> Void = { _ in }
    ) {
        self.music = music
        self.library = library
        self.staging = staging
        self.naming = naming
        self.limits = limits
        self.onChange = onChange
    }

    /// Checks that there is enough space for an upload.
    /// - Throws: `noSpace`.
    package func requireSpace(for byteCount: Int) throws(IntakeError) {
        let folder = try IntakeError.writing(music.pathBytes) { () throws(SystemError) in
            try Folder(music.pathBytes)
        }
        let free = min(staging.freeBytes, folder.descriptor.freeBytes ?? .max)
        guard byteCount <= free - limits.reservedBytes else {
            throw IntakeError(.noSpace, "There is no disk space for \(byteCount) bytes.")
        }
    }

    /// Creates a staging folder for the files of one request.
    /// - Throws: ``IntakeError`` if the system fails to create it.
    package func makeBatch() throws(IntakeError) -> StagedBatch { try staging.makeBatch() }

    /// Creates a file to receive data in.
    /// - Throws: ``IntakeError`` if the system fails to create it.
    package func makeFile(in batch: StagedBatch) throws(IntakeError) -> StagedFile {
        try batch.makeFile(limit: limits.fileBytes)
    }

    /// Imports a file, or each file of a zip, and removes it from the staging area.
    /// - Parameters:
    ///   - file: the received file.
    ///   - fileName: its name as uploaded.
    ///   - edit: the edit to apply to its tags.
    package func takeIn(_ file: StagedFile, named fileName: String, edit: TagEdit = TagEdit())
        -> [IntakeResult]
    {
        var results: [IntakeResult]
        do throws(IntakeError) {
            if file.failure == nil, Self.isZip(file) {
                results = try takeInZip(file, named: fileName, edit: edit)
            } else {
                results = [takeInTrack(file, named: fileName, edit: edit)]
            }
        } catch {
            results = [IntakeResult(fileName: fileName, outcome: .refused(error))]
        }
        file.folder.removeAll(file.name)
        let changes = results.compactMap { result -> IntakeChange? in
            guard case .stored(let path, let id) = result.outcome else { return nil }
            return .added(path, trackID: id)
        }
        if !changes.isEmpty { onChange(changes) }
        return results
    }

    /// Whether a file starts with a zip signature.
    package static func isZip(_ file: StagedFile) -> Bool {
        [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]].contains(file.beginning(4))
    }

    func takeInTrack(_ file: StagedFile, named fileName: String, edit: TagEdit) -> IntakeResult {
        var result = IntakeResult(fileName: fileName, outcome: .ignored)
        do throws(IntakeError) {
            try file.finish()
            let audio = try Self.audio(of: file)
            result.audioHash = audio.audioHash
            result.durationSeconds = audio.durationSeconds
            if let known = track(of: audio.audioHash) {
                result.outcome = .duplicate(known.path, trackID: known.id)
                return result
            }
            if !edit.isEmpty { try Self.tag(file, edit) }
            result.outcome = try place(file, audio, fileName)
        } catch {
            result.outcome = .refused(error)
        }
        return result
    }

    private static func audio(of file: StagedFile) throws(IntakeError) -> PlayableAudio {
        guard file.byteCount > 0 else { throw IntakeError(.empty, "The file is empty.") }
        do throws(AnalyzerError) {
            return try PlayableAudio(checking: MappedFile(path: Array(file.path.utf8)))
        } catch {
            let code: IntakeError.Code =
                switch error.code {
                case .noAudio: .noAudio
                case .truncated: .truncated
                case .undecodable: .undecodable
                default: .writeFailed
                }
            throw IntakeError(code, error.message)
        }
    }

    /// Edits the tags with ``TagEditor``, which verifies that the audio stays the same.
    private static func tag(_ file: StagedFile, _ edit: TagEdit) throws(IntakeError) {
        guard let folder = try? MusicFolder(path: String(file.path.dropLast(file.name.count + 1))),
            let path = RelativePath(bytes: file.name)
        else { throw IntakeError(.writeFailed, "The file has disappeared from the staging area.") }
        do throws(TagEditError) {
            // A child process that is just starting inherits all open descriptors for a moment, and so holds
            // the lock.
            for _ in 0..<20 {
                do throws(TagEditError) {
                    _ = try TagEditor(folder).apply(edit, to: path)
                    return
                } catch {
                    guard error.code == .busy else { throw error }
                    usleep(50_000)
                }
            }
            _ = try TagEditor(folder).apply(edit, to: path)
        } catch {
            let code: IntakeError.Code =
                switch error.code {
                case .invalidValue: .invalidValue
                case .noSpace: .noSpace
                default: .tagsNotWritten
                }
            throw IntakeError(code, error.message, field: error.field?.rawValue)
        }
    }

    /// The available track with this audio whose file exists unchanged.
    private func track(of hash: AudioHash) -> CatalogueTrack? {
        // If the library cannot be read, duplicates are still detected by name.
        let tracks = (try? library.availableTracks(of: hash)) ?? []
        return tracks.first { music.entry(at: $0.path)?.file == $0.file }
    }

    /// Moves a file to its destination.
    private func place(
        _ file: StagedFile, _ audio: PlayableAudio, _ fileName: String
    ) throws(IntakeError) -> IntakeResult.Outcome {
        let hash = audio.audioHash
        let tags = (try? TrackTags.read(from: file.path)) ?? TrackTags()
        let folders = naming.parts(tags, fileName: fileName).dropLast().map { Array($0.utf8) }
        try? Files.setPermissions(Files.newFilePermissions, of: file.path)
        let placed = placing.withLock { _ in
            Result { () throws(IntakeError) in
                if let known = track(of: hash) {
                    return IntakeResult.Outcome.duplicate(known.path, trackID: known.id)
                }
                let folder = try IntakeError.writing(folders.last ?? music.pathBytes) {
                    () throws(SystemError) in
                    try Folder(music.pathBytes).folder(along: folders, creating: 0o777)
                }
                for number in 1...Self.mostNumbers {
                    let parts = naming.parts(
                        tags, fileName: fileName, format: audio.format, number: number)
                    let name = Array((parts.last ?? "").utf8)
                    guard let path = RelativePath(bytes: Array((folders + [name]).joined(separator: [0x2F])))
                    else {
                        break
                    }
                    let arrived = try arriving(at: path) { () throws(IntakeError) in
                        try FileMove.move(file.name, in: file.folder, to: name, in: folder)
                    }
                    if arrived.isThere { return .stored(path, trackID: arrived.trackID) }
                    // A file that no pass has recorded yet.
                    if let known = try? Self.record(of: path, in: music), known.audioHash == hash {
                        return .duplicate(path, trackID: try? store(known))
                    }
                }
                throw IntakeError(.writeFailed, "There are too many files with this name.")
            }
        }
        return try placed.get()
    }

    /// Moves a file into place and records it in the library. If the process is killed in between, the next
    /// start records it: otherwise the same audio, uploaded again, would be stored twice.
    /// - Parameter move: moves the file; returns false if the name is taken.
    func arriving<Failure: Error>(
        at path: RelativePath, move: () throws(Failure) -> Bool
    ) throws(Failure) -> (isThere: Bool, trackID: Int?) {
        let note = staging.noteArrival(at: path)
        defer { staging.forgetArrival(note) }
        guard try move() else { return (false, nil) }
        // If the library cannot be written, the next pass finds the file.
        return (true, (try? catalogue(path)) ?? nil)
    }

    /// Cleans up after a killed process: records the files that it had moved in the library and deletes
    /// received data.
    package func recover() {
        for arrival in staging.arrivals() {
            _ = try? catalogue(arrival.path)
            staging.forgetArrival(arrival.name)
        }
        staging.removeLeftovers()
    }

    /// Records a file of the music folder in the library, without an analysis.
    /// - Returns: the track's id.
    private func catalogue(_ path: RelativePath) throws -> Int? {
        try store(Self.record(of: path, in: music))
    }

    private func store(_ record: TrackRecord) throws -> Int? {
        try library.record([record]) { music.entry(at: $0) != nil }.first
    }

    /// Reads the record of a file in a music folder.
    private static func record(of path: RelativePath, in music: MusicFolder) throws -> TrackRecord {
        guard music.entry(at: path) != nil else {
            throw IntakeError(.noAudio, "There is no music file with this name.")
        }
        let file = try MappedFile(path: music.absolutePath(of: path))
        let identity = try AudioIdentity(of: file)
        let tags = (try? TrackTags.read(from: music.absolutePath(of: path))) ?? TrackTags()
        return TrackRecord(
            path: path, file: file.state, audioHash: identity.audioHash, tags: tags, analysis: nil,
            payloadOffset: identity.payloadOffset)
    }
}
