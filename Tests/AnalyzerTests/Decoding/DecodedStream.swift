import Foundation
import MPEGAudio
import TestSupport

@testable import Analyzer

/// The output of `StreamDecoder` for a file, and of other decoders for comparison.
struct DecodedStream {
    /// One array of samples per channel.
    var channels: [[Float]]
    /// The mono mix.
    var mono: [Float] = []
    var damagedFrames = 0

    init(decoding bytes: [UInt8]) throws {
        let stream = try MPEGAudioStream.scan(bytes.span.bytes)
        let collector = Collector(channelCount: stream.format.channelCount)
        var decoder = StreamDecoder(stream: stream)
        try decoder.decode(bytes.span.bytes, passed: { _ in }, isCancelled: { false }) { collector.take($0) }
        channels = collector.channels
        mono = collector.mono
        damagedFrames = decoder.damagedFrames
    }

    private init(interleaved: Data, channelCount: Int) {
        let samples = interleaved.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        channels = (0..<channelCount).map { channel in
            stride(from: channel, to: samples.count, by: channelCount).map { samples[$0] }
        }
    }

    /// Decodes with mpg123, with its own gapless trimming.
    static func mpg123(_ bytes: [UInt8], channelCount: Int) throws -> DecodedStream {
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: "in.mp3")
        let run = try ProcessRun.run("mpg123", ["-q", "-e", "f32", "--gapless", "-s", path])
        return DecodedStream(interleaved: run.output, channelCount: channelCount)
    }

    /// Decodes with ffmpeg's own decoder.
    static func ffmpeg(_ bytes: [UInt8], channelCount: Int) throws -> DecodedStream {
        let directory = try TemporaryDirectory()
        let path = try directory.write(bytes, as: "in.mp3")
        let run = try ProcessRun.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c:a", "pcm_f32le", "-f", "f32le", "-"])
        return DecodedStream(interleaved: run.output, channelCount: channelCount)
    }

    var count: Int { channels.first?.count ?? 0 }

    /// Returns the largest difference between corresponding samples, optionally within a range.
    func largestDifference(to other: DecodedStream, in range: Range<Int>? = nil) -> Float {
        var largest: Float = 0
        for (mine, theirs) in zip(channels, other.channels) {
            for index in range ?? 0..<min(mine.count, theirs.count) {
                largest = max(largest, abs(mine[index] - theirs[index]))
            }
        }
        return largest
    }

    private final class Collector {
        var channels: [[Float]]
        var mono: [Float] = []

        init(channelCount: Int) { channels = .init(repeating: [], count: channelCount) }

        func take(_ block: PCMBlock) {
            for (index, channel) in block.channels.enumerated() { channels[index] += channel }
            mono += block.mono
        }
    }
}
