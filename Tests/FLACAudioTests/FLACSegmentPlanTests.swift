import AudioFrames
import TestSupport
import Testing

@testable import FLACAudio

/// Segments of whole FLAC frames whose lengths add up exactly.
@Suite("FLAC segments")
struct FLACSegmentPlanTests {
    @Test(
        "Segments have as many whole frames as fit, and cover the stream without a gap",
        arguments: [(44_100, 4096), (96_000, 4608), (8_000, 1000), (192_000, 65_535)])
    func cover(rate: Int, blockSize: Int) throws {
        let bytes = try IntegerSound.tones(frameCount: rate * 15 + 123, sampleRate: rate).flac([
            "-b", "\(blockSize)",
        ])
        let stream = try FLACAudioStream.scan(bytes.span.bytes)
        let plan = FrameSegmentPlan(index: stream.index, targetSamples: rate * 6)
        let usual = max(1, rate * 6 / blockSize)
        var (frame, sample, byte) = (0, 0, stream.payload.lowerBound)
        for segment in plan.segments {
            #expect(segment.frames.lowerBound == frame && segment.startSample == sample)
            #expect(segment.frames.count == usual || segment.index == plan.segments.count - 1)
            #expect(segment.byteRanges.count == 1 && segment.byteRanges[0].lowerBound == byte)
            frame = segment.frames.upperBound
            sample += segment.sampleCount
            byte += segment.byteCount
        }
        #expect(frame == stream.index.count && byte == stream.payload.upperBound)
        #expect(sample == rate * 15 + 123 && plan.sampleCount == sample && plan.leadSamples == 0)
    }

    @Test("A part of the stream starts at its own time zero")
    func part() throws {
        let bytes = try IntegerSound.tones(frameCount: 44_100 * 9).flac(["-b", "4096"])
        let index = try FLACAudioStream.scan(bytes.span.bytes).index
        let plan = FrameSegmentPlan(index: index, frames: 70..<90, targetSamples: 44_100)
        #expect(plan.leadSamples == 70 * 4096 && plan.sampleCount == 20 * 4096)
        #expect(plan.segments.map(\.frames) == [70..<80, 80..<90])
        #expect(plan.segments.map(\.startSample) == [0, 10 * 4096])
        #expect(FrameSegmentPlan(index: index, frames: 5000..<5001, targetSamples: 1).segments.isEmpty)
    }

    @Test("Junk between frames splits the bytes, not the segment")
    func junk() {
        var index = FLACFrameIndex(usualSamples: 4096, start: 100)
        for (start, end) in [(100, 900), (900, 1500), (1800, 2000), (2000, 2600)] {
            index.append(start..<end, sampleCount: 4096, isIntact: true)
        }
        let plan = FrameSegmentPlan(index: index, targetSamples: 3 * 4096)
        #expect(plan.segments.map(\.byteRanges) == [[100..<1500, 1800..<2000], [2000..<2600]])
        #expect(plan.segments.map(\.byteCount) == [1600, 600] && plan.sampleCount == 4 * 4096)
    }

    @Test("Frames are found by any of their samples")
    func search() throws {
        let bytes = try IntegerSound.tones(frameCount: 400_000).flac(["-b", "1000"])
        let index = try FLACAudioStream.scan(bytes.span.bytes).index
        for sample in [0, 1, 999, 1000, 63_999, 64_000, 64_001, 399_999] {
            #expect(index.frame(containing: sample) == sample / 1000)
        }
        #expect(index.frame(containing: -1) == nil && index.frame(containing: 400_000) == nil)
        var visited: [Int] = []
        index.forEach(in: 62..<131) { frame in
            visited.append(frame.startSample)
            return true
        }
        #expect(visited == (62..<131).map { $0 * 1000 })
    }

    @Test("The block made from the frames has the values of the encoder's, but no length and MD5")
    func streamInfo() throws {
        for (depth, channels, options) in [
            (16, 2, ["-b", "4096"]), (24, 6, ["-b", "1152"]), (8, 1, ["-0"]),
        ] {
            let bytes = try IntegerSound.tones(
                frameCount: 100_001, sampleRate: 48_000, channelCount: channels, bitDepth: depth
            ).flac(options)
            let stream = try FLACAudioStream.scan(bytes.span.bytes)
            let made = StreamInfo(
                index: stream.index, sampleRate: 48_000, channelCount: channels, bitDepth: depth)
            // Block sizes, frame sizes, format; then 4 bits and 4 bytes of length, and the MD5.
            #expect(made.bytes[..<13] == stream.info.bytes[..<13])
            #expect(made.bytes[13] == stream.info.bytes[13] & 0xF0)
            #expect(made.bytes[14...].allSatisfy { $0 == 0 } && made.bytes.count == StreamInfo.byteCount)
            #expect(made.streamHead.starts(with: Array("fLaC".utf8) + [0x80, 0, 0, 34]))
        }
    }
}
