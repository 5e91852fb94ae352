@testable import Analyzer

/// Rows of spectra, made up.
struct SonicRows {
    var rows: [[UInt8]] = []

    /// Appends rows with a level in all bands.
    func level(_ level: UInt8, _ count: Int) -> SonicRows {
        var result = self
        result.rows += Array(repeating: Array(repeating: level, count: 64), count: count)
        return result
    }

    /// Music-like rows in which levels, slopes and rhythm differ by row; some are silent.
    static let varied: SonicRows = {
        var result = SonicRows()
        for row in 0..<420 {
            let isSilent = row < 3 || (100..<115).contains(row) || (250..<300).contains(row) || row >= 415
            result.rows.append(
                (0..<64).map { band in
                    isSilent
                        ? 0 : UInt8((row * 7 + band * 3 + (row / 20) * (band * band % 11) * 5) % 200 + 40)
                })
        }
        return result
    }()

    var features: SonicFeatures {
        var features = SonicFeatures()
        for row in rows { row.withUnsafeBufferPointer { features.consume($0) } }
        return features
    }

    var character: SoundCharacter { SoundCharacter(features) }
}
