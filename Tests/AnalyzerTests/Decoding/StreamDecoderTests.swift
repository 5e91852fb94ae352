import Foundation
import MPEGAudio
import TestSupport
import Testing

@testable import Analyzer

/// A decoded stream matches the output of independent decoders sample by sample.
@Suite("Stream decoder")
struct StreamDecoderTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: [String]
        let sampleRate: Int
        let channels: Int

        init(_ options: [String], _ sampleRate: Int = 44_100, _ channels: Int = 2) {
            self.options =
                options + ["--resample", "\(Double(sampleRate) / 1000)"] + (channels == 1 ? ["-m", "m"] : [])
            self.sampleRate = sampleRate
            self.channels = channels
            testDescription = "\(options.joined(separator: " ")) \(sampleRate) Hz, \(channels) ch"
        }
    }

    static let kinds = [
        Kind(["-b", "128"]), Kind(["-b", "320"]), Kind(["-V", "2"]), Kind(["-V", "9"]),
        Kind(["--abr", "160"]),
        Kind(["-b", "128", "-t"]), Kind(["-b", "64"], 44_100, 1), Kind(["-V", "2"], 48_000),
        Kind(["-b", "112"], 32_000),
        Kind(["-b", "64"], 22_050), Kind(["-V", "4"], 24_000, 1), Kind(["-b", "32"], 12_000),
        Kind(["-V", "5"], 11_025),
        Kind(["-b", "16"], 8_000, 1), Kind(["-b", "320", "--freeformat"]),
    ]

    private func bytes(_ kind: Kind, seconds: Double = 4) throws -> [UInt8] {
        try Encoders.lame(
            PCM.music(
                frameCount: Int(seconds * Double(kind.sampleRate)), sampleRate: kind.sampleRate,
                channelCount: kind.channels),
            kind.options)
    }

    @Test("Sample count and values match mpg123", arguments: kinds)
    func mpg123(kind: Kind) throws {
        let bytes = try bytes(kind)
        let ours = try DecodedStream(decoding: bytes)
        let theirs = try DecodedStream.mpg123(bytes, channelCount: kind.channels)
        #expect(ours.count == theirs.count)
        #expect(ours.largestDifference(to: theirs) <= 1e-6)
        #expect(ours.damagedFrames == 0)
        // The encoder's delay and padding are trimmed: the rest is the source. LAME omits the Info frame at some low constant
        // bit rates, and then cannot state the delay and padding.
        if try MPEGAudioStream.scan(bytes.span.bytes).infoTag != nil {
            #expect(ours.count == 4 * kind.sampleRate)
        } else {
            #expect(ours.count >= 4 * kind.sampleRate)
        }
    }

    // ffmpeg 5.1 rejects free format, pads streams without an Info frame differently, and deviates in MPEG-2 mono with variable
    // bit rate from mpg123, libmad and LAME's own decoder, which agree.
    @Test(
        "Sample count and values match ffmpeg, apart from its rounding",
        arguments: kinds.filter {
            !$0.options.contains("--freeformat") && !$0.options.contains("-t") && $0.sampleRate != 24_000
        })
    func ffmpeg(kind: Kind) throws {
        let bytes = try bytes(kind)
        let ours = try DecodedStream(decoding: bytes)
        let theirs = try DecodedStream.ffmpeg(bytes, channelCount: kind.channels)
        #expect(ours.count == theirs.count)
        #expect(ours.largestDifference(to: theirs) <= 1e-5)
    }

    @Test("The mono mix is the mean of the channels")
    func mono() throws {
        let ours = try DecodedStream(decoding: bytes(Kind(["-V", "2"])))
        #expect(ours.mono.count == ours.count)
        let largest = ours.mono.indices.map {
            abs(ours.mono[$0] - (ours.channels[0][$0] + ours.channels[1][$0]) / 2)
        }.max()
        #expect(try #require(largest) <= 1e-7)
    }

    @Test("A removed frame removes only its own samples")
    func removedFrame() throws {
        let whole = try bytes(Kind(["-b", "128", "-t"]))
        let index = try MPEGAudioStream.scan(whole.span.bytes).index
        let range = index[50].range
        let cut = Array(whole[..<range.lowerBound] + whole[range.upperBound...])
        let (intact, damaged) = (try DecodedStream(decoding: whole), try DecodedStream(decoding: cut))
        #expect(damaged.count == intact.count - 1152)
        // A frame's sound overlaps the next one's, and its bits may be in preceding frames.
        #expect(damaged.largestDifference(to: intact, in: 0..<49 * 1152) <= 1e-6)
        var shifted = intact
        shifted.channels = intact.channels.map { Array($0[..<(50 * 1152)] + $0[(51 * 1152)...]) }
        #expect(damaged.largestDifference(to: shifted, in: 60 * 1152..<damaged.count) <= 1e-6)
    }

    @Test("Undecodable frames keep their position", arguments: [[0], [60], [60, 61, 62, 63], [151]])
    func damagedFrames(numbers: [Int]) throws {
        let whole = try bytes(Kind(["-b", "128", "-t", "--nores"]))
        let index = try MPEGAudioStream.scan(whole.span.bytes).index
        #expect(index.count > 152)
        var damaged = whole
        for number in numbers {
            // The header stays intact; side information of all ones is invalid.
            for position in index[number].range.dropFirst(4) { damaged[position] = 0xFF }
        }
        let (intact, ours) = (try DecodedStream(decoding: whole), try DecodedStream(decoding: damaged))
        #expect(ours.count == intact.count)
        #expect(ours.damagedFrames == numbers.count)
        // Sound up to a frame before and from two frames after the damage is unchanged.
        let (first, last) = (try #require(numbers.first), try #require(numbers.last))
        #expect(ours.largestDifference(to: intact, in: 0..<max(0, first - 1) * 1152) <= 1e-6)
        if last + 3 < index.count {
            #expect(ours.largestDifference(to: intact, in: (last + 3) * 1152..<intact.count) <= 1e-6)
        }
        #expect(ours.channels[0].allSatisfy { $0.isFinite && abs($0) < 4 })
    }

    @Test(
        "Joined streams with other sample rates share a timeline, at their own pitch and level",
        arguments: [22_050, 32_000, 48_000])
    func joinedRates(rate: Int) throws {
        func tone(_ rate: Int, seconds: Double) -> PCM {
            let samples = (0..<Int(seconds * Double(rate))).map {
                Int16((8_000 * sin(2 * .pi * 1000 * Double($0) / Double(rate))).rounded())
            }
            return PCM(sampleRate: rate, channelCount: 1, samples: samples)
        }
        let first = try Encoders.lame(tone(44_100, seconds: 6), ["-b", "128", "-m", "m", "-t"])
        let second = try Encoders.lame(
            tone(rate, seconds: 3), ["-b", "64", "-m", "m", "-t", "--resample", "\(Double(rate) / 1000)"])
        let ours = try DecodedStream(decoding: first + second)
        let alone = try DecodedStream(decoding: first)
        let other = try DecodedStream(decoding: second)
        let expected = alone.count + Int((Double(other.count) * 44_100 / Double(rate)).rounded())
        #expect(abs(ours.count - expected) <= 1)
        #expect(ours.largestDifference(to: alone, in: 0..<alone.count - 2304) <= 1e-6)
        // The middle second of the second part has the same number of periods and the same level.
        let start = alone.count + 44_100
        let part = ours.channels[0][start..<start + 44_100]
        let crossings = zip(part, part.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        #expect(abs(crossings - 1000) <= 1)
        let peak = part.map(abs).max() ?? 0
        let truth = other.channels[0][rate..<2 * rate].map(abs).max() ?? 1
        #expect(abs(20 * log10(peak / truth)) < 0.1)
    }

    @Test("After a change of the channel count the track keeps its own number of channels")
    func joinedChannels() throws {
        let stereo = try Encoders.lame(PCM.music(frameCount: 44_100 * 3, seed: 3), ["-b", "128", "-t"])
        let mono = try Encoders.lame(
            PCM.music(frameCount: 44_100, channelCount: 1, seed: 4), ["-b", "64", "-t"])
        let ours = try DecodedStream(decoding: stereo + mono)
        let (alone, other) = (try DecodedStream(decoding: stereo), try DecodedStream(decoding: mono))
        #expect(ours.channels.count == 2)
        #expect(ours.count == alone.count + other.count)
        let tail = ours.channels.map { $0[(alone.count + 1152)...] }
        #expect(tail[0].elementsEqual(tail[1]))
        #expect(zip(tail[0], other.channels[0][1152...]).allSatisfy { abs($0 - $1) <= 1e-6 })
    }

    @Test("Cancelling stops the decoding immediately")
    func cancelled() throws {
        let bytes = try bytes(Kind(["-b", "128"]))
        var decoder = StreamDecoder(stream: try MPEGAudioStream.scan(bytes.span.bytes))
        let error = #expect(throws: AnalyzerError.self) {
            try decoder.decode(bytes.span.bytes, passed: { _ in }, isCancelled: { true }) { _ in }
        }
        #expect(error?.code == .cancelled)
    }
}
