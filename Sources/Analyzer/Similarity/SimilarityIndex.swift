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

    /// Number of rows that are compared with all points of a search before the next ones: they stay in the processor's cache.
    private static let blockSize = 128

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
        for descriptor in descriptors { descriptor.append(to: &matrix) }
        let reused = earlier.flatMap { Self.isRepresentative($0.index, descriptors.count) ? $0 : nil }
        let sample = reused?.index.sample ?? Self.makeSample(of: matrix, count: descriptors.count)
        var means: [Float] = []
        var scales: [Float] = []
        means.reserveCapacity(descriptors.count)
        scales.reserveCapacity(descriptors.count)
        let columns = Self.columns(of: sample)
        for row in descriptors.indices {
            if let reused, let known = reused.rows[row] {
                means.append(reused.index.means[known])
                scales.append(reused.index.scales[known])
            } else {
                let spread = Self.spread(of: row, in: matrix, from: sample, columns)
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

    /// The coordinates of a sample by column, in groups of 16 tracks; without the rest that is no whole group.
    private static func columns(of sample: [Float]) -> [SIMD16<Float>] {
        let groups = sample.count / dimension / 16
        var columns = [SIMD16<Float>](repeating: .zero, count: groups * dimension)
        for group in 0..<groups {
            for lane in 0..<16 {
                for column in 0..<dimension {
                    columns[group * dimension + column][lane] =
                        sample[(group * 16 + lane) * dimension + column]
                }
            }
        }
        return columns
    }

    private static func spread(
        of row: Int, in matrix: [Float], from sample: [Float], _ columns: [SIMD16<Float>]
    ) -> (mean: Float, deviation: Float) {
        let count = sample.count / dimension
        guard count > 0 else { return (0, 1) }
        var sums = SIMD16<Float>.zero
        var squareSums = SIMD16<Float>.zero
        for start in stride(from: 0, to: columns.count, by: dimension) {
            var squares = SIMD16<Float>.zero
            for column in 0..<dimension {
                let difference = columns[start + column] - matrix[row * dimension + column]
                squares += difference * difference
            }
            sums += squares.squareRoot()
            squareSums += squares
        }
        var sum = sums.sum()
        var squares = squareSums.sum()
        matrix.withUnsafeBytes { matrix in
            sample.withUnsafeBytes { sample in
                for other in columns.count / dimension * 16..<count {
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

    /// Returns the descriptor of a row, as it was given.
    public func descriptor(of row: Int) -> SonicDescriptor? {
        SonicDescriptor(rounding: Array(values(of: row)))
    }

    /// Returns the rows that sound most like a row, the most similar first.
    /// - Parameters:
    ///   - count: maximum number of results.
    ///   - isWanted: which rows to consider; called only for rows that are close enough. The row itself is never returned.
    public func neighbours(
        of row: Int, count: Int, where isWanted: (Int) -> Bool = { _ in true }
    ) -> [Neighbour] {
        neighbours(ofRows: [row], count: count, where: isWanted)[0]
    }

    /// Returns the rows that sound most like each of some rows. Memory is read once for all of them, which takes most of the time in
    /// a large library.
    /// - Parameters:
    ///   - count: maximum number of results for each.
    ///   - isWanted: as for one row.
    public func neighbours(
        ofRows rows: [Int], count: Int, where isWanted: (Int) -> Bool = { _ in true }
    ) -> [[Neighbour]] {
        guard count > 0 else { return rows.map { _ in [] } }
        var best = rows.map { _ in BestNeighbours(limit: count) }
        // A product of two probabilities is at most the smaller one. So a row can only be among the best if the larger of its
        // two standardised distances is below that which has the probability of the worst of them.
        var largest = rows.map { _ in Float.infinity }
        forEachDistance(toPoints: rows.flatMap { values(of: $0) }) { point, row, distance in
            let own = (distance - means[rows[point]]) * scales[rows[point]]
            let other = (distance - means[row]) * scales[row]
            guard max(own, other) <= largest[point], row != rows[point], isWanted(row) else { return }
            let similarity = Self.share(above: own) * Self.share(above: other)
            let found = Neighbour(row: row, distance: distance, similarity: similarity)
            if best[point].insert(found), let worst = best[point].worst {
                largest[point] = Self.limit(share: worst.similarity)
            }
        }
        return best.map(\.sorted)
    }

    /// Returns the rows nearest to points of the space by plain distance, the nearest first, each with a similarity of 0.
    /// - Parameter points: `SonicDescriptor.dimension` coordinates each.
    public func nearest(
        toPoints points: [[Float]], count: Int, where isWanted: (Int) -> Bool = { _ in true }
    ) -> [[Neighbour]] {
        guard points.allSatisfy({ $0.count == Self.dimension }), count > 0 else {
            return points.map { _ in [] }
        }
        var best = points.map { _ in BestNeighbours(limit: count) }
        var largest = points.map { _ in Float.infinity }
        forEachDistance(toPoints: points.flatMap { $0 }) { point, row, distance in
            guard distance <= largest[point], isWanted(row) else { return }
            let found = Neighbour(row: row, distance: distance, similarity: 0)
            if best[point].insert(found), let worst = best[point].worst { largest[point] = worst.distance }
        }
        return best.map(\.sorted)
    }

    /// Calls a body with the distance of each point to each row.
    /// - Parameter points: the coordinates, one point after the other.
    @inline(__always)
    private func forEachDistance(
        toPoints points: [Float], _ body: (_ point: Int, _ row: Int, _ distance: Float) -> Void
    ) {
        let pointCount = points.count / Self.dimension
        matrix.withUnsafeBytes { matrix in
            points.withUnsafeBytes { points in
                for start in stride(from: 0, to: count, by: Self.blockSize) {
                    for point in 0..<pointCount {
                        for row in start..<min(start + Self.blockSize, count) {
                            body(point, row, Self.squaredDistance(matrix, row, points, point).squareRoot())
                        }
                    }
                }
            }
        }
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
