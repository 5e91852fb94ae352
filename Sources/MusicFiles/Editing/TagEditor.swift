package import Analyzer
internal import FileSystem
internal import Glibc
package import LibraryStore
internal import MusicShared
package import Tagging

/// Edits tags of files in a music folder. At any moment, even after a crash or a power loss, a file is either
/// the old one or the new one.
///
/// The new file is written next to the old one under a hidden name, with the same owner, mode and attributes,
/// and synced to disk. It replaces the old one only if it contains the same audio (by ``AudioHash``), its
/// tags read back as requested, and the old file has not changed. Nothing but the tags changes: see
/// ``TagRewrite``.
///
/// A link is followed if it leads to a file in the folder, and that file is edited. For a file with several
/// names (hard links), only the given name is edited; the others keep the old file.
package struct TagEditor: Sendable {
    private let music: MusicFolder

    /// Edits files of a folder.
    package init(_ music: MusicFolder) { self.music = music }

    /// Edits one file. Blocks on the disk: do not call it from the threads of the task pool.
    /// - Parameters:
    ///   - edit: the change.
    ///   - path: the file.
    ///   - expected: the state that the file must be in; nil to accept any.
    /// - Throws: ``TagEditError``; the file is then unchanged. It is not an error if the tags already have
    ///   the requested values.
    package func apply(
        _ edit: TagEdit, to path: RelativePath, expecting expected: FileState? = nil
    ) throws(TagEditError) -> TagEditOutcome {
        let edit = try Self.tagging(path) { () throws(TaggingError) in try edit.checked() }
        let file = try LockedMusicFile(path, in: music)
        if let expected, expected != file.state {
            throw TagEditError(.stateDiffers, "has changed since it was read (ETag mismatch)", path: path)
        }
        guard hasNoWriter(file) else {
            throw TagEditError(.busy, "is being written by another program", path: path)
        }
        // First, so that a file without audio is reported as such, whatever its tags look like.
        let audio = try audio(of: file.descriptor.number, path)
        let before = try Self.tagging(path) { () throws(TaggingError) in
            try TagState(descriptor: file.descriptor.number)
        }
        let rewrite = try Self.tagging(path) { () throws(TaggingError) in
            try TagRewrite(of: edit, tags: before.tags, descriptor: file.descriptor.number)
        }
        guard rewrite.container == audio.format.tagContainer else {
            throw TagEditError(
                .unsupportedTag,
                "has damaged ID3v2 tags in front of its audio; remove them with another program first",
                path: path)
        }
        guard rewrite.isChanged else {
            try file.verifyUnchanged()
            return Self.result(file, file.state, before.tags, audio)
        }
        let copy = try ReplacementFile(of: file, byteCount: rewrite.byteCount)
        try copy.write(rewrite)
        let after = try Self.tagging(path) { () throws(TaggingError) in
            try TagState(descriptor: copy.number)
        }
        if let field = after.firstDifference(after: edit, of: before) {
            throw TagEditError(
                .valueNotKept, "\(field.rawValue) would not read back as requested", path: path, field: field)
        }
        let newAudio = try self.audio(of: copy.number, path)
        guard newAudio.audioHash == audio.audioHash else {
            throw TagEditError(.audioWouldChange, "would not contain the same audio", path: path)
        }
        return Self.result(
            file, try copy.takePlace(), after.tags, newAudio, former: FormerTags(before: before, after: after)
        )
    }

    /// Returns whether no other program has the file open for writing, within a moment: a program that has just written it, or
    /// that this one is just starting, will close it.
    private func hasNoWriter(_ file: LockedMusicFile) -> Bool {
        let entry = MusicFolder.Entry(path: file.path, file: file.state, isRegular: true)
        for _ in 0..<Self.writerAttempts {
            if !music.isBeingWritten(entry) { return true }
            usleep(Self.writerPauseMicroseconds)
        }
        return false
    }

    private static let writerAttempts = 10
    private static let writerPauseMicroseconds: UInt32 = 50_000

    /// Edits files one after the other; each edit is applied completely or not at all.
    /// - Parameters:
    ///   - requests: the edits.
    ///   - isCancelled: called before each file; true ends the batch with the results so far.
    ///   - report: called with each result and its index.
    /// - Returns: a result for each request that was tried, in order.
    package func apply(
        _ requests: [TagEditRequest], isCancelled: () -> Bool = { false },
        report: (Int, Result<TagEditOutcome, TagEditError>) -> Void = { _, _ in }
    ) -> [Result<TagEditOutcome, TagEditError>] {
        var results: [Result<TagEditOutcome, TagEditError>] = []
        for request in requests {
            if isCancelled() { break }
            let result = Result { () throws(TagEditError) in
                try apply(request.edit, to: request.path, expecting: request.expected)
            }
            report(results.count, result)
            results.append(result)
        }
        return results
    }

    /// The audio in an open file.
    private func audio(of descriptor: Int32, _ path: RelativePath) throws(TagEditError) -> AudioIdentity {
        do throws(AnalyzerError) {
            return try AudioIdentity(of: MappedFile(descriptor: descriptor))
        } catch {
            let code: TagEditError.Code =
                switch error.code {
                case .fileChanged: .changedMeanwhile
                case .noAudio: .noAudio
                default: .readFailed
                }
            throw TagEditError(code, error.message, path: path)
        }
    }

    private static func result(
        _ file: LockedMusicFile, _ state: FileState, _ tags: TrackTags,
        _ audio: AudioIdentity, former: FormerTags? = nil
    ) -> TagEditOutcome {
        TagEditOutcome(
            path: file.path, previousFile: file.state, file: state, isChanged: former != nil,
            hadFurtherNames: file.hasFurtherNames, tags: tags, formerTags: former ?? FormerTags(),
            audioHash: audio.audioHash,
            payloadOffset: audio.payloadOffset)
    }

    private static func tagging<Value>(
        _ path: RelativePath, _ body: () throws(TaggingError) -> Value
    ) throws(TagEditError) -> Value {
        do {
            return try body()
        } catch {
            throw TagEditError(error, path: path)
        }
    }
}
