import Foundation

/// The arithmetic of ITU-R BS.1770-4 and EBU Tech 3342 on block energies.
public enum Loudness {
    /// Loudness in LUFS of a channel-weighted mean square: −0.691 + 10·log10(energy) (BS.1770-4, annex 1).
    public static func lufs(energy: Double) -> Double { -0.691 + 10 * log10(energy) }

    /// The energy whose loudness is given: the inverse of ``lufs(energy:)``.
    public static func energy(lufs: Double) -> Double { pow(10, (lufs + 0.691) / 10) }
}
