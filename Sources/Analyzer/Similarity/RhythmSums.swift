import Foundation

/// Sums over the levels and rises of a track's rows.
struct RhythmSums {
    private var rowCount = 0
    private var levelSum = 0.0
    private var levelSquares = 0.0
    private var riseCount = 0
    private var riseSum = 0.0
    private var riseSquares = 0.0
    private var groupRises = SIMD8<Double>.zero
    private(set) var pulse = PulseClarity()

    /// Added before the logarithm of a group's rises, in dB per row.
    private static let floor = 0.1

    /// Adds a row.
    /// - Parameters:
    ///   - level: mean level of all bands in dB.
    ///   - rises: mean rise in dB since the row before, by group of bands; nil for the first row.
    mutating func add(level: Float, rises: SIMD8<Float>?) {
        rowCount += 1
        levelSum += Double(level)
        levelSquares += Double(level) * Double(level)
        guard let rises else { return }
        let rise = rises.sum() / Float(SonicFeatures.groupCount)
        riseCount += 1
        riseSum += Double(rise)
        riseSquares += Double(rise) * Double(rise)
        groupRises += SIMD8<Double>(rises)
        pulse.add(rise)
    }

    /// Mean rise of the bands in dB per row.
    var meanRise: Double { riseCount > 0 ? riseSum / Double(riseCount) : 0 }

    /// Mean and deviation of the rises, the logarithms of the groups' rises, the deviation of the level, and the level.
    /// - Parameter soundingLevel: mean level of the rows that are not silent, in dB.
    func vector(soundingLevel: Double) -> [Float] {
        let rises = Double(max(1, riseCount))
        let deviation = max(0, riseSquares / rises - meanRise * meanRise).squareRoot()
        let level = levelSum / Double(max(1, rowCount))
        let levelDeviation = max(0, levelSquares / Double(max(1, rowCount)) - level * level).squareRoot()
        let groups = (0..<SonicFeatures.groupCount).map { Float(log(groupRises[$0] / rises + Self.floor)) }
        return [Float(meanRise), Float(deviation)] + groups + [Float(levelDeviation), Float(soundingLevel)]
    }
}
