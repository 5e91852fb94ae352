internal import Analyzer
internal import FileSystem
internal import MP3Decoder
internal import MP3Encoder
internal import MPEGAudio

/// Creates the low-quality rendition of a track: decodes the original once and re-encodes it.
struct RenditionMaker {
    let track: StreamedTrack
    let bitRate: Int

    /// Writes the frames to an empty file.
    /// - Throws: If the original cannot be read or the file cannot be written.
    func make(from original: [UInt8], to file: PendingFile) throws {
        let output = FrameFile(file, frameCount: track.index.count)
        let encoder = try AlignedEncoder(
            sampleRate: track.stream.sampleRateHz, channels: track.stream.channels, bitRate: bitRate)
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
    private let file: PendingFile
    private var missing: Int
    private var buffer: [UInt8] = []

    init(_ file: PendingFile, frameCount: Int) {
        self.file = file
        missing = frameCount
    }

    func take(_ frame: ArraySlice<UInt8>) throws {
        guard missing > 0 else { return }
        missing -= 1
        buffer += frame
        if buffer.count > 1 << 18 { try flush() }
    }

    func finish() throws {
        try flush()
        guard missing == 0 else {
            throw EncoderError("the encoder returned \(missing) frames fewer than the original has")
        }
    }

    private func flush() throws {
        try file.descriptor.write(buffer)
        buffer = []
    }
}
