/// A stream cut into segments of whole frames, of about equal length.
///
/// All lengths are exact: each segment's is a number of samples, and together they are the whole stream as a plain
/// decoder plays it. A segment never spans a change of sampling rate or number of channels.
public struct SegmentPlan: Sendable, Hashable {
    /// One segment.
    public struct Segment: Sendable, Hashable {
        /// Its number, from 0.
        public let index: Int
        /// Its frames, numbered as in the frame index.
        public let frames: Range<Int>
        /// Its bytes in the file: one range, or several where junk lies between frames.
        public let byteRanges: [Range<Int>]
        /// Samples per second of its frames.
        public let sampleRate: Int
        /// Samples per channel that it decodes to, at its own rate.
        public let sampleCount: Int
        /// First sample, counted from the plan's start at the principal section's rate. Exact unless a section of
        /// another rate precedes it; ``startTicks`` always is.
        public let startSample: Int
        /// Exact time at which it begins, counted from the plan's start (see ``StreamTime``).
        public let startTicks: Int
        /// Whether sampling rate or number of channels change here (an `EXT-X-DISCONTINUITY` in HLS).
        public let isDiscontinuity: Bool

        /// First frame.
        public var firstFrame: Int { frames.lowerBound }
        /// Number of frames.
        public var frameCount: Int { frames.count }
        /// Bytes of all its frames.
        public var byteCount: Int { byteRanges.reduce(0) { $0 + $1.count } }
        /// Exact length (see ``StreamTime``).
        public var ticks: Int { sampleCount * (StreamTime.ticksPerSecond / sampleRate) }
        /// Seconds that it plays.
        public var durationSeconds: Double { Double(sampleCount) / Double(sampleRate) }
        /// Seconds before it in the plan.
        public var startSeconds: Double { StreamTime.seconds(startTicks) }
        /// Start on the 90 kHz clock of MPEG transport streams, modulo 2³³ (RFC 8216 §3.4).
        public var mpegTimestamp: UInt64 { StreamTime.mpegTimestamp(startTicks) }
    }

    /// The segments, in order; none overlap and none of the plan's frames is left out.
    public let segments: [Segment]
    /// Exact length of all segments (see ``StreamTime``).
    public let totalTicks: Int

    /// Cuts the stream of `index` into segments.
    ///
    /// A segment takes as many whole frames as fit into the target, at least one: 229 frames (5.982 s) at 44.1 kHz,
    /// 250 (6.000 s) at 48 kHz. The last of each section takes what is left.
    ///
    /// - Parameters:
    ///   - frames: the frames to plan for, all unless told otherwise; what lies outside the stream is ignored.
    ///   - targetDuration: seconds, from above 0 to 3,600.
    /// - Throws: ``MPEGAudioError/Code/freeFormat``, since players refuse such segments;
    ///   ``MPEGAudioError/Code/invalidArgument`` for a target out of range.
    public init(
        index: FrameIndex, frames: Range<Int>? = nil, targetDuration: Double = 6
    ) throws(MPEGAudioError) {
        guard targetDuration > 0, targetDuration <= 3600 else {
            throw MPEGAudioError(
                .invalidArgument, "a segment's target duration must be above 0 and at most 3,600 seconds")
        }
        guard !index.isFreeFormat else {
            throw MPEGAudioError(
                .freeFormat, "the stream is of free format, which players of segmented streams refuse")
        }
        let targetTicks = Int(targetDuration * Double(StreamTime.ticksPerSecond))
        let principalRate = index.principalSection?.format.sampleRate ?? 44_100
        let planned = (frames ?? 0..<index.count).clamped(to: 0..<index.count)
        let origin = index.startTicks(ofFrame: planned.lowerBound)
        var segments: [Segment] = []
        for section in index.sections {
            let format = section.format
            let step = max(1, targetTicks / format.ticksPerFrame)
            let part = section.frames.clamped(to: planned)
            for first in stride(from: part.lowerBound, to: part.upperBound, by: step) {
                let frames = first..<min(first + step, part.upperBound)
                let startTicks =
                    section.startTicks + (first - section.frames.lowerBound) * format.ticksPerFrame - origin
                segments.append(
                    Segment(
                        index: segments.count, frames: frames, byteRanges: index.byteRanges(of: frames),
                        sampleRate: format.sampleRate, sampleCount: frames.count * format.samplesPerFrame,
                        startSample: StreamTime.samples(startTicks, at: principalRate),
                        startTicks: startTicks,
                        isDiscontinuity: first == section.frames.lowerBound && first > planned.lowerBound))
            }
        }
        self.segments = segments
        totalTicks = index.startTicks(ofFrame: planned.upperBound) - origin
    }
}
