internal import Analyzer
internal import FileSystem
internal import MP3Decoder
internal import MP3Encoder
internal import MPEGAudio

/// Creates a rendition of a track: decodes the original once and re-encodes it.
struct RenditionMaker {
    let track: StreamedTrack
    let bitRate: Int
    /// Receives the positions of frames as they are written.
    let growing: GrowingRendition

    /// Writes the frames to an empty file.
    /// - Throws: If the original cannot be read or the file cannot be written.
    func make(from original: [UInt8], to file: PendingFile) throws {
        growing.begin(file.descriptor)
        let output = FrameFile(file, frameCount: track.index.count, growing)
        let encoder = try AlignedEncoder(
            sampleRate: track.stream.sampleRateHz, channels: track.stream.channels, bitRate: bitRate)
        guard !track.isConverted else {
            return try convert(try MappedFile(path: original), encoder, output)
        }
        let feed = DecodedFrames(
            encoder, output, samplesPerFrame: track.stream.samplesPerFrame, channels: track.stream.channels)
        let decoder = try AlignedDecoder()
        try MappedFile(path: original).withBytes { bytes in
            for frame in 0..<track.index.count {
                try decoder.decode(bytes.extracting(track.index[frame].range), feed.take)
                if let failure = feed.failure { throw failure }
            }
        }
        decoder.finish(feed.take)
        if let failure = feed.failure { throw failure }
        try encoder.finish(output.take)
        try output.finish()
    }
}

extension RenditionMaker {
    /// Encodes a file of another format, as ``ConvertedStream`` has planned it.
    private func convert(_ file: MappedFile, _ encoder: AlignedEncoder, _ output: FrameFile) throws {
        let feed = try ConvertedSamples(encoder, output, from: track.original, to: track.stream)
        try DecodedFile.decode(file, feed.take)
        if let failure = feed.failure { throw failure }
        try feed.finish()
        try encoder.finish(output.take)
        try output.finish()
    }
}

/// Passes decoded samples to the encoder: a silent frame first, at the rate of the output, and silence at the end until all
/// planned frames are full.
private final class ConvertedSamples {
    private let encoder: AlignedEncoder
    private let output: FrameFile
    private let channels: Int
    private let resampler: RateConverter?
    /// Samples per channel that are still to come.
    private var remaining: Int
    private var interleaved: [Float] = []
    private(set) var failure: (any Error)?

    init(
        _ encoder: AlignedEncoder, _ output: FrameFile, from original: StreamDescription,
        to stream: StreamDescription
    ) throws {
        self.encoder = encoder
        self.output = output
        channels = stream.channels
        resampler =
            original.sampleRateHz == stream.sampleRateHz
            ? nil
            : try RateConverter(
                from: original.sampleRateHz, to: stream.sampleRateHz, channelCount: stream.channels)
        remaining = stream.decodedSampleCount
        try encodeSilence(ConvertedStream.samplesPerFrame)
    }

    func take(_ channels: [UnsafeBufferPointer<Float>]) {
        guard failure == nil, channels.count == self.channels else { return }
        if let resampler { return resampler.consume(channels) { encode($0) } }
        let count = channels[0].count
        interleaved.removeAll(keepingCapacity: true)
        for index in 0..<count {
            for channel in channels { interleaved.append(channel[index]) }
        }
        interleaved.withUnsafeBufferPointer { encode($0) }
    }

    /// Fills the last frames with silence.
    func finish() throws {
        resampler?.finish { encode($0) }
        try encodeSilence(remaining)
    }

    private func encodeSilence(_ count: Int) throws {
        let silence = [Float](repeating: 0, count: ConvertedStream.samplesPerFrame * channels)
        var left = count
        while left > 0 {
            let part = min(left, ConvertedStream.samplesPerFrame)
            silence.withUnsafeBufferPointer {
                encode(UnsafeBufferPointer(rebasing: $0[..<(part * channels)]))
            }
            left -= part
        }
        if let failure { throw failure }
    }

    private func encode(_ samples: UnsafeBufferPointer<Float>) {
        guard failure == nil else { return }
        let count = min(remaining, samples.count / channels)
        remaining -= count
        do {
            try encoder.encode(UnsafeBufferPointer(rebasing: samples[..<(count * channels)]), output.take)
        } catch {
            failure = error
        }
    }
}

/// Passes decoded frames to the encoder; undecodable frames are replaced by silence to keep the alignment.
private final class DecodedFrames {
    private let encoder: AlignedEncoder
    private let output: FrameFile
    private let channels: Int
    private let silence: [Float]
    private(set) var failure: (any Error)?

    init(_ encoder: AlignedEncoder, _ output: FrameFile, samplesPerFrame: Int, channels: Int) {
        self.encoder = encoder
        self.output = output
        self.channels = channels
        silence = [Float](repeating: 0, count: samplesPerFrame * channels)
    }

    func take(_ result: AlignedDecoder.Result) {
        guard case .samples(let samples, let channels) = result, channels == self.channels,
            samples.count == silence.count
        else { return silence.withUnsafeBufferPointer { encode($0) } }
        encode(samples)
    }

    private func encode(_ samples: UnsafeBufferPointer<Float>) {
        guard failure == nil else { return }
        do { try encoder.encode(samples, output.take) } catch { failure = error }
    }
}

/// Writes exactly as many frames as the original has.
private final class FrameFile {
    /// About three seconds of sound in high quality: more would delay the first segment.
    private static let blockSize = 1 << 16

    private let file: PendingFile
    private let growing: GrowingRendition
    private var missing: Int
    private var buffer: [UInt8] = []
    /// The offset after all frames so far, and those after each frame in the buffer.
    private var end = 0
    private var ends: [Int] = []

    init(_ file: PendingFile, frameCount: Int, _ growing: GrowingRendition) {
        self.file = file
        self.growing = growing
        missing = frameCount
    }

    func take(_ frame: ArraySlice<UInt8>) throws {
        guard missing > 0 else { return }
        missing -= 1
        buffer += frame
        end += frame.count
        ends.append(end)
        if buffer.count > Self.blockSize { try flush() }
    }

    func finish() throws {
        try flush()
        guard missing == 0 else {
            throw EncoderError("the encoder returned \(missing) frames fewer than the original has")
        }
    }

    private func flush() throws {
        try file.descriptor.write(buffer)
        growing.append(ends: ends)
        buffer = []
        ends = []
    }
}
