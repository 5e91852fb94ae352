/// Sums over the cepstral coefficients of a track's rows: means, deviations, mean changes and some covariances, the timbre
/// statistics of Pampalk, Flexer and Widmer (ISMIR 2005) with one Gaussian.
struct TimbreSums {
    /// Number of rows added.
    private(set) var rowCount = 0

    private var sum = SIMD16<Double>.zero
    private var squares = SIMD16<Double>.zero
    private var changes = SIMD16<Double>.zero
    /// Products of the first coefficients: lane `4·i + j` is coefficient i times coefficient j.
    private var products = SIMD16<Double>.zero

    // Sums of the last rows in single precision, which is faster.
    private static let blockRows = 64
    private var blockCount = 0
    private var blockSum = SIMD16<Float>.zero
    private var blockSquares = SIMD16<Float>.zero
    private var blockChanges = SIMD16<Float>.zero
    private var blockProducts = SIMD16<Float>.zero

    /// Adds a row.
    /// - Parameter previous: the coefficients of the row before; nil for the first.
    mutating func add(_ row: SIMD16<Float>, previous: SIMD16<Float>?) {
        rowCount += 1
        blockSum += row
        blockSquares += row * row
        if let previous {
            let change = row - previous
            blockChanges += change.replacing(with: -change, where: change .< 0)
        }
        let first = row.lowHalf.lowHalf
        blockProducts += SIMD16(
            lowHalf: SIMD8(lowHalf: first * first[0], highHalf: first * first[1]),
            highHalf: SIMD8(lowHalf: first * first[2], highHalf: first * first[3]))
        blockCount += 1
        if blockCount == Self.blockRows { endBlock() }
    }

    private mutating func endBlock() {
        sum += SIMD16<Double>(blockSum)
        squares += SIMD16<Double>(blockSquares)
        changes += SIMD16<Double>(blockChanges)
        products += SIMD16<Double>(blockProducts)
        blockCount = 0
        blockSum = .zero
        blockSquares = .zero
        blockChanges = .zero
        blockProducts = .zero
    }

    /// Means, standard deviations, mean absolute changes, and the covariances of the first coefficients divided by their
    /// deviations plus 1 dB.
    mutating func vector(covarying count: Int) -> [Float] {
        endBlock()
        let rows = Double(rowCount)
        let mean = sum / rows
        let variance = squares / rows - mean * mean
        let deviation = variance.replacing(with: 0, where: variance .< 0).squareRoot()
        let change = changes / max(1, rows - 1)
        var values: [Float] = []
        for part in [mean, deviation, change] { values += part.indices.map { Float(part[$0]) } }
        for first in 0..<count {
            for second in first + 1..<count {
                let covariance = products[4 * first + second] / rows - mean[first] * mean[second]
                values.append(Float(covariance / ((deviation[first] + 1) * (deviation[second] + 1))))
            }
        }
        return values
    }
}
