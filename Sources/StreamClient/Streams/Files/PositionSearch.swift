/// A search for a sample in a file whose bytes state their position here and there: by interpolation between the places before and
/// after it that are known, until one is close enough to be read from.
struct PositionSearch {
    /// An offset in the file, and the sample there.
    struct Place {
        var offset: Int
        var sample: Int
    }

    /// Seconds before a position that are rather read than sought again.
    static let nearSeconds = 3.0
    /// Number of attempts to come near a position.
    private static let mostJumps = 12
    /// Bytes before an estimated offset that are read, too: more than most frames and pages.
    private static let margin = 1 << 15

    private let sample: Int
    private var low: Place
    private var high: Place
    /// Offset at which reading continues.
    private(set) var origin = 0
    /// Number of offsets that were tried.
    private(set) var jumps = 0
    /// Whether reading from ``origin`` leads to the position.
    private(set) var isOver = false

    /// Starts a search: ``origin`` is the first offset to try.
    /// - Parameters:
    ///   - sample: the sample that is sought.
    ///   - low: a place before it.
    ///   - high: a place after it.
    init(for sample: Int, from low: Place, to high: Place) {
        self.sample = sample
        self.low = low
        self.high = high
        jump()
    }

    /// Chooses the next offset: an estimate, or the place before the position once that is close.
    private mutating func jump() {
        jumps += 1
        let span = Double(high.offset - low.offset)
        let share = Double(sample - low.sample) / Double(max(1, high.sample - low.sample))
        let estimate = low.offset + Int(span * min(1, max(0, share))) - Self.margin
        isOver = estimate <= low.offset + Self.margin || jumps >= Self.mostJumps
        origin = isOver ? low.offset : estimate
    }

    /// Examines where reading from ``origin`` led: ends the search if that is close before the position, otherwise chooses another
    /// offset.
    /// - Parameters:
    ///   - place: the first place that states its position.
    ///   - near: number of samples before the position that are rather read than sought again.
    /// - Returns: whether reading continues at another offset.
    mutating func landed(at place: Place, near: Int) -> Bool {
        if place.sample > sample {
            // The place may be far behind where reading started.
            high = Place(offset: origin, sample: place.sample)
        } else if place.sample + near < sample {
            low = place
        } else {
            isOver = true
            return false
        }
        jump()
        return true
    }

    /// Chooses another offset after reading from ``origin`` has met no place up to the end of the file.
    mutating func reachedEnd() {
        high.offset = origin
        jump()
    }
}
