public import MusicShared

/// A file of audio that was checked to be playable: the check for files uploaded by others.
public struct PlayableAudio: Sendable, Equatable {
    /// Size and modification time of the file when it was checked.
    public let file: FileState
    /// Format of the file, whatever its name.
    public let format: AudioFormat
    /// Hash of the audio payload.
    public let audioHash: AudioHash
    /// Offset of the audio payload in the file, in bytes.
    public let payloadOffset: Int
    /// Duration in seconds.
    public let durationSeconds: Double

    /// Checks a file: indexes its frames and decodes those at both ends.
    /// - Throws: `noAudio` if the file contains no audio, or mostly something else; `truncated` if the end is missing;
    ///   `undecodable` if it cannot be decoded; `fileChanged`, `fileUnreadable` and `decoderFailed`.
    public init(checking file: MappedFile) throws(AnalyzerError) {
        let audio = try file.withVerifiedBytes { bytes throws(AnalyzerError) in
            let audio = try ScannedAudio(requiring: bytes) { file.release(before: $0) }
            try audio.stream.requirePlayable(bytes)
            return audio
        }
        format = audio.stream.format
        audioHash = audio.hash
        payloadOffset = audio.payloadOffset
        durationSeconds = audio.stream.durationSeconds
        self.file = file.state
    }
}
