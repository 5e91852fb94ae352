internal import AudioFrames
internal import FragmentedMP4
internal import MPEGAudio
internal import MusicShared

/// The segments of a stream, whatever its format: what playlists state of them.
struct SegmentLayout: Sendable {
    /// A segment.
    struct Segment: Sendable {
        /// Zero-based index.
        let index: Int
        /// Number of its frames.
        let frameCount: Int
        /// Its bytes in the file: one range, or several if there is junk between frames.
        let byteRanges: [Range<Int>]
        /// Samples per channel.
        let sampleCount: Int
        /// Samples per second.
        let sampleRate: Int
        /// Whether the sample rate or number of channels changes here.
        let isDiscontinuity: Bool

        /// Total size of its frames in bytes.
        var byteCount: Int { byteRanges.reduce(0) { $0 + $1.count } }
        /// Duration in seconds.
        var durationSeconds: Double { Double(sampleCount) / Double(sampleRate) }
    }

    /// How the frames are packed.
    let container: SegmentContainer
    /// The codec of the frames, as playlists name it.
    let codec: String
    /// The segments in order.
    let segments: [Segment]

    /// Duration of all segments in seconds.
    var durationSeconds: Double { segments.reduce(0) { $0 + $1.durationSeconds } }

    init(_ plan: SegmentPlan) {
        container = .packedAudio
        codec = HLSManifestGenerator.mp3Codec
        segments = plan.segments.map { segment in
            Segment(
                index: segment.index, frameCount: segment.frameCount, byteRanges: segment.byteRanges,
                sampleCount: segment.sampleCount, sampleRate: segment.sampleRate,
                isDiscontinuity: segment.isDiscontinuity)
        }
    }

    /// - Parameter cut: the frames; nil for all.
    init(_ frames: FragmentedFrames, _ cut: Range<Int>?) {
        container = .fragmentedMP4
        codec = frames.entry.codec
        let (plan, sampleRate) = (frames.plan(of: cut), frames.sampleRate)
        segments = plan.segments.map { segment in
            Segment(
                index: segment.index, frameCount: segment.frames.count, byteRanges: segment.byteRanges,
                sampleCount: segment.sampleCount, sampleRate: sampleRate, isDiscontinuity: false)
        }
    }

    /// Largest and average bit rate of the segments in bits per second, with what surrounds the frames.
    /// - Parameter byteCount: size of a segment's frames; by default that in the file.
    func bitRates(
        _ byteCount: (Segment) -> Double = { Double($0.byteCount) }
    ) -> (largest: Int, average: Int) {
        let bits = segments.map { segment in
            8 * (byteCount(segment) + Double(container.overhead(frameCount: segment.frameCount)))
        }
        let largest = zip(segments, bits).map { $1 / $0.durationSeconds }.max() ?? 0
        let seconds = durationSeconds
        let average = seconds > 0 ? bits.reduce(0, +) / seconds : 0
        return (Int(largest.rounded(.up)), Int(average.rounded(.up)))
    }
}
