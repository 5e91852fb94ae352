internal import AudioFrames
internal import Analyzer
internal import FLACAudio
internal import FragmentedMP4
internal import MPEGAudio
internal import MusicShared
internal import Threads

/// The frames of a FLAC file, and the segments that are cut from them.
package struct FLACFrames: Sendable {
    /// The frames, by offset in the file.
    let index: FLACFrameIndex
    /// The parameters of a decoder.
    let info: StreamInfo
    /// The segments of the whole track.
    let plan: FrameSegmentPlan

    private static let variants = 16
    private let partialPlans = Memo<Range<Int>, FrameSegmentPlan>(capacity: variants)

    /// - Parameter start: offset of the first frame in the file.
    /// - Throws: if the stored index is damaged.
    init(_ stream: StreamDescription, start: Int) throws(AudioFormatError) {
        index = try FLACFrameIndex(decoding: stream.frameIndex, start: start)
        guard index.count > 0, (1..<1 << 20).contains(stream.sampleRateHz), 1...8 ~= stream.channels,
            let depth = stream.bitDepth, 4...32 ~= depth
        else { throw AudioFormatError(.malformedIndex, "the description of the FLAC stream is damaged") }
        info = StreamInfo(
            index: index, sampleRate: stream.sampleRateHz, channelCount: stream.channels, bitDepth: depth)
        plan = FrameSegmentPlan(index: index, targetSamples: Self.targetSamples(info))
    }

    /// Samples per second.
    var sampleRate: Int { info.sampleRate }

    /// Returns the segments of a range of frames; nil means all frames.
    func plan(of frames: Range<Int>?) -> FrameSegmentPlan {
        guard let frames, frames != 0..<index.count else { return plan }
        return partialPlans.value(for: frames) {
            FrameSegmentPlan(index: index, frames: frames, targetSamples: Self.targetSamples(info))
        }
    }

    private static func targetSamples(_ info: StreamInfo) -> Int {
        Int(StreamingConstants.segmentSeconds * Double(info.sampleRate))
    }

    /// Returns what precedes the frames of a segment in fragmented MP4.
    /// - Parameter base: time of the track's first sample in its playlist, in samples.
    func fragmentHeader(of segment: FrameSegmentPlan.Segment, base: Int) -> [UInt8] {
        var samples: [FragmentHeader.Sample] = []
        samples.reserveCapacity(segment.frames.count)
        index.forEach(in: segment.frames) { frame in
            samples.append(FragmentHeader.Sample(byteCount: frame.range.count, duration: frame.sampleCount))
            return true
        }
        return FragmentHeader.bytes(
            number: segment.index + 1, startSample: base + segment.startSample, samples: samples)
    }

    /// The initialization segment of the track.
    var initializationSegment: [UInt8] {
        InitializationSegment.bytes(
            AudioSampleEntry(
                coding: .flac(streamInfo: info.bytes), sampleRate: info.sampleRate,
                channelCount: info.channelCount, bitDepth: info.bitDepth))
    }
}

extension FLACFrames: TimedFrames {
    var count: Int { index.count }

    func frame(atTime seconds: Double) -> Int? {
        // A time beyond what an Int holds is outside the stream, too.
        guard seconds >= 0, seconds * Double(sampleRate) <= Double(index.sampleCount) else { return nil }
        return index.frame(containing: Int(seconds * Double(sampleRate)))
    }

    func firstFrame(toDecode frame: Int) -> Int { frame }

    func startSeconds(ofFrame frame: Int) -> Double {
        let sample = frame < index.count ? index[frame].startSample : index.sampleCount
        return Double(sample) / Double(sampleRate)
    }
}
