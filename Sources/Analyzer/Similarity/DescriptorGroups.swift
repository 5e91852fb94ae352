/// Descriptors in groups of 16, in each group coordinate by coordinate: one instruction compares a coordinate of several descriptors
/// with that of a point.
struct DescriptorGroups: Sendable {
    private static let dimension = SonicDescriptor.dimension
    /// Descriptors of a group.
    private static let size = 16
    /// Groups that are compared with all points of a search before the next ones: they stay in the processor's cache.
    private static let groupsAtOnce = 8
    /// Number of coordinates after which a group is given up if all of it is too far away already. Most groups are: the first
    /// coordinates of descriptors vary most.
    private static let firstCount = 16
    private static let restCount = dimension - firstCount

    /// Number of descriptors.
    private(set) var count = 0
    /// The first coordinates, apart from the others: a search reads little else. Lanes of the last group beyond the number of
    /// descriptors are 0.
    private var first: [SIMD16<Float>] = []
    private var rest: [SIMD16<Float>] = []

    /// Makes room for more descriptors.
    mutating func reserveCapacity(_ count: Int) {
        let groups = (count + Self.size - 1) / Self.size
        first.reserveCapacity(groups * Self.firstCount)
        rest.reserveCapacity(groups * Self.restCount)
    }

    /// Adds a descriptor.
    mutating func append(_ descriptor: SonicDescriptor) {
        let lane = count % Self.size
        if lane == 0 {
            first.append(contentsOf: repeatElement(.zero, count: Self.firstCount))
            rest.append(contentsOf: repeatElement(.zero, count: Self.restCount))
        }
        let (start, restStart) = (first.count - Self.firstCount, rest.count - Self.restCount)
        for column in 0..<Self.firstCount { first[start + column][lane] = descriptor[column] }
        for column in 0..<Self.restCount {
            rest[restStart + column][lane] = descriptor[Self.firstCount + column]
        }
        count += 1
    }

    /// The coordinates of a descriptor.
    subscript(row: Int) -> [Float] { (0..<Self.dimension).map { self[row, $0] } }

    private subscript(row: Int, column: Int) -> Float {
        let (group, lane) = (row / Self.size, row % Self.size)
        return column < Self.firstCount
            ? first[group * Self.firstCount + column][lane]
            : rest[group * Self.restCount + column - Self.firstCount][lane]
    }

    private var groupCount: Int { first.count / Self.firstCount }

    /// Returns the distance between two descriptors.
    func distance(_ one: Int, _ two: Int) -> Float {
        var square: Float = 0
        for column in 0..<Self.dimension {
            let difference = self[one, column] - self[two, column]
            square += difference * difference
        }
        return square.squareRoot()
    }

    /// Returns mean and variance of the distances of a point to all descriptors; nil without descriptors.
    func spread(of point: [Float]) -> (mean: Float, variance: Float)? {
        guard count > 0 else { return nil }
        var sums = SIMD16<Float>.zero
        var squareSums = SIMD16<Float>.zero
        for group in 0..<groupCount {
            guard var squares = squares(ofGroup: group, point, 0, limit: .infinity) else { continue }
            for lane in min(Self.size, count - group * Self.size)..<Self.size { squares[lane] = 0 }
            sums += squares.squareRoot()
            squareSums += squares
        }
        let mean = sums.sum() / Float(count)
        return (mean, max(0, squareSums.sum() / Float(count) - mean * mean))
    }

    /// Calls a body with the distance of each point to each descriptor, but for descriptors that are further away than the body last
    /// returned for the point.
    @inline(__always)
    func forEachDistance(
        toPoints points: [[Float]], _ body: (_ point: Int, _ row: Int, _ distance: Float) -> Float?
    ) {
        let coordinates = points.flatMap { $0 }
        var limits = [Float](repeating: .infinity, count: points.count)
        for first in stride(from: 0, to: groupCount, by: Self.groupsAtOnce) {
            for point in points.indices {
                for group in first..<min(first + Self.groupsAtOnce, groupCount) {
                    guard let squares = squares(ofGroup: group, coordinates, point, limit: limits[point])
                    else { continue }
                    let start = group * Self.size
                    for lane in 0..<min(Self.size, count - start) where squares[lane] <= limits[point] {
                        guard let radius = body(point, start + lane, squares[lane].squareRoot()) else {
                            continue
                        }
                        // A little more, since sums and roots are rounded.
                        limits[point] = max(0, radius) * max(0, radius) * 1.000_01
                    }
                }
            }
        }
    }

    /// Returns the squares of the distances of a point to a group; nil if all are above a limit.
    @inline(__always)
    private func squares(
        ofGroup group: Int, _ points: [Float], _ point: Int, limit: Float
    ) -> SIMD16<Float>? {
        points.withUnsafeBufferPointer { points in
            let start = point &* Self.dimension
            var squares = SIMD16<Float>.zero
            first.withUnsafeBufferPointer { first in
                for column in 0..<Self.firstCount {
                    let difference = first[group &* Self.firstCount &+ column] - points[start &+ column]
                    squares += difference * difference
                }
            }
            guard Self.smallestLane(squares) <= limit else { return nil }
            rest.withUnsafeBufferPointer { rest in
                for column in 0..<Self.restCount {
                    let difference =
                        rest[group &* Self.restCount &+ column] - points[start &+ Self.firstCount &+ column]
                    squares += difference * difference
                }
            }
            return Self.smallestLane(squares) <= limit ? squares : nil
        }
    }

    @inline(__always)
    private static func smallestLane(_ lanes: SIMD16<Float>) -> Float {
        lanes.lowHalf.lowHalf.smaller(lanes.lowHalf.highHalf)
            .smaller(lanes.highHalf.lowHalf.smaller(lanes.highHalf.highHalf)).smallestLane
    }
}
