/// The time axis of a drawing: a track's whole length over a number of columns (pixels or cells).
struct TimeScale: Sendable {
    /// Length of the track in seconds, above 0.
    let durationSeconds: Double
    /// Columns, at least 1.
    let columnCount: Int

    /// Nil for a track without length.
    init?(durationSeconds: Double, columnCount: Int) {
        guard durationSeconds.isFinite, durationSeconds > 0, columnCount > 0 else { return nil }
        self.durationSeconds = durationSeconds
        self.columnCount = columnCount
    }

    /// Where a time lies, in columns from the left edge: 0 is the beginning, `columnCount` the end of the track. Times
    /// outside the track, which a damaged database may hold, lie at its ends.
    func position(of seconds: Double) -> Double {
        guard seconds.isFinite else { return 0 }
        return max(0, min(1, seconds / durationSeconds)) * Double(columnCount)
    }

    /// The column that holds a time.
    func column(of seconds: Double) -> Int { min(columnCount - 1, Int(position(of: seconds))) }

    /// The time at a column's left edge.
    func seconds(at column: Int) -> Double { durationSeconds * Double(column) / Double(columnCount) }

    /// For a series with a value at each `first + k / perSecond` seconds: the values that fall into a column, or the
    /// nearest one where none does.
    /// - Returns: a range that is never empty; nil where there are no values.
    func indices(inColumn column: Int, perSecond: Double, first: Double = 0, count: Int) -> Range<Int>? {
        guard count > 0, perSecond.isFinite, perSecond > 0 else { return nil }
        func clamped(_ value: Double) -> Int { Int(max(0, min(Double(count), value))) }
        let start = (seconds(at: column) - first) * perSecond
        let end = (seconds(at: column + 1) - first) * perSecond
        let range = clamped(start.rounded(.up))..<clamped(max(start, end).rounded(.up))
        if !range.isEmpty { return range }
        let nearest = min(count - 1, clamped(((start + end) / 2).rounded()))
        return nearest..<nearest + 1
    }

    /// A mark on the axis.
    struct Tick: Equatable {
        /// Its time.
        var seconds: Double
        /// The time as text.
        var label: String
    }

    /// Marks at round times, at most a number of them.
    func ticks(atMost count: Int) -> [Tick] {
        let step = Self.steps.first { durationSeconds / $0 < Double(max(1, count)) } ?? durationSeconds
        let decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
        return (0...Int(durationSeconds / step)).map {
            let seconds = Double($0) * step
            return Tick(seconds: seconds, label: NumberText.clock(seconds, decimals: decimals))
        }
    }

    private static let steps = [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
        1800, 3600,
        7200, 14_400, 28_800, 86_400, 604_800, 2_592_000,
    ]
}
