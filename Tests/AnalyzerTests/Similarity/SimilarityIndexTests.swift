import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// The search for similar tracks, compared with sorting all of them.
@Suite("Similarity index") struct SimilarityIndexTests {
    /// Descriptors whose coordinates are normally distributed, so that there are hubs.
    private static func descriptors(_ count: Int, seed: UInt64 = 1) -> [SonicDescriptor] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).compactMap { _ in
            SonicDescriptor(
                rounding: (0..<SonicDescriptor.dimension).map { _ in
                    let radius = (-2 * log(Double.random(in: 1e-12..<1, using: &random))).squareRoot()
                    return Float(radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random)))
                })
        }
    }

    /// The similarities by definition, in double precision, with the whole library as sample.
    private static func similarities(_ descriptors: [SonicDescriptor]) -> [[Double]] {
        func distance(_ one: SonicDescriptor, _ two: SonicDescriptor) -> Double {
            zip(one.values, two.values).reduce(0.0) {
                $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1)
            }.squareRoot()
        }
        let distances = descriptors.map { one in descriptors.map { distance(one, $0) } }
        let spreads = distances.map { row -> (mean: Double, deviation: Double) in
            let mean = row.reduce(0, +) / Double(row.count)
            let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(row.count)
            return (mean, variance.squareRoot())
        }
        func above(_ distance: Double, _ spread: (mean: Double, deviation: Double)) -> Double {
            0.5 * erfc((distance - spread.mean) / spread.deviation / 2.0.squareRoot())
        }
        return distances.indices.map { one in
            distances.indices.map { two in
                above(distances[one][two], spreads[one]) * above(distances[one][two], spreads[two])
            }
        }
    }

    @Test("The search finds what sorting all similarities finds", arguments: [1, 7, 50, 400, 1000])
    func exact(_ count: Int) {
        let descriptors = Self.descriptors(400)
        let index = SimilarityIndex(descriptors)
        let truth = Self.similarities(descriptors)
        for row in [0, 17, 399] {
            let found = index.neighbours(of: row, count: count)
            let expected = truth[row].indices.filter { $0 != row }.sorted { truth[row][$0] > truth[row][$1] }
                .prefix(count)
            #expect(found.count == expected.count)
            for (neighbour, other) in zip(found, expected) {
                // Single precision may swap neighbours that are equally similar.
                #expect(abs(truth[row][neighbour.row] - truth[row][other]) < 1e-5)
                #expect(abs(neighbour.similarity - truth[row][neighbour.row]) < 1e-4)
            }
        }
    }

    @Test("Conditions leave out rows without losing others")
    func conditions() {
        let index = SimilarityIndex(Self.descriptors(300))
        let all = index.neighbours(of: 5, count: 299)
        let odd = index.neighbours(of: 5, count: 40) { !$0.isMultiple(of: 2) }
        #expect(odd == Array(all.filter { !$0.row.isMultiple(of: 2) }.prefix(40)))
        #expect(index.neighbours(of: 5, count: 10) { _ in false }.isEmpty)
        #expect(index.neighbours(of: 5, count: 0).isEmpty)
    }

    @Test("A search for several rows finds what searches for each find")
    func several() {
        let descriptors = Self.descriptors(777)
        let index = SimilarityIndex(descriptors)
        let rows = [5, 776, 0, 5, 128, 127]
        let isWanted: (Int) -> Bool = { !$0.isMultiple(of: 3) }
        #expect(
            index.neighbours(ofRows: rows, count: 30, where: isWanted)
                == rows.map { index.neighbours(of: $0, count: 30, where: isWanted) })
        let points = rows.map { descriptors[$0].values.map { $0 * 0.5 } }
        let distances = points.map { point in
            descriptors.map { other in
                zip(point, other.values).reduce(0.0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) }
                    .squareRoot()
            }
        }
        let found = index.nearest(toPoints: points, count: 9)
        for (neighbours, truth) in zip(found, distances) {
            #expect(neighbours.count == 9)
            for (neighbour, distance) in zip(neighbours, truth.sorted()) {
                #expect(abs(Double(neighbour.distance) - distance) < 1e-4)
                #expect(abs(truth[neighbour.row] - distance) < 1e-4)
            }
        }
        #expect(
            index.neighbours(ofRows: [], count: 3).isEmpty && index.nearest(toPoints: [], count: 3).isEmpty)
        #expect(index.neighbours(ofRows: rows, count: 0) == rows.map { _ in [] })
    }

    @Test("The same sound has a similarity of almost 1 and comes first, in order of rows")
    func duplicates() throws {
        var descriptors = Self.descriptors(200)
        descriptors[150] = descriptors[3]
        descriptors[90] = descriptors[3]
        let index = SimilarityIndex(descriptors)
        let found = index.neighbours(of: 3, count: 3)
        #expect(found.map(\.row).prefix(2) == [90, 150])
        #expect(try #require(found.first).similarity > 0.999 && found[0].distance == 0)
        #expect(index.similarity(3, 90) > 0.999)
        #expect(index.nearest(toPoints: [descriptors[3].values], count: 3)[0].map(\.row) == [3, 90, 150])
    }

    @Test("An index of one or of equal tracks works")
    func degenerate() {
        #expect(SimilarityIndex([]).count == 0)
        #expect(SimilarityIndex(Self.descriptors(1)).neighbours(of: 0, count: 5).isEmpty)
        let equal = SimilarityIndex(Array(repeating: Self.descriptors(1)[0], count: 5))
        #expect(equal.neighbours(of: 2, count: 9).map(\.row) == [0, 1, 3, 4])
    }

    @Test("An index made from an earlier one finds the same")
    func incremental() {
        let first = Self.descriptors(900)
        let earlier = SimilarityIndex(first)
        // Removes some rows, moves others, and adds new ones.
        let kept = Array(100..<900)
        let updated = SimilarityIndex(
            kept.map { first[$0] } + Self.descriptors(50, seed: 2),
            earlier: (earlier, kept.map { $0 } + Array(repeating: nil, count: 50)))
        let removed = earlier.neighbours(of: 500, count: 30) { $0 >= 100 }
        let found = updated.neighbours(of: 400, count: 30) { $0 < 800 }
        #expect(found.map { $0.row + 100 } == removed.map(\.row))
        #expect(found.map(\.similarity) == removed.map(\.similarity))
    }

    @Test("Mutual proximity removes hubs")
    func hubs() {
        let descriptors = Self.descriptors(600)
        let index = SimilarityIndex(descriptors)
        func skewness(_ lists: [[Int]]) -> Double {
            var counts = [Double](repeating: 0, count: descriptors.count)
            for row in lists.joined() { counts[row] += 1 }
            let mean = counts.reduce(0, +) / Double(counts.count)
            let moments = (2...3).map { power in
                counts.reduce(0) { $0 + pow($1 - mean, Double(power)) } / Double(counts.count)
            }
            return moments[1] / pow(moments[0], 1.5)
        }
        let nearest = descriptors.indices.map { row in
            descriptors.indices.filter { $0 != row }.sorted {
                index.distance(row, $0) < index.distance(row, $1)
            }.prefix(10)
        }
        let mutual = descriptors.indices.map { index.neighbours(of: $0, count: 10).map(\.row) }
        let (before, after) = (skewness(nearest.map(Array.init)), skewness(mutual))
        #expect(before > 2 && after < 1.2, "\(before) \(after)")
    }

    @Test("The limit of a share is tight")
    func limits() {
        for value in stride(from: Float(-4), to: 6, by: 0.37) {
            let limit = SimilarityIndex.limit(share: SimilarityIndex.share(above: value))
            #expect(limit >= value && limit < value + 0.01)
        }
        #expect(SimilarityIndex.limit(share: 0) == .infinity)
    }
}
