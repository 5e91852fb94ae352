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
    /// Smallest deviation of distances: for libraries of equal tracks.
    private static let leastDeviation: Float = 1e-3

    private let descriptors: DescriptorGroups
    /// Mean and reciprocal of the standard deviation of each track's distances to the sample.
    private let means: [Float]
    private let scales: [Float]
    private let sample: DescriptorGroups

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
        var groups = DescriptorGroups()
        groups.reserveCapacity(descriptors.count)
        for descriptor in descriptors { groups.append(descriptor) }
        let reused = earlier.flatMap { Self.isRepresentative($0.index, descriptors.count) ? $0 : nil }
        let sample = reused?.index.sample ?? Self.makeSample(of: descriptors)
        var means: [Float] = []
        var scales: [Float] = []
        means.reserveCapacity(descriptors.count)
        scales.reserveCapacity(descriptors.count)
        for row in descriptors.indices {
            if let reused, let known = reused.rows[row] {
                means.append(reused.index.means[known])
                scales.append(reused.index.scales[known])
            } else {
                let spread = sample.spread(of: descriptors[row].values) ?? (0, 1)
                means.append(spread.mean)
                scales.append(1 / max(Self.leastDeviation, spread.variance.squareRoot()))
            }
        }
        self.descriptors = groups
        self.sample = sample
        self.means = means
        self.scales = scales
    }

    private static func isRepresentative(_ earlier: SimilarityIndex, _ count: Int) -> Bool {
        earlier.sample.count >= min(count, sampleSize) && count <= 4 * earlier.count
            && earlier.count <= 4 * count
    }

    /// A sample spread evenly over the rows in a fixed pseudo-random order.
    private static func makeSample(of descriptors: [SonicDescriptor]) -> DescriptorGroups {
        var random = RepeatableRandom(seed: 0x5EED)
        var rows = Array(descriptors.indices)
        var sample = DescriptorGroups()
        for place in 0..<min(descriptors.count, sampleSize) {
            rows.swapAt(place, Int.random(in: place..<descriptors.count, using: &random))
            sample.append(descriptors[rows[place]])
        }
        return sample
    }

    /// Returns the descriptor of a row.
    public func values(of row: Int) -> [Float] { descriptors[row] }

    /// Returns the distance between two rows.
    public func distance(_ one: Int, _ two: Int) -> Float { descriptors.distance(one, two) }

    /// Returns the similarity of two rows, 0…1.
    public func similarity(_ one: Int, _ two: Int) -> Double {
        let distance = distance(one, two)
        return Self.share(above: (distance - means[one]) * scales[one])
            * Self.share(above: (distance - means[two]) * scales[two])
    }

    /// Returns the descriptor of a row, as it was given.
    public func descriptor(of row: Int) -> SonicDescriptor? { SonicDescriptor(rounding: values(of: row)) }

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
        descriptors.forEachDistance(toPoints: rows.map { values(of: $0) }) { point, row, distance in
            let own = (distance - means[rows[point]]) * scales[rows[point]]
            let other = (distance - means[row]) * scales[row]
            guard max(own, other) <= largest[point], row != rows[point], isWanted(row) else { return nil }
            let similarity = Self.share(above: own) * Self.share(above: other)
            let found = Neighbour(row: row, distance: distance, similarity: similarity)
            guard best[point].insert(found), let worst = best[point].worst else { return nil }
            largest[point] = Self.limit(share: worst.similarity)
            return largest[point] / scales[rows[point]] + means[rows[point]]
        }
        return best.map(\.sorted)
    }

    /// Returns the rows nearest to points of the space by plain distance, the nearest first, each with a similarity of 0.
    /// - Parameter points: `SonicDescriptor.dimension` coordinates each.
    public func nearest(
        toPoints points: [[Float]], count: Int, where isWanted: (Int) -> Bool = { _ in true }
    ) -> [[Neighbour]] {
        guard points.allSatisfy({ $0.count == SonicDescriptor.dimension }), count > 0 else {
            return points.map { _ in [] }
        }
        var best = points.map { _ in BestNeighbours(limit: count) }
        var largest = points.map { _ in Float.infinity }
        descriptors.forEachDistance(toPoints: points) { point, row, distance in
            guard distance <= largest[point], isWanted(row) else { return nil }
            let found = Neighbour(row: row, distance: distance, similarity: 0)
            guard best[point].insert(found), let worst = best[point].worst else { return nil }
            largest[point] = worst.distance
            return worst.distance
        }
        return best.map(\.sorted)
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
