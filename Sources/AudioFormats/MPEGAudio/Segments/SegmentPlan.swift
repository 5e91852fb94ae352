/// A stream divided into segments of whole frames with about equal duration.
///
/// All durations are exact: each is a number of samples, and together they cover the whole output of a plain decoder. A segment
/// never spans a change of sample rate or number of channels.
public struct SegmentPlan: Sendable, Hashable {
    /// A segment.
    public struct Segment: Sendable, Hashable {
        /// Zero-based index.
        public let index: Int
        /// Its frames, by index in the frame index.
        public let frames: Range<Int>
        /// Its bytes in the file: one range, or several if there is junk between frames.
        public let byteRanges: [Range<Int>]
        /// Samples per second of its frames.
        public let sampleRate: Int
        /// Decoded samples per channel at its own rate.
        public let sampleCount: Int
        /// First sample, relative to the start of the plan at the principal section's rate. Exact unless a section with another
        /// rate precedes it; ``startTicks`` always is.
        public let startSample: Int
        /// Exact start time relative to the start of the plan (see ``StreamTime``).
        public let startTicks: Int
        /// Whether the sample rate or number of channels changes here (an `EXT-X-DISCONTINUITY` in HLS).
        public let isDiscontinuity: Bool

        /// First frame.
        public var firstFrame: Int { frames.lowerBound }
        /// Number of frames.
        public var frameCount: Int { frames.count }
        /// Total size of its frames in bytes.
        public var byteCount: Int { byteRanges.reduce(0) { $0 + $1.count } }
        /// Exact duration (see ``StreamTime``).
        public var ticks: Int { sampleCount * (StreamTime.ticksPerSecond / sampleRate) }
        /// Duration in seconds.
        public var durationSeconds: Double { Double(sampleCount) / Double(sampleRate) }
        /// Start time in seconds relative to the start of the plan.
        public var startSeconds: Double { StreamTime.seconds(startTicks) }
        /// Start on the 90 kHz clock of MPEG transport streams, modulo 2³³ (RFC 8216 §3.4).
        public var mpegTimestamp: UInt64 { StreamTime.mpegTimestamp(startTicks) }
    }

    /// The segments in order, without overlaps and covering all planned frames.
    public let segments: [Segment]
    /// Exact duration of all segments (see ``StreamTime``).
    public let totalTicks: Int

    /// Divides a stream into segments.
    ///
    /// A segment has as many whole frames as fit into the target duration, at least one: 229 frames (5.982 s) at 44.1 kHz, 250
    /// (6.000 s) at 48 kHz. The last segment of each section has the remaining frames.
    ///
    /// - Parameters:
    ///   - frames: the frames to divide, by default all; frames outside the stream are ignored.
    ///   - targetDuration: seconds, above 0 and at most 3,600.
    /// - Throws: ``MPEGAudioError/Code/freeFormat``, since players reject such segments;
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
                .freeFormat, "free-format streams cannot be segmented: players reject them")
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
