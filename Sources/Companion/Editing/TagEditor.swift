public import Analyzer
internal import MPEGAudio
public import Tagging

/// Edits tags of files in a music folder, so that at any moment, a crash or a loss of power included, a file is the old one
/// or the new one.
///
/// The new file is written beside the old one under a hidden name, with the same owner, mode and attributes, and put onto the
/// disk. It takes the old one's place only if it holds the same audio (by ``AudioHash``), its tags read back as
/// asked, and the old file is still what it was. Nothing but the tags changes: see ``TagRewrite``.
///
/// A link is followed if it leads to a file in the folder, and that file is edited. A file with several names (hard links)
/// is edited under the one given; the others keep the old file.
public struct TagEditor: Sendable {
    private let music: MusicFolder

    /// Edits files of a folder.
    public init(_ music: MusicFolder) { self.music = music }

    /// Edits one file. Waits for the disk: not for the threads that tasks run on.
    /// - Parameters:
    ///   - edit: what to change.
    ///   - path: the file.
    ///   - expected: the state that the file must be in; nil where any will do.
    /// - Throws: ``TagEditError``; the file is then as it was. Tags that say already what is asked for are no error.
    public func apply(
        _ edit: TagEdit, to path: RelativePath, expecting expected: FileState? = nil
    ) throws(TagEditError) -> EditedTrack {
        let asked = try Self.tagging(path) { () throws(TaggingError) in try edit.checked() }
        let file = try EditedFile(path, in: music)
        if let expected, expected != file.state {
            throw TagEditError(.stateDiffers, "is not in the state that the edit was made for", path: path)
        }
        guard !music.isBeingWritten(MusicFolder.Entry(path: path, file: file.state, isRegular: true)) else {
            throw TagEditError(.busy, "is being written by another program", path: path)
        }
        let before = try Self.tagging(path) { () throws(TaggingError) in
            try TagState(descriptor: file.descriptor)
        }
        let edit =
            !before.tags.kinds.contains(.id3v2) && asked.setsSomething
            ? asked.completed(by: before.tags) : asked
        let rewrite = try Self.tagging(path) { () throws(TaggingError) in
            try TagRewrite(of: edit, tags: before.tags, descriptor: file.descriptor)
        }
        let audio = try audio(of: file.descriptor, path)
        guard rewrite.isChanged else {
            try file.verifyUnchanged()
            return Self.result(file, file.state, before.tags, audio, isChanged: false)
        }
        let copy = try EditCopy(of: file, byteCount: rewrite.byteCount)
        try copy.write(rewrite)
        let after = try Self.tagging(path) { () throws(TaggingError) in
            try TagState(descriptor: copy.descriptor)
        }
        if let field = after.firstDifference(after: edit, of: before) {
            throw TagEditError(
                .valueNotKept, "\(field.rawValue) would not read back as asked", path: path, field: field)
        }
        let newAudio = try self.audio(of: copy.descriptor, path)
        guard newAudio.hash == audio.hash else {
            throw TagEditError(.audioWouldChange, "would not hold the same audio", path: path)
        }
        return Self.result(file, try copy.takePlace(), after.tags, newAudio, isChanged: true)
    }

    /// Edits files one after the other, each whole or not at all.
    /// - Parameters:
    ///   - requests: the edits.
    ///   - isCancelled: asked before each file; true ends the batch with the results so far.
    ///   - report: told of each result as it comes, with its index.
    /// - Returns: a result for each request that was tried, in their order.
    public func apply(
        _ requests: [TagEditRequest], isCancelled: () -> Bool = { false },
        report: (Int, Result<EditedTrack, TagEditError>) -> Void = { _, _ in }
    ) -> [Result<EditedTrack, TagEditError>] {
        var results: [Result<EditedTrack, TagEditError>] = []
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

    /// The audio of an open file.
    private func audio(
        of descriptor: Int32, _ path: RelativePath
    ) throws(TagEditError) -> (hash: AudioHash, offset: Int) {
        let audio: Result<(hash: AudioHash, offset: Int), MPEGAudioError>
        do throws(AnalyzerError) {
            // The same file even if its name has gone to another one.
            let file = try MappedFile(path: Array("/proc/self/fd/\(descriptor)".utf8))
            audio = file.withBytes { bytes in
                Result { () throws(MPEGAudioError) in
                    let stream = try MPEGAudioStream.scan(bytes) { file.release(before: $0) }
                    let hash = AudioHash(of: bytes, in: stream.payload) { file.release(before: $0) }
                    return (hash: hash, offset: stream.payload.lowerBound)
                }
            }
            try file.verifyUnchanged()
        } catch {
            throw TagEditError(
                error.code == .fileChanged ? .changedMeanwhile : .readFailed, error.message, path: path)
        }
        return try audio.mapError { TagEditError(.notMP3, $0.message, path: path) }.get()
    }

    private static func result(
        _ file: EditedFile, _ state: FileState, _ tags: TrackTags, _ audio: (hash: AudioHash, offset: Int),
        isChanged: Bool
    ) -> EditedTrack {
        EditedTrack(
            path: file.path, previousFile: file.state, file: state, isChanged: isChanged,
            hadFurtherNames: file.hasFurtherNames, tags: tags, audioHash: audio.hash,
            payloadOffset: audio.offset)
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
