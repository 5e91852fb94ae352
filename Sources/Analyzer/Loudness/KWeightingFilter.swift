import Foundation

/// Coefficients of the K-weighting filter of ITU-R BS.1770-4, annex 1: a high shelf that models the head, then the RLB high-pass.
///
/// The standard specifies coefficients for 48 kHz; for other rates they are derived from the underlying analogue prototypes by
/// bilinear transform, as in libebur128.
struct KWeightingFilter: Sendable {
    /// A second-order section with its leading denominator coefficient normalised to 1.
    struct Section: Sendable {
        var b0, b1, b2, a1, a2: Double
    }

    let shelf: Section
    let highPass: Section

    init(sampleRate: Double) {
        shelf = Self.shelf(sampleRate: sampleRate)
        highPass = Self.highPass(sampleRate: sampleRate)
    }

    private static func shelf(sampleRate: Double) -> Section {
        let frequency = 1681.974450955533
        let gainDB = 3.999843853973347
        let quality = 0.7071752369554196
        let k = tan(.pi * frequency / sampleRate)
        let high = pow(10, gainDB / 20)
        let band = pow(high, 0.4996667741545416)
        let a0 = 1 + k / quality + k * k
        return Section(
            b0: (high + band * k / quality + k * k) / a0,
            b1: 2 * (k * k - high) / a0,
            b2: (high - band * k / quality + k * k) / a0,
            a1: 2 * (k * k - 1) / a0,
            a2: (1 - k / quality + k * k) / a0)
    }

    private static func highPass(sampleRate: Double) -> Section {
        let frequency = 38.13547087602444
        let quality = 0.5003270373238773
        let k = tan(.pi * frequency / sampleRate)
        let a0 = 1 + k / quality + k * k
        return Section(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / quality + k * k) / a0)
    }
}
