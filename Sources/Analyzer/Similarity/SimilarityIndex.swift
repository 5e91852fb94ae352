import Foundation

/// Finds the tracks that sound most like one, exactly, among all tracks of a library.
///
/// Distances are corrected by mutual proximity (Schnitzer, Flexer, Schedl and Widmer, "Local and Global Scaling Reduce Hubs in
/// Space", JMLR 2012) under the assumption of independent normal distributions: the similarity of two tracks is the probability
/// that a random track is further from the one, times the probability that it is further from the other, than they are from each
/// other. Without it some tracks (hubs) would be close to everything. The means and deviations of each track's distances are
/// those to a sample of the library.
public struct SimilarityIndex: Sendable {
    /// A found track.
    public struct Neighbour: Sendable, Equatable {
        /// Its position in the index.
        public let row: Int
        /// Its distance in the space of the descriptors.
        public let distance: Float
        /// 1 for the same sound, towards 0 for the most different.
        public let similarity: Double

        /// Returns whether a track comes before another: the more similar one. Equal similarities are ordered by
        /// distance, then by row, so that lists do not depend on the order in which tracks were compared.
        public static func isCloser(_ one: Neighbour, _ other: Neighbour) -> Bool {
            if one.similarity != other.similarity { return one.similarity > other.similarity }
            if one.distance != other.distance { return one.distance < other.distance }
            return one.row < other.row
        }
    }

    /// Number of tracks.
    public var count: Int { means.count }

    /// Maximum number of tracks in the sample.
    static let sampleSize = 512
    private static let dimension = SonicDescriptor.dimension
    /// Smallest deviation of distances: for libraries of equal tracks.
    private static let leastDeviation: Float = 1e-3

    /// The descriptors, one after the other.
    private let matrix: [Float]
    /// Mean and reciprocal of the standard deviation of each track's distances to the sample.
    private let means: [Float]
    private let scales: [Float]
    private let sample: [Float]

    /// Creates an index.
    ///
    /// The sample of an earlier index is used again unless the library has grown or shrunk to a multiple; what is known of
    /// tracks that are in the earlier index is copied.
    /// - Parameters:
    ///   - descriptors: the tracks' descriptors; their order defines the rows.
    ///   - earlier: an index to take over from, and for each row its row there, if any.
    public init(
        _ descriptors: [SonicDescriptor], earlier: (index: SimilarityIndex, rows: [Int?])? = nil
    ) {
        var matrix: [Float] = []
        matrix.reserveCapacity(descriptors.count * Self.dimension)
        for descriptor in descriptors { matrix += descriptor.values }
        let reused = earlier.flatMap { Self.isRepresentative($0.index, descriptors.count) ? $0 : nil }
        let sample = reused?.index.sample ?? Self.makeSample(of: matrix, count: descriptors.count)
        var means: [Float] = []
        var scales: [Float] = []
        means.reserveCapacity(descriptors.count)
        scales.reserveCapacity(descriptors.count)
        for row in descriptors.indices {
            if let reused, let known = reused.rows[row] {
                means.append(reused.index.means[known])
                scales.append(reused.index.scales[known])
            } else {
                let spread = Self.spread(of: row, in: matrix, from: sample)
                means.append(spread.mean)
                scales.append(1 / spread.deviation)
            }
        }
        self.matrix = matrix
        self.sample = sample
        self.means = means
        self.scales = scales
    }

    private static func isRepresentative(_ earlier: SimilarityIndex, _ count: Int) -> Bool {
        earlier.sample.count >= min(count, sampleSize) * dimension && count <= 4 * earlier.count
            && earlier.count <= 4 * count
    }

    /// A sample spread evenly over the rows in a fixed pseudo-random order.
    private static func makeSample(of matrix: [Float], count: Int) -> [Float] {
        var random = RepeatableRandom(seed: 0x5EED)
        var rows = Array(0..<count)
        var sample: [Float] = []
        for place in 0..<min(count, sampleSize) {
            rows.swapAt(place, Int.random(in: place..<count, using: &random))
            sample += matrix[rows[place] * dimension..<(rows[place] + 1) * dimension]
        }
        return sample
    }

    private static func spread(
        of row: Int, in matrix: [Float], from sample: [Float]
    ) -> (mean: Float, deviation: Float) {
        let count = sample.count / dimension
        guard count > 0 else { return (0, 1) }
        var sum: Float = 0
        var squares: Float = 0
        matrix.withUnsafeBytes { matrix in
            sample.withUnsafeBytes { sample in
                for other in 0..<count {
                    let square = squaredDistance(matrix, row, sample, other)
                    sum += square.squareRoot()
                    squares += square
                }
            }
        }
        let mean = sum / Float(count)
        return (mean, max(leastDeviation, max(0, squares / Float(count) - mean * mean).squareRoot()))
    }

