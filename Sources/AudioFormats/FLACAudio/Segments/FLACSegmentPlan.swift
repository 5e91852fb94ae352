/// A FLAC stream divided into segments of whole frames with about equal duration, each exact to the sample.
public struct FLACSegmentPlan: Sendable, Hashable {
    /// A segment.
    public struct Segment: Sendable, Hashable {
        /// Zero-based index.
        public let index: Int
        /// Its frames, by index in the frame index.
        public let frames: Range<Int>
        /// Its bytes in the file: one range, or several if there is junk between frames.
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
    public init(index: FLACFrameIndex, frames: Range<Int>? = nil, targetSamples: Int) {
        let planned = (frames ?? 0..<index.count).clamped(to: 0..<index.count)
        var segments: [Segment] = []
        var origin: Int?
        var open: (first: Int, start: Int, count: Int, ranges: [Range<Int>])?
        var position = planned.lowerBound
        func close(_ part: (first: Int, start: Int, count: Int, ranges: [Range<Int>])) {
            segments.append(
                Segment(
                    index: segments.count, frames: part.first..<position, byteRanges: part.ranges,
                    startSample: part.start, sampleCount: part.count))
        }
        index.forEach(in: planned) { frame in
            let start = frame.startSample - (origin ?? frame.startSample)
            origin = origin ?? frame.startSample
            if var part = open, part.count + frame.blockSize <= targetSamples {
                part.count += frame.blockSize
                if let last = part.ranges.last, last.upperBound == frame.range.lowerBound {
                    part.ranges[part.ranges.count - 1] = last.lowerBound..<frame.range.upperBound
                } else {
                    part.ranges.append(frame.range)
                }
                open = part
            } else {
                if let open { close(open) }
                open = (position, start, frame.blockSize, [frame.range])
            }
            position += 1
            return true
        }
        if let open { close(open) }
        self.segments = segments
        leadSamples = origin ?? 0
    }
}
