internal import AudioFrames
internal import AudioChannels
internal import MusicShared
internal import OggAudio

/// The audio of an Ogg file with Opus or Vorbis.
///
/// The output gain in the header of Opus is applied, as players do: measurements are those of what is heard.
struct OggFile: AudioStream {
    let stream: OggAudioStream

    /// Sample rates in Hz that the measurements are made for.
    private static let sampleRates = 8_000...384_000
    /// Number of packets to decode at each end for the check of uploads: about ten seconds.
    private static let sampledPackets = 500
    /// Interval in bytes at which memory of the mapped file is released.
    private static let releaseInterval = 1 << 22

    init(_ bytes: RawSpan, passed: (Int) -> Void) throws(AnalyzerError) {
        do throws(AudioFormatError) {
            stream = try OggAudioStream.scan(bytes, passed: passed)
        } catch {
            throw AnalyzerError(AnalyzerError.Code(rawValue: error.code.rawValue), error.message)
        }
        guard Self.sampleRates.contains(stream.sampleRate) else {
            throw AnalyzerError(
                .unsupportedSampleRate,
                "the sample rate is \(stream.sampleRate) Hz; supported are "
                    + "\(Self.sampleRates.lowerBound) to \(Self.sampleRates.upperBound) Hz")
        }
        guard stream.channelCount <= OggChannelOrder.largestCount else {
            throw AnalyzerError(
                AnalyzerError.Code(rawValue: AudioFormatError.Code.unsupportedCodec.rawValue),
                "the file has \(stream.channelCount) channels; supported are up to "
                    + "\(OggChannelOrder.largestCount)")
        }
    }

    var format: AudioFormat { stream.codec == .opus ? .opus : .vorbis }
    var payload: Range<Int> { stream.payload }
    var sampleRateHz: Int { stream.sampleRate }
    var channelWeights: [Double] { ChannelLayout.flac(channelCount: stream.channelCount).loudnessWeights }
    var sampleCount: Int { stream.sampleCount }
    var durationSeconds: Double { stream.durationSeconds }
    var hashedFacts: [UInt8] { stream.identityFacts }

    func forEachHashedRange(_ body: (Range<Int>) -> Void) { stream.forEachIdentifyingRange(body) }

    func decode(
        _ bytes: RawSpan, passed: (Int) -> Void, isCancelled: () -> Bool, _ body: @escaping (PCMBlock) -> Void
    ) throws(AnalyzerError) -> DecodedAudio {
        let blocks = OggBlocks(channelCount: stream.channelCount, body: body)
        var decoded = DecodedAudio()
        var released = 0
        for (number, link) in stream.index.links.enumerated() {
            let decoder = try OggPacketDecoder(stream, link: number, bytes)
            blocks.begin(skipping: link.skippedSamples, count: link.sampleCount)
            try stream.index.packets.forEach(in: link.packets) { packet throws(AnalyzerError) in
                if isCancelled() { throw AnalyzerError(.cancelled, "the analysis was cancelled") }
                if !decoder.decode(packet, of: bytes, { blocks.take($0, count: packet.sampleCount) }) {
                    decoded.damagedFrames += 1
                    blocks.take([], count: packet.sampleCount)
                }
                if let place = packet.ranges.first?.lowerBound, place - released > Self.releaseInterval {
                    released = place
                    passed(released)
                }
                return true
            }
        }
        blocks.finish()
        return decoded
    }

    func description(_ decoded: DecodedAudio) -> StreamDescription { StreamDescription(stream, decoded) }

    func requirePlayable(_ bytes: RawSpan) throws(AnalyzerError) {
        let audio = stream.index.packets.byteCount
        let rest = bytes.byteCount - stream.payload.lowerBound
        guard audio * 2 >= rest else {
            throw AnalyzerError(.noAudio, "only \(audio) of \(rest) bytes are Ogg audio")
        }
        if stream.diagnostics.isTruncated {
            throw AnalyzerError(.truncated, "the file ends inside a page or a packet: its end is missing")
        }
        try requireSound(bytes)
    }

    private func requireSound(_ bytes: RawSpan) throws(AnalyzerError) {
        guard let first = stream.index.links.first, let last = stream.index.links.last else { return }
        let head = first.packets.prefix(Self.sampledPackets)
        let tail = last.packets.suffix(Self.sampledPackets)
        var tested = 0
        var lost = 0
        for (link, packets) in [(0, head), (stream.index.links.count - 1, tail)] {
            let decoder = try OggPacketDecoder(stream, link: link, bytes)
            stream.index.packets.forEach(in: packets) { packet in
                tested += 1
                if !decoder.decode(packet, of: bytes, { _ in }) { lost += 1 }
                return true
            }
        }
        guard lost * 10 <= tested, lost < tested else {
            throw AnalyzerError(
                .undecodable, "only \(tested - lost) of \(tested) tested packets can be decoded")
        }
    }
}
