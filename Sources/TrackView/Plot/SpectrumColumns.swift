import Analyzer

/// The visualizer's matrix on the columns of a drawing.
struct SpectrumColumns {
    /// Bands.
    let bandCount: Int
    /// Mean level of each band in each column, 0…255, column by column.
    let levels: [Float]
    /// The level that is drawn darkest.
    let darkest: Float
    /// The level that is drawn brightest.
    let brightest: Float

    /// Decibels from the darkest to the brightest colour.
    static let rangeDB = 66.0
    /// The brightest colour never stands for less than this, so that the noise of a silent track stays dark.
    static let lowestBrightDB = -40.0

    private static let levelsPerDB = 255 / -VisualizerSpectra.floorDB

    /// Nil where there are no frames.
    init?(_ frames: VisualizerSpectra, scale: TimeScale) {
        let bandCount = frames.bandCount
        let frameCount = frames.frameCount
        guard bandCount > 0, frameCount > 0 else { return nil }
        var levels: [Float] = []
        levels.reserveCapacity(scale.columnCount * bandCount)
        var sums = [Int](repeating: 0, count: bandCount)
        for column in 0..<scale.columnCount {
            guard
                let rows = scale.indices(
                    inColumn: column, perSecond: Double(frames.framesPerSecond), count: frameCount)
            else { return nil }
            for band in 0..<bandCount { sums[band] = 0 }
            frames.levels.withUnsafeBufferPointer { source in
                sums.withUnsafeMutableBufferPointer { sums in
                    for row in rows {
                        let start = row * bandCount
                        for band in 0..<bandCount { sums[band] &+= Int(source[start + band]) }
                    }
                }
            }
            for sum in sums { levels.append(Float(sum) / Float(rows.count)) }
        }
        self.bandCount = bandCount
        self.levels = levels
        // The 99.5th percentile: a single click does not darken the rest.
        let sorted = levels.sorted()
        let top = Double(sorted[min(sorted.count - 1, sorted.count * 995 / 1000)])
        let lowest = (Self.lowestBrightDB - VisualizerSpectra.floorDB) * Self.levelsPerDB
        let brightest = min(255, max(lowest, top))
        self.brightest = Float(brightest)
        darkest = Float(max(0, brightest - Self.rangeDB * Self.levelsPerDB))
    }

    /// Level of a band in a column, 0…255.
    func level(column: Int, band: Int) -> Float { levels[column * bandCount + band] }

    /// How brightly a level is drawn, 0…1.
    func brightness(_ level: Float) -> Double {
        Double(max(0, min(1, (level - darkest) / (brightest - darkest))))
    }

    /// Decibels relative to a full-scale sine of a level.
    static func decibels(_ level: Float) -> Double { VisualizerSpectra.floorDB + Double(level) / levelsPerDB }
}
