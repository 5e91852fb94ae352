internal import Foundation

/// How steep the fades of two tracks must be, so that their peaks together never pass full scale.
///
/// With peaks *a* and *b* and fades cosᵖ and sinᵖ, the largest sum is the norm (aˢ + bˢ)^(1/s) with s = 2 / (2 − p), by Hölder's
/// inequality: the Euclidean norm for p = 1, whose powers add up to 1, and the larger peak for p = 2, whose amplitudes do. Two peaks of
/// −1 dBTP need p = 1.67; two equal, unrelated tracks are then 2 dB quieter where they cross.
struct PeakExponent {
    /// The power of the fades, 1…2.
    let value: Double
    /// Upper bound of the peak of both tracks, in dBTP.
    let peakDBTP: Double

    /// The norm's order above which the power is taken for 2.
    private static let highestOrder = 128.0

    /// Finds the least power for two peaks in dBTP, neither of which is above 0.
    init(_ one: Double, _ next: Double) {
        let (a, b) = (amplitude(one), amplitude(next))
        let norm = { (order: Double) in pow(pow(a, order) + pow(b, order), 1 / order) }
        guard norm(2) > 1 else {
            value = 1
            peakDBTP = decibels(norm(2))
            return
        }
        guard norm(Self.highestOrder) <= 1 else {
            value = 2
            peakDBTP = decibels(max(a, b))
            return
        }
        // The norm falls with the order.
        var (low, high) = (2.0, Self.highestOrder)
        for _ in 0..<48 {
            let middle = (low + high) / 2
            if norm(middle) > 1 { low = middle } else { high = middle }
        }
        value = 2 - 2 / high
        peakDBTP = decibels(norm(high))
    }
}
