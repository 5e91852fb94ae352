internal import MP3Decoder
internal import MPEGAudio

/// A file that was found to be MP3 audio that a player can play: what is looked at before a stranger's file is taken in.
public struct PlayableAudio: Sendable, Equatable {
    /// The file's size and time when it was looked at.
    public let file: FileState
    /// What it sounds like.
    public let audioHash: AudioHash
    /// Where the audio payload begins in the file, in bytes.
    public let payloadOffset: Int
    /// How long it plays, in seconds.
    public let durationSeconds: Double

    /// Frames that are decoded at the beginning and at the end: ten seconds or so of each.
    private static let sampledFrames = 400
    /// Frames that may fail of those that are decoded. The first few of a part that was cut out of a stream lack what
    /// came before.
    private static let permittedLosses = 0.1
    /// Frames that the encoder's tag may count and that are not there: some count the tag's own frame.
    private static let permittedShortfall = 2

    /// Looks at a file: its frames are indexed, and those of its beginning and its end are decoded.
    /// - Throws: `notMP3` where there is no MP3 audio, or mostly something else; `truncated` where the end is missing;
    ///   `undecodable` where the decoder makes nothing of it; `fileChanged`, `fileUnreadable` and `decoderFailed`.
    public init(checking file: MappedFile) throws(AnalyzerError) {
        let checked: Result<(AudioHash, Int, Double), AnalyzerError> = file.withBytes { bytes in
            Result { () throws(AnalyzerError) in
                let stream: MPEGAudioStream
                do throws(MPEGAudioError) {
                    stream = try MPEGAudioStream.scan(bytes) { file.release(before: $0) }
                } catch {
                    throw AnalyzerError(.notMP3, error.message)
                }
                try Self.requireWhole(stream, byteCount: bytes.byteCount)
                try Self.requireSound(stream, bytes)
                let hash = AudioHash(of: bytes, in: stream.payload) { file.release(before: $0) }
                return (hash, stream.payload.lowerBound, stream.timeline.durationSeconds)
            }
        }
        (audioHash, payloadOffset, durationSeconds) = try checked.get()
        try file.verifyUnchanged()
        self.file = file.state
    }

    private static func requireWhole(
        _ stream: MPEGAudioStream, byteCount: Int
    ) throws(AnalyzerError) {
        let tags = stream.tags.reduce(0) { $0 + $1.range.count }
        let audio = stream.index.byteCount + stream.diagnostics.infoFrameBytes
        // Three headers that agree turn up by chance in what is no music.
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
                .truncated, "its encoder wrote \(count.claimed) frames, \(count.actual) are there")
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
                    try decoder.feed(bytes.extracting(stream.index[frame].range))
                    while case .decoded = try decoder.decodeFrame({ _, _, _ in }) { decodedFrames += 1 }
                }
            } catch {
                throw AnalyzerError(error)
            }
            fedFrames += part.count
        }
        // The decoder looks at the header after a frame before it trusts the first.
        let lost = Double(fedFrames - decodedFrames - 2)
        guard decodedFrames > 0 || fedFrames <= 1, lost <= permittedLosses * Double(fedFrames) else {
            throw AnalyzerError(
                .undecodable, "of \(fedFrames) frames that were tried, \(decodedFrames) can be decoded")
        }
    }
}
