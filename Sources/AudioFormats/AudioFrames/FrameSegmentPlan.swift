/// A stream divided into segments of whole frames with about equal duration, each exact to the sample.
///
/// For streams whose frames can be decoded without earlier ones, or after a few; ``SegmentPlan`` of MPEGAudio knows the bit reservoir.
public struct FrameSegmentPlan: Sendable, Hashable {
    /// A segment.
    public struct Segment: Sendable, Hashable {
        /// Zero-based index.
        public let index: Int
        /// Its frames, by index in the frame index.
        public let frames: Range<Int>
        /// Its bytes in the file: one range, or several if there are other bytes between frames.
        public let byteRanges: [Range<Int>]
        /// First sample, relative to the start of the plan.
        public let startSample: Int
        /// Samples per channel.
        public let sampleCount: Int

        /// Total size of its frames in bytes.
        public var byteCount: Int { byteRanges.reduce(0) { $0 + $1.count } }
    }

    /// The segments in order, without overlaps and covering all planned frames.
    public let segments: [Segment]
    /// Samples per channel of all segments.
    public var sampleCount: Int { segments.last.map { $0.startSample + $0.sampleCount } ?? 0 }
    /// Number of samples by which the plan starts after the start of the stream.
    public let leadSamples: Int

    /// Divides a stream into segments: each has as many whole frames as fit into the target duration, at least one.
    /// - Parameters:
    ///   - frames: the frames to divide, by default all; frames outside the stream are ignored.
    ///   - targetSamples: the target duration in samples.
    public init<Frame: IndexedFrame>(
        index: PackedIndex<Frame>, frames: Range<Int>? = nil, targetSamples: Int
    ) {
        let planned = (frames ?? 0..<index.count).clamped(to: 0..<index.count)
        var segments: [Segment] = []
        var origin: Int?
        var open: Part?
        var position = planned.lowerBound
        index.forEach(in: planned) { frame in
            let first = origin ?? frame.startSample
            origin = first
            if let part = open, part.sampleCount + frame.sampleCount > targetSamples {
                segments.append(part.closed(index: segments.count, end: position))
                open = nil
            }
            var part = open ?? Part(firstFrame: position, startSample: frame.startSample - first)
            part.append(frame)
            open = part
            position += 1
            return true
        }
        if let open { segments.append(open.closed(index: segments.count, end: position)) }
        self.segments = segments
        leadSamples = origin ?? 0
    }

    /// A segment that may get more frames.
    private struct Part {
        let firstFrame: Int
        let startSample: Int
        var sampleCount = 0
        var ranges: [Range<Int>] = []

        mutating func append(_ frame: some IndexedFrame) {
            sampleCount += frame.sampleCount
            for range in frame.ranges {
                if let last = ranges.last, last.upperBound == range.lowerBound {
                    ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
                } else {
                    ranges.append(range)
                }
            }
        }

        func closed(index: Int, end: Int) -> Segment {
            Segment(
                index: index, frames: firstFrame..<end, byteRanges: ranges, startSample: startSample,
                sampleCount: sampleCount)
        }
    }
}
