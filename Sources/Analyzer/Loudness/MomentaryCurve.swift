/// Momentary loudness over a track, one byte every 100 ms: for display, and to plan transitions without the audio.
public struct MomentaryCurve: Sendable, Equatable {
    /// Interval between values in seconds.
    public static let hopSeconds = 0.1
    /// Time of the first value: the middle of the first 400 ms.
    public static let firstSeconds = 0.2

    /// Loudness in half LU below 0 LUFS: 0 is 0 LUFS or above, 46 is −23 LUFS, 255 is silence.
    public var values: [UInt8]

    /// Creates a curve from stored values.
    public init(values: [UInt8]) { self.values = values }

    /// Creates a curve from the energies of the 400 ms blocks starting at k · 0.1 s, for each k.
    init(energies: [Float]) {
        values = energies.map { energy in
            guard energy > 0 else { return 255 }
            return UInt8(max(0, min(255, (-2 * Loudness.lufs(energy: Double(energy))).rounded())))
        }
    }

    /// Returns the loudness of a value in LUFS, to half a LU; −127.5 for silence.
    public func lufs(at index: Int) -> Double { Double(values[index]) / -2 }
}
