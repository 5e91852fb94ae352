import Foundation

/// Compares a chroma with the profiles of the 24 keys.
enum KeyProfile {
    /// Weights of the twelve degrees in major, starting from the tonic.
    ///
    /// Temperley, "The Cognition of Basic Musical Structures" (2001), as normalised by Gómez (2006).
    static let major = [0.748, 0.060, 0.488, 0.082, 0.670, 0.460, 0.096, 0.715, 0.104, 0.366, 0.057, 0.400]
    /// Weights of the twelve degrees in minor.
    static let minor = [0.712, 0.084, 0.474, 0.618, 0.049, 0.460, 0.105, 0.747, 0.404, 0.067, 0.133, 0.330]

    /// A key and its Pearson correlation with the chroma.
    struct Fit {
        let tonic: Int
        let mode: MusicalKey.Mode
        let correlation: Double
    }

    /// Returns all keys, best first (Krumhansl 1990, §4: the profile with the highest correlation).
    static func fits(_ chroma: [Double]) -> [Fit] {
        var fits: [Fit] = []
        for tonic in 0..<12 {
            let rotated = (0..<12).map { chroma[(tonic + $0) % 12] }
            fits.append(Fit(tonic: tonic, mode: .major, correlation: correlation(rotated, major)))
            fits.append(Fit(tonic: tonic, mode: .minor, correlation: correlation(rotated, minor)))
        }
        return fits.sorted { $0.correlation > $1.correlation }
    }

    private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
        let meanA = a.reduce(0, +) / Double(a.count)
        let meanB = b.reduce(0, +) / Double(b.count)
        var product = 0.0
        var squareA = 0.0
        var squareB = 0.0
        for (x, y) in zip(a, b) {
            product += (x - meanA) * (y - meanB)
            squareA += (x - meanA) * (x - meanA)
            squareB += (y - meanB) * (y - meanB)
        }
        let norm = (squareA * squareB).squareRoot()
        return norm > 0 ? product / norm : 0
    }
}
