internal import MusicalStructure

/// The three bins to read for each band, and how to interpolate between them on the decibel scale.
///
/// Bands are adjacent in memory, so that their logarithms, the most expensive part, are computed four at a time.
struct BandReadings {
    /// Kinds of interpolation.
    enum Shape: Float {
        /// From the middle bin towards the right one.
        case line
        /// Along the parabola through all three.
        case parabola
        /// At the vertex of the parabola through all three.
        case vertex
    }

    private let bandCount: Int
    /// One row each for the left, middle and right bins, the distances from the middle bin (in bins), and the shapes.
    private var rows: [Float]
    /// Length of a row: all bands, padded to whole vectors.
    private let stride: Int

    /// Level in dB below which a bin counts as empty, so that the parabola stays well-behaved near spectral zeros.
    private static let emptyDB: Float = -120
    /// log₂ to decibels of power: 10·log₁₀ 2.
    private static let decibelsPerOctave: Float = 3.010_299_96
    /// Maximum rise of the window's main lobe between the bins.
    private static let lobeDB: Float = 1.42

    /// Creates readings; bands that are never set read as empty.
    init(bandCount: Int) {
        self.bandCount = bandCount
        stride = (bandCount + 3) / 4 * 4
        rows = [Float](repeating: 0, count: 5 * stride)
    }

    /// Sets the readings of a band: powers of the bins.
    @inline(__always)
    mutating func set(
        _ band: Int, _ shape: Shape, _ left: Float, _ middle: Float, _ right: Float, distance: Float
    ) {
        rows[band] = left
        rows[stride + band] = middle
        rows[2 * stride + band] = right
        rows[3 * stride + band] = distance
        rows[4 * stride + band] = shape.rawValue
    }

    /// Appends the level of each band, 0 for the floor and 255 for full scale.
    func appendLevels(to levels: inout [UInt8]) {
        rows.withUnsafeBytes { rows in
            for first in Swift.stride(from: 0, to: bandCount, by: 4) {
                let row = Self.levels(
                    left: load(rows, 0, first), middle: load(rows, 1, first), right: load(rows, 2, first),
                    distance: load(rows, 3, first), shape: load(rows, 4, first))
                for lane in 0..<min(4, bandCount - first) { levels.append(row[lane]) }
            }
        }
    }

    @inline(__always)
    private func load(_ rows: UnsafeRawBufferPointer, _ row: Int, _ band: Int) -> SIMD4<Float> {
        rows.loadUnaligned(fromByteOffset: (row &* stride &+ band) &* 4, as: SIMD4<Float>.self)
    }

    @inline(__always)
    private static func levels(
        left: SIMD4<Float>, middle: SIMD4<Float>, right: SIMD4<Float>, distance: SIMD4<Float>,
        shape: SIMD4<Float>
    ) -> SIMD4<UInt8> {
        let left = decibels(left)
        let middle = decibels(middle)
        let right = decibels(right)
        let slope = right - left
        let curvature = left - 2 * middle + right
        let parabola = (middle + distance * (slope / 2 + distance * (curvature / 2))).smaller(middle + lobeDB)
        // For a parabola that opens downwards; otherwise the middle bin.
        let bend = curvature.replacing(with: -.infinity, where: curvature .>= 0)
        let vertex = middle - slope * slope / (8 * bend)
        let line = middle + distance * (right - middle)
        let decibels = line.replacing(with: parabola, where: shape .== Shape.parabola.rawValue)
            .replacing(with: vertex, where: shape .== Shape.vertex.rawValue)
        let floor = Float(VisualizerSpectra.floorDB)
        let level = (decibels - floor) / -floor * 255
        return SIMD4<UInt8>(
            truncatingIfNeeded: level.smaller(SIMD4(repeating: 255)).larger(.zero).nearestIntegers)
    }

    @inline(__always)
    private static func decibels(_ power: SIMD4<Float>) -> SIMD4<Float> {
        (power.logarithm2 * decibelsPerOctave).replacing(with: emptyDB, where: power .<= 1e-12)
    }
}
