import MPEGAudio
import TestSupport
import Testing

/// Streams joined into one file, of one or several formats.
@Suite struct JoinedStreamTests {
    private func encode(_ frameCount: Int, rate: Int, channels: Int = 2) throws -> (
        PCM, [UInt8], MPEGAudioStream
    ) {
        let pcm = PCM.music(frameCount: frameCount, sampleRate: rate, channelCount: channels)
        let bytes = try Encoders.lame(pcm, ["-b", "64", "--resample", "\(Double(rate) / 1000)"])
        return (pcm, bytes, try MPEGAudioStream.scan(bytes))
    }

    @Test func oneFormatIsTrimmedAtBothEndsOnly() throws {
        let (_, first, a) = try encode(100_000, rate: 44_100)
        let (_, second, b) = try encode(60_001, rate: 44_100)
        let joined = try MPEGAudioStream.scan(first + second)
        #expect(joined.index.count == a.index.count + b.index.count)
        #expect(joined.diagnostics.infoFrameCount == 2)
        #expect(joined.sections.count == 1)
        #expect(joined.timeline.headTrim == a.timeline.headTrim)
        #expect(joined.timeline.tailTrim == b.timeline.tailTrim)
        #expect(joined.payload == 0..<first.count + second.count)
        #expect(joined.diagnostics.skippedBytes == 0)
        // Each Info frame counts the frames of its own part.
        #expect(joined.diagnostics.frameCountMismatch == nil)
    }

    @Test func differentRatesBecomeSections() throws {
        let (_, first, a) = try encode(100_000, rate: 44_100)
        let (_, second, b) = try encode(150_000, rate: 48_000)
        let (_, third, c) = try encode(30_000, rate: 22_050, channels: 1)
        let joined = try MPEGAudioStream.scan(first + second + third)
        #expect(joined.sections.map(\.format.sampleRate) == [44_100, 48_000, 22_050])
        #expect(joined.sections.map(\.format.channelCount) == [2, 2, 1])
        #expect(joined.sections.map(\.frames.count) == [a, b, c].map(\.index.count))
        #expect(joined.format.sampleRate == 48_000)
        #expect(joined.diagnostics.formatChangeCount == 2)
        #expect(joined.diagnostics.skippedBytes == 0)
        #expect(joined.diagnostics.resyncCount == 0)

        // All lengths with a common denominator: 14,112,000 is 320 × 44,100, 294 × 48,000 and 640 × 22,050.
        let exact =
            a.timeline.decodedSampleCount * 320 + b.timeline.decodedSampleCount * 294 + c.timeline
            .decodedSampleCount * 640
        #expect(joined.index.totalTicks == exact)
        #expect(joined.timeline.ticks == exact - a.timeline.headTrim * 320 - c.timeline.tailTrim * 640)
        #expect(joined.timeline.decodedSampleCount == Int((Double(exact) / 294).rounded()))

        let plan = try SegmentPlan(index: joined.index, targetDuration: 1)
        #expect(
            plan.segments.filter(\.isDiscontinuity).map(\.firstFrame)
                == joined.sections.dropFirst().map(\.frames.lowerBound))
        #expect(plan.segments.map(\.ticks).reduce(0, +) == exact)
        let rates = Set(plan.segments.map(\.sampleRate))
        #expect(rates == [44_100, 48_000, 22_050])
        #expect(try FrameIndex(decoding: joined.index.encoded()) == joined.index)

        // The first sample of a section is found by its time.
        let start = joined.sections[2].startTicks
        #expect(joined.index.frame(atTicks: start) == joined.sections[2].frames.lowerBound)
        #expect(joined.index.frame(atTicks: start - 1) == joined.sections[2].frames.lowerBound - 1)
    }
}
