internal import MP3Decoder
internal import MPEGAudio
internal import MusicShared

/// The audio of an MP3 file.
struct MP3File: AudioStream {
    let stream: MPEGAudioStream

    /// Number of frames to decode at each end for the check of uploads: about ten seconds.
    private static let sampledFrames = 400
    /// Fraction of the decoded frames that may fail. The first few frames of a part cut out of a stream lack the bits before them.
    private static let permittedLosses = 0.1
    /// Number of frames by which the count in the encoder's tag may exceed the actual count: some encoders count the tag's frame.
    private static let permittedShortfall = 2

    init(_ bytes: RawSpan, passed: (Int) -> Void) throws(AnalyzerError) {
        do throws(MPEGAudioError) {
            stream = try MPEGAudioStream.scan(bytes, passed: passed)
        } catch {
            throw AnalyzerError(AnalyzerError.Code(rawValue: error.code.rawValue), error.message)
        }
    }

    var format: AudioFormat { .mp3 }
    var payload: Range<Int> { stream.payload }
    var sampleRateHz: Int { stream.timeline.sampleRate }
    var channelWeights: [Double] { [Double](repeating: 1, count: stream.format.channelCount) }
    var sampleCount: Int { stream.timeline.sampleCount }
    // Exact for joined streams of several rates.
    var durationSeconds: Double { stream.timeline.durationSeconds }

    func decode(
        _ bytes: RawSpan, passed: (Int) -> Void, isCancelled: () -> Bool, _ body: @escaping (PCMBlock) -> Void
    ) throws(AnalyzerError) -> DecodedAudio {
        var decoder = StreamDecoder(stream: stream)
        try decoder.decode(bytes, passed: passed, isCancelled: isCancelled, body)
        return DecodedAudio(damagedFrames: decoder.damagedFrames)
    }

    func description(_ decoded: DecodedAudio) -> StreamDescription {
        StreamDescription(stream, damagedFrames: decoded.damagedFrames)
    }

    func requirePlayable(_ bytes: RawSpan) throws(AnalyzerError) {
        try requireWhole(byteCount: bytes.byteCount)
        try requireSound(bytes)
    }

    private func requireWhole(byteCount: Int) throws(AnalyzerError) {
        let tags = stream.tags.reduce(0) { $0 + $1.range.count }
        let audio = stream.index.byteCount + stream.diagnostics.infoFrameBytes
        // Three consistent headers occur by chance in files that are not music.
        guard audio * 2 >= byteCount - tags else {
            throw AnalyzerError(.noAudio, "only \(audio) of \(byteCount - tags) bytes are MP3 audio")
        }
        if stream.diagnostics.truncatedLastFrame {
            throw AnalyzerError(.truncated, "the file ends inside a frame: its end is missing")
        }
        if let count = stream.diagnostics.frameCountMismatch,
            count.claimed - count.actual > Self.permittedShortfall
        {
            throw AnalyzerError(
                .truncated, "the tag states \(count.claimed) frames, but only \(count.actual) are present")
        }
    }

    private func requireSound(_ bytes: RawSpan) throws(AnalyzerError) {
        let count = stream.index.count
        let head = 0..<min(count, Self.sampledFrames)
        let tail = max(head.upperBound, count - Self.sampledFrames)..<count
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
        guard decodedFrames > 0 || fedFrames <= 1, lost <= Self.permittedLosses * Double(fedFrames) else {
            throw AnalyzerError(
                .undecodable, "only \(decodedFrames) of \(fedFrames) tested frames can be decoded")
        }
    }
}
