internal import MusicalStructure

/// How a track sounds, as a point in a space in which tracks that sound alike are close.
///
/// Three groups of statistics, of its spectra (timbre, fluctuations, onsets and dynamics; `SonicFeatures`), of its tones
/// (`KeyDetector.statistics`) and of its rhythm (`PulsePeriodicity.statistics`), are each reduced by a linear discriminant analysis,
/// trained to tell pieces of music apart whichever part of them is heard. The coordinates of the spectra have the unit of the average
/// deviation between two halves of one piece; those of tones and rhythm count about half as much. Distances are Euclidean;
/// ``SimilarityIndex`` corrects them for hubs.
public struct SonicDescriptor: Sendable, Equatable {
    /// Number of coordinates.
    public static let dimension = 48
    /// Version of the space: descriptors of different versions cannot be compared.
    public static let version: UInt8 = 2

    private static let unitsPerOne: Float = 1024

    /// The coordinates in units of 1/1024, in place: a library has a million of them.
    private let units: InlineArray<48, Int16>

    /// The coordinates: multiples of 1/1024 between −32 and 32.
    public var values: [Float] { units.indices.map { self[$0] } }

    /// Rounds coordinates to multiples of 1/1024.
    /// - Parameter values: ``dimension`` finite numbers; nil for any other number of them.
    public init?(rounding values: [Float]) {
        guard values.count == Self.dimension else { return nil }
        units = InlineArray { Self.units(values[$0]) }
    }

    /// Projects the statistics of a track. Unknown ones count as average.
    /// - Parameters:
    ///   - sound: the values of `SonicFeatures.vector`.
    ///   - tones: those of `KeyDetector.statistics`.
    ///   - rhythm: those of `PulsePeriodicity.statistics`.
    init?(sound: [Float], tones: [Float]?, rhythm: [Float]?) {
        let parts = [
            (sound, SonicFeatures.count), (tones, KeyDetector.statisticCount),
            (rhythm, PulsePeriodicity.statisticCount),
        ]
        var sums = [SIMD16<Float>](repeating: .zero, count: Self.dimension / 16)
        var start = 0
        for (values, count) in parts {
            defer { start += count }
            guard let values else { continue }
            guard values.count == count else { return nil }
            for (index, value) in zip(start..., values) {
                let standard = (value - SonicProjection.means[index]) * SonicProjection.scales[index]
                for block in sums.indices {
                    sums[block] += standard * SonicProjection.weights[index * sums.count + block]
                }
            }
        }
        self.init(rounding: sums.flatMap { sum in sum.indices.map { sum[$0] } })
    }

    private static func units(_ value: Float) -> Int16 {
        Int16(max(-32_767, min(32_767, (value.isFinite ? value * unitsPerOne : 0).rounded())))
    }

    /// The descriptor as bytes: the version, then each coordinate in units of 1/1024 as a 16-bit integer, low byte first.
    public var encoded: [UInt8] {
        [Self.version]
            + units.indices.flatMap { index -> [UInt8] in
                let bits = UInt16(bitPattern: units[index])
                return [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
            }
    }

    /// Reads encoded bytes; nil if they are not a descriptor of this version.
    public init?(encoded: [UInt8]) {
        guard encoded.count == 1 + 2 * Self.dimension, encoded[0] == Self.version else { return nil }
        units = InlineArray { index in
            Int16(bitPattern: UInt16(encoded[1 + 2 * index]) | UInt16(encoded[2 + 2 * index]) << 8)
        }
    }

    /// A coordinate.
    subscript(index: Int) -> Float { Float(units[index]) / Self.unitsPerOne }

    /// Whether all coordinates are equal.
    public static func == (one: SonicDescriptor, other: SonicDescriptor) -> Bool {
        one.units.indices.allSatisfy { one.units[$0] == other.units[$0] }
    }

    /// Returns the distance to another descriptor.
    public func distance(to other: SonicDescriptor) -> Float {
        var sum: Float = 0
        for (one, two) in zip(values, other.values) { sum += (one - two) * (one - two) }
        return sum.squareRoot()
    }
}
