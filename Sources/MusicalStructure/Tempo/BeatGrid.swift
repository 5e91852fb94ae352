/// Evenly spaced beats: beat k falls on `origin` + k · `period`, in the unit of the fitted times.
struct BeatGrid {
    private(set) var origin: Double
    private(set) var period: Double
    /// Number of parts of a beat on which the fitted times may fall; 1 if they are all beats.
    let parts: Int

    /// Number of neighbouring beats at which the fit starts.
    private static let seedLength = 16
    /// A beat further from the grid than this fraction of a part is an outlier.
    private static let outlier = 0.12

    /// Fits the grid that most beats lie on, by regression; returns nil for fewer than four beats.
    ///
    /// Starts with the sixteen consecutive beats that are most even, then repeatedly doubles the range and fits again, ignoring
    /// beats off the grid, so that a wrongly tracked passage does not distort it.
    ///
    /// - Parameters:
    ///   - times: times of the beats, ascending.
    ///   - weights: the weight of each beat.
    ///   - parts: number of parts of a beat to fit to. With 2, beats tracked halfway between the others fit as well.
    init?(times: [Double], weights: [Double], parts: Int = 1) {
        guard times.count >= 4 else { return nil }
        self.parts = parts
        let seedLength = min(Self.seedLength, times.count)
        var best: (line: Line, error: Double, start: Int)?
        for start in stride(from: 0, through: times.count - seedLength, by: max(1, seedLength / 4)) {
            let range = start..<start + seedLength
            let support = range.reduce(0) { $0 + weights[$1] }
            guard support > 0 else { continue }
            let line = Line(range.map { (Double($0 - start), times[$0], 1) })
            let error = range.reduce(0.0) { sum, i in
                let residual = times[i] - line.value(at: Double(i - start))
                return sum + residual * residual
            }
            if line.slope > 0, error / support < best?.error ?? .infinity {
                best = (line, error / support, start)
            }
        }
        guard let best else { return nil }
        origin = best.line.intercept
        period = best.line.slope
        var low = best.start
        var high = best.start + seedLength
        while true {
            let reach = high - low
            low = max(0, low - reach / 2)
            high = min(times.count, high + reach / 2)
            // Twice: the second pass includes beats that the first brought onto the grid.
            for _ in 0..<2 { fit(times[low..<high], weights[low..<high]) }
            if low == 0 && high == times.count { break }
        }
    }

    private mutating func fit(_ times: ArraySlice<Double>, _ weights: ArraySlice<Double>) {
        var points: [(Double, Double, Double)] = []
        for (time, weight) in zip(times, weights) {
            let position = nearest(time)
            let distance = abs(time - origin - position * period)
            if distance < Self.outlier * period / Double(parts) { points.append((position, time, weight)) }
        }
        let line = Line(points)
        guard line.slope > 0 else { return }
        origin = line.intercept
        period = line.slope
    }

    /// Returns the position nearest to a time, in beats: a multiple of 1/`parts`.
    private func nearest(_ time: Double) -> Double {
        ((time - origin) / period * Double(parts)).rounded() / Double(parts)
    }

    /// Returns the fraction of the beats' weight within a distance of the grid or its parts.
    func share(of times: [Double], weights: [Double], within distance: Double) -> Double {
        var inside = 0.0
        var total = 0.0
        for (time, weight) in zip(times, weights) {
            if abs(time - origin - nearest(time) * period) <= distance { inside += weight }
            total += weight
        }
        return total > 0 ? inside / total : 0
    }

    /// Returns the grid's beats in a time range.
    func beats(from start: Double, through end: Double) -> [Double] {
        let first = Int(((start - origin) / period).rounded(.up))
        let last = Int(((end - origin) / period).rounded(.down))
        guard first <= last else { return [] }
        return (first...last).map { origin + Double($0) * period }
    }
}

/// A weighted least-squares line.
struct Line {
    private(set) var intercept = 0.0
    private(set) var slope = 0.0

    init(_ points: [(x: Double, y: Double, weight: Double)]) {
        var weight = 0.0
        var x = 0.0
        var y = 0.0
        for point in points {
            weight += point.weight
            x += point.weight * point.x
            y += point.weight * point.y
        }
        guard weight > 0 else { return }
        x /= weight
        y /= weight
        var xx = 0.0
        var xy = 0.0
        for point in points {
            xx += point.weight * (point.x - x) * (point.x - x)
            xy += point.weight * (point.x - x) * (point.y - y)
        }
        guard xx > 0 else { return }
        slope = xy / xx
        intercept = y - slope * x
    }

    func value(at x: Double) -> Double { intercept + slope * x }
}
