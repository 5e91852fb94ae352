import Foundation

/// The arithmetic of ITU-R BS.1770-4 and EBU Tech 3342 on block energies.
public enum Loudness {
    /// The absolute gate in LUFS (BS.1770-4, annex 1).
    static let absoluteGateLUFS = -70.0
    /// The relative gate of the integrated loudness in LU (BS.1770-4, annex 1).
    static let integratedGateLU = -10.0
    /// The relative gate of the loudness range in LU (EBU Tech 3342, section 3).
    static let rangeGateLU = -20.0

    /// Loudness in LUFS of a channel-weighted mean square: −0.691 + 10·log10(energy) (BS.1770-4, annex 1).
    public static func lufs(energy: Double) -> Double { -0.691 + 10 * log10(energy) }

    /// Returns the energy of a loudness: the inverse of ``lufs(energy:)``.
    public static func energy(lufs: Double) -> Double { pow(10, (lufs + 0.691) / 10) }

    /// Returns the gated loudness of 400 ms blocks in LUFS; nil if no block exceeds the absolute gate.
    static func integrated(blockEnergies: [Float]) -> Double? {
        guard let relative = relativeGate(of: blockEnergies, below: integratedGateLU) else { return nil }
        return meanEnergy(of: blockEnergies, above: relative).map(lufs(energy:))
    }

    /// Returns the distance in LU between the 10th and the 95th percentile of the gated short-term blocks (EBU Tech 3342,
    /// section 3); 0 if no block exceeds the gates.
    static func range(shortTermEnergies: [Float]) -> Double {
        guard let relative = relativeGate(of: shortTermEnergies, below: rangeGateLU) else { return 0 }
        let gated = shortTermEnergies.filter { Double($0) >= relative }.sorted()
        guard let low = percentile(0.10, of: gated), let high = percentile(0.95, of: gated) else { return 0 }
        return lufs(energy: Double(high)) - lufs(energy: Double(low))
    }

    /// Returns the energy of the relative gate: the mean of all blocks above the absolute gate, lowered by the offset; nil
    /// without such blocks.
    private static func relativeGate(of energies: [Float], below offsetLU: Double) -> Double? {
        let absolute = energy(lufs: absoluteGateLUFS)
        guard let mean = meanEnergy(of: energies, above: absolute) else { return nil }
        return max(absolute, mean * pow(10, offsetLU / 10))
    }

    private static func meanEnergy(of energies: [Float], above gate: Double) -> Double? {
        var sum = 0.0
        var count = 0
        for energy in energies where Double(energy) >= gate {
            sum += Double(energy)
            count += 1
        }
        return count > 0 ? sum / Double(count) : nil
    }

    private static func percentile(_ fraction: Double, of sorted: [Float]) -> Float? {
        guard !sorted.isEmpty else { return nil }
        return sorted[Int((Double(sorted.count - 1) * fraction).rounded())]
    }
}
