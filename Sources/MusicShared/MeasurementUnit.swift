/// A unit, and the number of decimals in reports: finer than the measurement is accurate.
package enum MeasurementUnit: String, Sendable {
    /// A time or duration in seconds.
    case seconds = "s"
    /// A length in seconds that is exact, and not rounded.
    case exactSeconds = "exact s"
    case lufs = "LUFS"
    case lu = "LU"
    case dBFS
    case dBTP
    case dB
    case bpm = "BPM"
    case cents
    case hertz = "Hz"
    /// A confidence or probability, 0 to 1.
    case share = ""

    /// Decimals in reports; nil for exact values.
    package var decimals: Int? {
        switch self {
        case .seconds, .bpm, .share: 3
        case .lufs, .lu, .dBFS, .dBTP, .dB: 2
        case .cents, .hertz: 1
        case .exactSeconds: nil
        }
    }
}

extension Double {
    /// The number, rounded as in reports.
    package func rounded(in unit: MeasurementUnit) -> Double {
        switch unit.decimals {
        case 1: rounded(to: 10)
        case 2: rounded(to: 100)
        case 3: rounded(to: 1000)
        default: self
        }
    }
}
