internal import AudioFrames
internal import AudioChannels
internal import FLACAudio
internal import FLACDecoder
internal import MusicShared

/// The audio of a FLAC file.
struct FLACFile: AudioStream {
    let stream: FLACAudioStream

    /// Number of frames to decode at each end for the check of uploads: about ten seconds.
    private static let sampledFrames = 120
    /// Interval in bytes at which memory of the mapped file is released.
    private static let releaseInterval = 1 << 22

    init(_ bytes: RawSpan, passed: (Int) -> Void) throws(AnalyzerError) {
        do throws(AudioFormatError) {
            stream = try FLACAudioStream.scan(bytes, passed: passed)
        } catch {
            throw AnalyzerError(AnalyzerError.Code(rawValue: error.code.rawValue), error.message)
        }
        try SampleRates.require(stream.format.sampleRate)
    }

    var format: AudioFormat { .flac }
    var payload: Range<Int> { stream.payload }
    var sampleRateHz: Int { stream.format.sampleRate }
    var channelWeights: [Double] {
        layout.loudnessWeights
    }
    private var layout: ChannelLayout { .flac(channelCount: stream.format.channelCount) }
    var sampleCount: Int { stream.sampleCount }
    var durationSeconds: Double { stream.durationSeconds }

    func decode(
        _ bytes: RawSpan, passed: (Int) -> Void, isCancelled: () -> Bool, _ body: @escaping (PCMBlock) -> Void
    ) throws(AnalyzerError) -> DecodedAudio {
        let decoder = try Self.decoder(of: stream)
        let blocks = ChannelBlocks(layout, body: body)
        var decoded = DecodedAudio()
        var released = 0
        try stream.index.forEach { frame throws(AnalyzerError) in
            if isCancelled() { throw AnalyzerError(.cancelled, "the analysis was cancelled") }
            if !Self.decode(frame, of: bytes, decoder, blocks.take) {
                decoded.damagedFrames += 1
                blocks.takeSilence(count: frame.sampleCount)
            }
            if frame.range.upperBound - released > Self.releaseInterval {
                released = frame.range.lowerBound
                passed(released)
            }
            return true
        }
        decoded.hasWrongChecksum = !decoder.finish()
        return decoded
    }

    private static func decoder(of stream: FLACAudioStream) throws(AnalyzerError) -> FLACDecoder {
        do throws(FLACDecoderError) {
            return try FLACDecoder(streamInfo: stream.info.bytes)
        } catch {
            throw AnalyzerError(.decoderFailed, error.description)
        }
    }

    /// Decodes a frame with a right checksum; the others hold anything but music.
    private static func decode(
        _ frame: FLACFrame, of bytes: RawSpan, _ decoder: FLACDecoder,
        _ body: (FLACDecoder.Samples) -> Void
    ) -> Bool {
        guard frame.isIntact else { return decoder.decode(bytes.extracting(0..<0)) { _ in } }
        return decoder.decode(bytes.extracting(frame.range)) { samples in
            // The index and the header agree, since both come from it.
            body(samples)
        }
    }

    func description(_ decoded: DecodedAudio) -> StreamDescription { StreamDescription(stream, decoded) }

    func requirePlayable(_ bytes: RawSpan) throws(AnalyzerError) {
        let audio = stream.index.byteCount
        let rest = bytes.byteCount - stream.payload.lowerBound
        guard audio * 2 >= rest else {
            throw AnalyzerError(.noAudio, "only \(audio) of \(rest) bytes are FLAC audio")
        }
        if stream.diagnostics.truncatedLastFrame {
            throw AnalyzerError(.truncated, "the file ends inside a frame: its end is missing")
        }
        if let claimed = stream.info.sampleCount, claimed > stream.sampleCount {
            throw AnalyzerError(
                .truncated,
                "the file states \(claimed) samples, but only \(stream.sampleCount) are present")
        }
        try requireSound(bytes)
    }

    private func requireSound(_ bytes: RawSpan) throws(AnalyzerError) {
        let count = stream.index.count
        let head = 0..<min(count, Self.sampledFrames)
        let tail = max(head.upperBound, count - Self.sampledFrames)..<count
        let decoder = try Self.decoder(of: stream)
        let tested = Array(head) + Array(tail)
        let lost = tested.filter { !Self.decode(stream.index[$0], of: bytes, decoder) { _ in } }.count
        guard lost * 10 <= tested.count, lost < tested.count else {
            throw AnalyzerError(
                .undecodable,
                "only \(tested.count - lost) of \(tested.count) tested frames can be decoded")
        }
    }
}
