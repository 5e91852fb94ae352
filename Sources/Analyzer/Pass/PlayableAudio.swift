internal import MP3Decoder
internal import MPEGAudio

/// An MP3 file that was checked to be playable: the check for files uploaded by others.
public struct PlayableAudio: Sendable, Equatable {
    /// Size and modification time of the file when it was checked.
    public let file: FileState
    /// Hash of the audio payload.
    public let audioHash: AudioHash
    /// Offset of the audio payload in the file, in bytes.
    public let payloadOffset: Int
    /// Duration in seconds.
    public let durationSeconds: Double

    /// Number of frames to decode at each end: about ten seconds.
    private static let sampledFrames = 400
    /// Fraction of the decoded frames that may fail. The first few frames of a part cut out of a stream lack the bits before them.
    private static let permittedLosses = 0.1
    /// Number of frames by which the count in the encoder's tag may exceed the actual count: some encoders count the tag's frame.
    private static let permittedShortfall = 2

    /// Checks a file: indexes its frames and decodes those at both ends.
    /// - Throws: `notMP3` if the file contains no MP3 audio, or mostly something else; `truncated` if the end is missing;
    ///   `undecodable` if it cannot be decoded; `fileChanged`, `fileUnreadable` and `decoderFailed`.
    public init(checking file: MappedFile) throws(AnalyzerError) {
        let audio = try file.withVerifiedBytes { bytes throws(AnalyzerError) in
            let audio = try ScannedAudio(mp3: bytes) { file.release(before: $0) }
            try Self.requireWhole(audio.stream, byteCount: bytes.byteCount)
            try Self.requireSound(audio.stream, bytes)
            return audio
        }
        audioHash = audio.hash
        payloadOffset = audio.payloadOffset
        durationSeconds = audio.stream.timeline.durationSeconds
        self.file = file.state
    }

    private static func requireWhole(
        _ stream: MPEGAudioStream, byteCount: Int
    ) throws(AnalyzerError) {
        let tags = stream.tags.reduce(0) { $0 + $1.range.count }
        let audio = stream.index.byteCount + stream.diagnostics.infoFrameBytes
        // Three consistent headers occur by chance in files that are not music.
        guard audio * 2 >= byteCount - tags else {
            throw AnalyzerError(.notMP3, "only \(audio) of \(byteCount - tags) bytes are MP3 audio")
        }
        if stream.diagnostics.truncatedLastFrame {
            throw AnalyzerError(.truncated, "the file ends inside a frame: its end is missing")
        }
        if let count = stream.diagnostics.frameCountMismatch,
            count.claimed - count.actual > permittedShortfall
        {
            throw AnalyzerError(
                .truncated, "the tag states \(count.claimed) frames, but only \(count.actual) are present")
        }
    }

    private static func requireSound(
        _ stream: MPEGAudioStream, _ bytes: RawSpan
    ) throws(AnalyzerError) {
        let count = stream.index.count
        let head = 0..<min(count, sampledFrames)
        let tail = max(head.upperBound, count - sampledFrames)..<count
        var decodedFrames = 0
        var fedFrames = 0
        for part in [head, tail] where !part.isEmpty {
            do throws(DecoderError) {
                let decoder = try MPEGDecoder()
                for frame in part {
                    try decoder.decode(bytes.extracting(stream.index[frame].range)) { _, _ in
                        decodedFrames += 1
                    }
                }
            } catch {
                throw AnalyzerError(error)
            }
            fedFrames += part.count
        }
        // The decoder checks the header after a frame before it accepts the first.
        let lost = Double(fedFrames - decodedFrames - 2)
        guard decodedFrames > 0 || fedFrames <= 1, lost <= permittedLosses * Double(fedFrames) else {
            throw AnalyzerError(
                .undecodable, "only \(decodedFrames) of \(fedFrames) tested frames can be decoded")
        }
    }
}
