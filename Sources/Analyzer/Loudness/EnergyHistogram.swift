import Foundation

/// Mean-square energies of loudness blocks, pooled in bins of 0.1 LU from −70 LUFS to +30 LUFS.
///
/// Each bin stores the number of its blocks and the sum of their energies, so the mean over whole bins is exact; only blocks
/// within 0.1 LU of a relative gate can be on the wrong side of it. Blocks at or below the absolute gate of −70 LUFS (ITU-R
/// BS.1770-4, annex 1) are ignored. The histograms of several tracks add up to that of their album.
public struct EnergyHistogram: Sendable, Equatable {
    static let binCount = 1000
    static let lowestLUFS = -70.0
    static let binsPerLU = 10.0

    private var counts: [UInt32]
    private var sums: [Double]

    /// Creates an empty histogram.
    public init() {
        counts = [UInt32](repeating: 0, count: Self.binCount)
        sums = [Double](repeating: 0, count: Self.binCount)
    }

    /// Number of blocks above the absolute gate.
    public var blockCount: Int { counts.reduce(0) { $0 + Int($1) } }

    /// Adds one block.
    /// - Parameter energy: the channel-weighted, K-weighted mean square Σ G·z of the block.
    public mutating func add(energy: Double) {
        let loudness = Loudness.lufs(energy: energy)
        guard loudness > Self.lowestLUFS, loudness.isFinite else { return }
        let bin = min(Self.binCount - 1, Int((loudness - Self.lowestLUFS) * Self.binsPerLU))
        counts[bin] &+= 1
        sums[bin] += energy
    }

    /// Adds all blocks of another histogram.
    public mutating func merge(_ other: EnergyHistogram) {
        for bin in 0..<Self.binCount {
            counts[bin] &+= other.counts[bin]
            sums[bin] += other.sums[bin]
        }
    }

    /// Non-empty bins in ascending order of loudness.
    var occupiedBins: [(meanEnergy: Double, count: Int, sum: Double)] {
        (0..<Self.binCount).compactMap { bin in
            counts[bin] == 0 ? nil : (sums[bin] / Double(counts[bin]), Int(counts[bin]), sums[bin])
        }
    }
}

extension EnergyHistogram {
    /// The serialised histogram, little-endian: version byte 1, then for each non-empty bin its index (UInt16), count (UInt32)
    /// and sum of energies (Float64).
    public var encoded: [UInt8] {
        var bytes: [UInt8] = [1]
        for bin in 0..<Self.binCount where counts[bin] > 0 {
            withUnsafeBytes(of: UInt16(bin).littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: counts[bin].littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: sums[bin].bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Parses a serialised histogram; returns nil if the format is invalid.
    public init?(encoded bytes: [UInt8]) {
        let entry = 14
        guard bytes.first == 1, (bytes.count - 1) % entry == 0 else { return nil }
        self.init()
        for start in stride(from: 1, to: bytes.count, by: entry) {
            func integer(_ offset: Int, _ length: Int) -> UInt64 {
                (0..<length).reduce(0) { $0 | UInt64(bytes[start + offset + $1]) << (8 * UInt64($1)) }
            }
            let bin = Int(integer(0, 2))
            let sum = Double(bitPattern: integer(6, 8))
            guard bin < Self.binCount, sum.isFinite, sum > 0 else { return nil }
            counts[bin] = UInt32(integer(2, 4))
            sums[bin] = sum
        }
    }
}
