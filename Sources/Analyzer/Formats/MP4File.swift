internal import AudioFrames
internal import AVDecoder
internal import AudioChannels
internal import MP4Audio
internal import MusicShared

/// The audio of an MP4 file: AAC or ALAC.
struct MP4File: AudioStream {
    let stream: MP4AudioStream
    /// The loudspeakers of the decoder's channels.
    private let layout: ChannelLayout

    /// Sample rates in Hz that the measurements are made for.
    private static let sampleRates = 8_000...384_000
    /// Number of access units to decode at each end for the check of uploads: about ten seconds.
    private static let sampledUnits = 400
    /// Interval in bytes at which memory of the mapped file is released.
    private static let releaseInterval = 1 << 22

    init(_ bytes: RawSpan, passed: (Int) -> Void) throws(AnalyzerError) {
        guard AudioFormat.canDecodeMP4 else {
            throw AnalyzerError(
                .unsupportedCodec, "this build cannot read AAC and ALAC: it was built without libavcodec")
        }
        do throws(AudioFormatError) {
            stream = try MP4AudioStream.scan(bytes, passed: passed) { configuration, units in
                AVDecoder.probe(.aac(configuration: configuration.bytes), units, bytes)?.size
            }
        } catch {
            throw AnalyzerError(AnalyzerError.Code(rawValue: error.code.rawValue), error.message)
        }
        let codec = stream.index.codec
        guard Self.sampleRates.contains(codec.sampleRate) else {
            throw AnalyzerError(
                .unsupportedSampleRate,
                "the sample rate is \(codec.sampleRate) Hz; supported are "
                    + "\(Self.sampleRates.lowerBound) to \(Self.sampleRates.upperBound) Hz")
        }
        let first = (0..<min(8, stream.index.units.count)).map { [stream] in stream.index.units[$0].range }
        let probed = AVDecoder.probe(AVDecoderCodec(codec), first, bytes)?.layout
        layout =
            probed.flatMap { $0.channelCount == codec.channelCount ? $0 : nil }
            ?? .flac(channelCount: codec.channelCount)
    }

    var format: AudioFormat {
        switch stream.index.codec {
        case .aac: .aac
        case .alac: .alac
        }
    }
    var payload: Range<Int> { stream.payload }
    var sampleRateHz: Int { stream.index.codec.sampleRate }
    var channelWeights: [Double] { layout.loudnessWeights }
    var sampleCount: Int { stream.sampleCount }
    var durationSeconds: Double { stream.durationSeconds }

    /// The access units alone: between them may be boxes of fragments, which state places in the file.
    func forEachHashedRange(_ body: (Range<Int>) -> Void) {
        var run: Range<Int>?
        stream.index.units.forEach { unit in
            if let open = run, open.upperBound == unit.range.lowerBound {
                run = open.lowerBound..<unit.range.upperBound
            } else {
                if let run { body(run) }
                run = unit.range
            }
            return true
        }
        if let run { body(run) }
    }

    func decode(
        _ bytes: RawSpan, passed: (Int) -> Void, isCancelled: () -> Bool, _ body: @escaping (PCMBlock) -> Void
    ) throws(AnalyzerError) -> DecodedAudio {
        let decoder = try decoder()
        let blocks = ChannelBlocks(layout, body: body)
        var decoded = DecodedAudio()
        var released = 0
        try stream.index.units.forEach { unit throws(AnalyzerError) in
            if isCancelled() { throw AnalyzerError(.cancelled, "the analysis was cancelled") }
            let played = stream.index.played.clamped(
                to: unit.startSample..<unit.startSample + unit.sampleCount)
            let part = played.lowerBound - unit.startSample..<played.upperBound - unit.startSample
            if !Self.decode(unit, of: bytes, decoder, channelCount: channelCount, { blocks.take($0, part) }) {
                decoded.damagedFrames += 1
                if !part.isEmpty { blocks.takeSilence(count: part.count) }
            }
            if unit.range.upperBound - released > Self.releaseInterval {
                released = unit.range.lowerBound
                passed(released)
            }
            return true
        }
        return decoded
    }

    private func decoder() throws(AnalyzerError) -> AVDecoder {
        do throws(AVDecoderError) {
            return try AVDecoder(AVDecoderCodec(stream.index.codec))
        } catch {
            throw AnalyzerError(.decoderFailed, error.description)
        }
    }

    /// Decodes an access unit.
    /// - Returns: whether it gave the samples that the index states; if not, `body` is not called.
    private static func decode(
        _ unit: AccessUnit, of bytes: RawSpan, _ decoder: AVDecoder, channelCount: Int,
        _ body: (AVDecoder.Samples) -> Void
    ) -> Bool {
        var isComplete = false
        _ = decoder.decode(bytes.extracting(unit.range)) { channels in
            guard channels.count == channelCount, channels.first?.count == unit.sampleCount else { return }
            isComplete = true
            body(channels)
        }
        return isComplete
    }

    func description(_ decoded: DecodedAudio) -> StreamDescription {
        StreamDescription(stream, format, decoded)
    }

    func requirePlayable(_ bytes: RawSpan) throws(AnalyzerError) {
        if stream.diagnostics.missingUnits > 0 || stream.diagnostics.missingSamples > 0 {
            throw AnalyzerError(.truncated, "the file ends before its audio: its end is missing")
        }
        let units = stream.index.units
        let head = 0..<min(units.count, Self.sampledUnits)
        let tail = max(head.upperBound, units.count - Self.sampledUnits)..<units.count
        let decoder = try decoder()
        let tested = Array(head) + Array(tail)
        let lost = tested.filter {
            !Self.decode(units[$0], of: bytes, decoder, channelCount: channelCount) { _ in }
        }.count
        guard lost * 10 <= tested.count, lost < tested.count else {
            throw AnalyzerError(
                .undecodable,
                "only \(tested.count - lost) of \(tested.count) tested access units can be decoded")
        }
    }
}
