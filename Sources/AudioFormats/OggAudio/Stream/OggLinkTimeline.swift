/// The exact length of a link, from the durations of its packets and the granule positions of its pages.
///
/// The samples are those of the packets that are present; granule positions only say how many to drop at the ends. At a granule
/// position above the samples so far, the stream was cut from a longer one, which does not change its length.
struct OggLinkTimeline {
    /// Larger and negative positions are invalid.
    static let validGranules: ClosedRange<Int64> = 0...1 << 56

    private let codec: OggCodec
    /// Samples that decoding all packets gives.
    private(set) var decodedSamples = 0
    /// Samples to drop at the start.
    private(set) var skippedSamples: Int
    /// Samples to drop at the end.
    private(set) var trimmedSamples = 0
    /// The position at which the link starts: above 0 if it was cut from a longer one.
    private(set) var startPosition = 0
    /// The position at the last page that states one.
    private var granule: Int64?
    /// Samples since then.
    private var pending = 0
    /// Whether pages are missing since then.
    private var hasGap = false

    init(codec: OggCodec, skippedSamples: Int) {
        self.codec = codec
        self.skippedSamples = skippedSamples
    }

    /// Samples that a gapless player plays.
    var sampleCount: Int { max(0, decodedSamples - skippedSamples - trimmedSamples) }

    /// Samples to drop at the start, of those that there are.
    var availableSkip: Int { min(skippedSamples, decodedSamples) }

    /// Takes a packet.
    mutating func add(duration: Int) {
        decodedSamples += duration
        pending += duration
    }

    /// Notes that pages are missing.
    mutating func noteGap() { hasGap = true }

    /// Continues behind a page with a position, after a jump.
    mutating func resume(at position: Int64) {
        granule = position
        pending = 0
        hasGap = false
    }

    /// Takes the position at the end of a page.
    mutating func settle(_ position: Int64?, isLast: Bool) {
        guard let position, Self.validGranules.contains(position) else { return }
        defer {
            granule = position
            pending = 0
            hasGap = false
        }
        // Behind a gap, the samples do not lead to the position.
        guard !hasGap else { return }
        guard let granule else { return settleFirst(Int(position), isLast: isLast) }
        let added = Int(position - granule)
        if isLast, added >= 0, added < pending { trimmedSamples = pending - added }
    }

    private mutating func settleFirst(_ position: Int, isLast: Bool) {
        startPosition = max(0, position - pending)
        guard position < pending else { return }
        if isLast {
            trimmedSamples = pending - position
        } else if codec == .vorbis {
            // Vorbis I §A.2: the samples before position 0 are dropped. In Opus, this is the pre-skip's task.
            skippedSamples = pending - position
        }
    }
}