    @inline(__always)
    private static func squaredDistance(
        _ one: UnsafeRawBufferPointer, _ row: Int, _ two: UnsafeRawBufferPointer, _ other: Int
    ) -> Float {
        var first = SIMD4<Float>.zero
        var second = SIMD4<Float>.zero
        let start = row &* dimension &* 4
        let otherStart = other &* dimension &* 4
        var offset = 0
        while offset < dimension &* 4 {
            let difference =
                one.loadUnaligned(fromByteOffset: start &+ offset, as: SIMD4<Float>.self)
                - two.loadUnaligned(fromByteOffset: otherStart &+ offset, as: SIMD4<Float>.self)
            first += difference * difference
            let next =
                one.loadUnaligned(fromByteOffset: start &+ offset &+ 16, as: SIMD4<Float>.self)
                - two.loadUnaligned(fromByteOffset: otherStart &+ offset &+ 16, as: SIMD4<Float>.self)
            second += next * next
            offset &+= 32
        }
        let sum = first + second
        return (sum.x + sum.y) + (sum.z + sum.w)
    }

    /// Returns the descriptor of a row.
    public func values(of row: Int) -> ArraySlice<Float> {
        matrix[row * Self.dimension..<(row + 1) * Self.dimension]
    }

    /// Returns the distance between two rows.
    public func distance(_ one: Int, _ two: Int) -> Float {
        matrix.withUnsafeBytes { Self.squaredDistance($0, one, $0, two) }.squareRoot()
    }

    /// Returns the similarity of two rows, 0…1.
    public func similarity(_ one: Int, _ two: Int) -> Double {
        let distance = distance(one, two)
        return Self.share(above: (distance - means[one]) * scales[one])
            * Self.share(above: (distance - means[two]) * scales[two])
    }

    /// Returns the rows that sound most like a row, the most similar first.
    /// - Parameters:
    ///   - count: maximum number of results.
    ///   - isWanted: which rows to consider; called only for rows that are close enough. The row itself is never returned.
    public func neighbours(
        of row: Int, count: Int, where isWanted: (Int) -> Bool = { _ in true }
    ) -> [Neighbour] {
        mostSimilar(
            to: Point(values: Array(values(of: row)), mean: means[row], scale: scales[row]), count: count
        ) { $0 != row && isWanted($0) }
    }

    /// Returns the rows nearest to a point of the space by plain distance, the nearest first, each with a similarity of 0.
    /// - Parameter values: `SonicDescriptor.dimension` coordinates.
    public func nearest(
        toPoint values: [Float], count: Int, where isWanted: (Int) -> Bool = { _ in true }
    ) -> [Neighbour] {
        guard values.count == Self.dimension, count > 0 else { return [] }
        var best = BestNeighbours(limit: count)
        matrix.withUnsafeBytes { matrix in
            values.withUnsafeBytes { values in
                for row in 0..<self.count {
                    let distance = Self.squaredDistance(matrix, row, values, 0).squareRoot()
                    guard distance <= best.worst?.distance ?? .infinity, isWanted(row) else { continue }
                    best.insert(Neighbour(row: row, distance: distance, similarity: 0))
                }
            }
        }
        return best.sorted
    }

    private struct Point {
        let values: [Float]
        let mean: Float
        let scale: Float
    }

    private func mostSimilar(to point: Point, count: Int, where isWanted: (Int) -> Bool) -> [Neighbour] {
        var best = BestNeighbours(limit: count)
        guard count > 0 else { return [] }
        // A product of two probabilities is at most the smaller one. So a row can only be among the best if the larger of its
        // two standardised distances is below that which has the probability of the worst of them.
        var largest = Float.infinity
        matrix.withUnsafeBytes { matrix in
            point.values.withUnsafeBytes { values in
                for row in 0..<self.count {
                    let distance = Self.squaredDistance(matrix, row, values, 0).squareRoot()
                    let own = (distance - point.mean) * point.scale
                    let other = (distance - means[row]) * scales[row]
                    guard max(own, other) <= largest, isWanted(row) else { continue }
                    let similarity = Self.share(above: own) * Self.share(above: other)
                    let found = Neighbour(row: row, distance: distance, similarity: similarity)
                    if best.insert(found), let worst = best.worst {
                        largest = Self.limit(share: worst.similarity)
                    }
                }
            }
        }
        return best.sorted
    }

    /// Returns the share of a standard normal distribution above a value.
    static func share(above value: Float) -> Double { 0.5 * erfc(Double(value) / 2.0.squareRoot()) }

    /// Returns a value above which less than a share of a standard normal distribution lies, at most 0.01 too high.
    static func limit(share: Double) -> Float {
        guard share > 0 else { return .infinity }
        var low = -10.0
        var high = 40.0
        while high - low > 0.005 {
            let middle = (low + high) / 2
            if Self.share(above: Float(middle)) < share { high = middle } else { low = middle }
        }
        return Float(high)
    }
}
