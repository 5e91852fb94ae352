import MPEGAudio
import TestSupport
import Testing

/// Segments of whole frames whose lengths add up exactly.
@Suite struct SegmentPlanTests {
    @Test(arguments: [
        (44_100, 229, 1152), (48_000, 250, 1152), (32_000, 166, 1152), (22_050, 229, 576), (8_000, 83, 576),
    ])
    func segmentsHoldAsManyFramesAsFit(_ rate: Int, _ framesPerSegment: Int, _ samplesPerFrame: Int) throws {
        // Six seconds are 6 × rate / samplesPerFrame frames, rounded down.
        let pcm = PCM.music(frameCount: rate * 20, sampleRate: rate, channelCount: 1)
        let stream = try MPEGAudioStream.scan(
            try Encoders.lame(pcm, ["-V", "5", "--resample", "\(Double(rate) / 1000)"]))
        let plan = try SegmentPlan(index: stream.index, targetDuration: 6)
        #expect(plan.segments.dropLast().allSatisfy { $0.frameCount == framesPerSegment })
        #expect(plan.segments[0].sampleCount == framesPerSegment * samplesPerFrame)
        #expect(plan.segments.map(\.sampleCount).reduce(0, +) == stream.timeline.decodedSampleCount)
        #expect(plan.segments.map(\.byteCount).reduce(0, +) == stream.index.byteCount)
        for (k, segment) in plan.segments.enumerated() {
            #expect(segment.startSample == k * framesPerSegment * samplesPerFrame)
            let exact = (Double(segment.startSample) * 90_000 / Double(rate)).rounded()
            #expect(segment.mpegTimestamp == UInt64(exact))
            #expect(!segment.isDiscontinuity)
        }
    }

    @Test func targetsOutOfRangeAreRefused() throws {
        let index = try MPEGAudioStream.scan(try Encoders.lame(PCM.music(frameCount: 9000))).index
        for target in [0, -1, .nan, .infinity, 4000] {
            let error = #expect(throws: MPEGAudioError.self) {
                try SegmentPlan(index: index, targetDuration: target)
            }
            #expect(error?.code == .invalidArgument)
        }
        // Less than a frame: one frame each.
        #expect(try SegmentPlan(index: index, targetDuration: 0.001).segments.count == index.count)
    }

    @Test func freeFormatIsRefused() throws {
        let bytes = try Encoders.lame(PCM.music(frameCount: 20_000), ["--freeformat", "-b", "200"])
        let stream = try MPEGAudioStream.scan(bytes)
        let error = #expect(throws: MPEGAudioError.self) { try SegmentPlan(index: stream.index) }
        #expect(error?.code == .freeFormat)
    }

    @Test func transportClockWrapsAt33Bits() {
        let wrap = 1 << 33
        // After 2³³ / 90,000 s the clock is zero again.
        let ticks = wrap / 90_000 * StreamTime.ticksPerSecond
        #expect(StreamTime.mpegTimestamp(ticks) == UInt64(wrap / 90_000 * 90_000))
        #expect(
            StreamTime.mpegTimestamp(ticks + StreamTime.ticksPerSecond)
                == UInt64((wrap / 90_000 + 1) * 90_000 - wrap))
    }
}
