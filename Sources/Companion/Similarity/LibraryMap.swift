internal import Analyzer
internal import Foundation
internal import LibraryStore

/// A layout of a library in two dimensions, in which tracks that sound alike are near each other.
///
/// A neighbour embedding in the manner of UMAP (McInnes, Healy and Melville 2018): each track is pulled towards its ten nearest
/// neighbours and pushed away from random others, starting from the two principal components. Of large libraries only a sample
/// is laid out so; the other tracks are placed between the nearest tracks of the sample. The same library has the same map.
package struct LibraryMap: Sendable, Equatable {
    /// A place on the map, 0…1 in both directions.
    package struct Place: Sendable, Equatable {
        package var x: Float
        package var y: Float
    }

    /// IDs of the tracks.
    package let trackIDs: [Int]
    /// The place of each track.
    package let places: [Place]
    /// The number of each track's group, 0 for the largest: its genre, or else its artist.
    package let groups: [Int32]

    /// Maximum number of tracks that are laid out by their neighbours.
    private static let landmarkLimit = 1500
    private static let neighbourCount = 10
    private static let epochs = 200
    /// Random tracks that push a track away for each neighbour that pulls it: UMAP's default.
    private static let repulsions = 5
    /// Tracks between which another one is placed.
    private static let anchorCount = 3
    /// Width of the first layout in units of the forces, which reach about one unit.
    private static let width: Float = 10
    /// Largest step of a single force.
    private static let largestStep: Float = 4
    /// Share of the tracks on either side that may lie on the edge, so that a few distant ones do not shrink the rest.
    private static let edgeShare = 0.005

    /// Lays out a library.
    /// - Parameter artistNames: returns the names of artists; groups of equal size are numbered by name.
    package init<Failure: Error>(
        _ library: SoundLibrary, artistNames: ([Int]) throws(Failure) -> [Int: String]
    ) throws(Failure) {
        trackIDs = library.tracks.map(\.id)
        let groups = SoundGroups(library.tracks)
        self.groups = groups.numbers(artistNames: try artistNames(groups.artistIDs))
        let count = trackIDs.count
        var random = RepeatableRandom(seed: 2)
        let landmarks =
            count <= Self.landmarkLimit
            ? Array(0..<count) : Array((0..<count).shuffled(using: &random).prefix(Self.landmarkLimit))
        let index =
            landmarks.count == count
            ? library.index : SimilarityIndex(landmarks.compactMap(library.index.descriptor(of:)))
        let layout = Self.embed(index)
        var places = [SIMD2<Float>](repeating: .zero, count: count)
        for (place, row) in landmarks.enumerated() { places[row] = layout[place] }
        for row in Set(0..<count).subtracting(landmarks) {
            places[row] = Self.between(library.index.values(of: row), index, layout)
        }
        self.places = Self.normalised(places)
    }

    private static func embed(_ index: SimilarityIndex) -> [SIMD2<Float>] {
        var places = principalComponents(index)
        guard index.count > 2 else { return places }
        let neighbours = (0..<index.count).map { row in
            index.neighbours(of: row, count: min(neighbourCount, index.count - 1)).map(\.row)
        }
        var random = RepeatableRandom(seed: 1)
        for epoch in 0..<epochs {
            let rate = 1 - Float(epoch) / Float(epochs)
            for row in neighbours.indices {
                for other in neighbours[row] {
                    let pull = attraction(places[row], places[other]) * rate
                    places[row] += pull
                    places[other] -= pull
                    for _ in 0..<repulsions {
                        let random = Int(random.next() % UInt64(index.count))
                        if random != row { places[row] += repulsion(places[row], places[random]) * rate }
                    }
                }
            }
        }
        return places
    }

    /// The gradient of the logarithm of 1/(1 + d²), the closeness on the map.
    private static func attraction(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> SIMD2<Float> {
        let difference = other - one
        let square = (difference * difference).sum()
        return limited(difference * (2 / (1 + square)))
    }

    /// The gradient of the logarithm of 1 − 1/(1 + d²).
    private static func repulsion(_ one: SIMD2<Float>, _ other: SIMD2<Float>) -> SIMD2<Float> {
        let difference = one - other
        let square = (difference * difference).sum()
        return limited(difference * (2 / ((0.001 + square) * (1 + square))))
    }

    private static func limited(_ step: SIMD2<Float>) -> SIMD2<Float> {
        step.clamped(
            lowerBound: SIMD2(repeating: -largestStep), upperBound: SIMD2(repeating: largestStep))
    }

    /// The coordinates along the two directions of the largest variance, found by power iteration.
    private static func principalComponents(_ index: SimilarityIndex) -> [SIMD2<Float>] {
        let dimension = SonicDescriptor.dimension
        var rows = (0..<index.count).map { index.values(of: $0) }
        guard !rows.isEmpty else { return [] }
        for column in 0..<dimension {
            let mean = rows.reduce(0) { $0 + $1[column] } / Float(rows.count)
            for row in rows.indices { rows[row][column] -= mean }
        }
        var places = [SIMD2<Float>](repeating: .zero, count: rows.count)
        for axis in 0..<2 {
            var direction = (0..<dimension).map { Float($0 % 7 + 1) }
            for _ in 0..<30 {
                var next = [Float](repeating: 0, count: dimension)
                for row in rows {
                    let share = zip(row, direction).reduce(0) { $0 + $1.0 * $1.1 }
                    for column in 0..<dimension { next[column] += share * row[column] }
                }
                let length = next.reduce(0) { $0 + $1 * $1 }.squareRoot()
                guard length > 0 else { break }
                direction = next.map { $0 / length }
            }
            for row in rows.indices {
                let share = zip(rows[row], direction).reduce(0) { $0 + $1.0 * $1.1 }
                places[row][axis] = share
                for column in 0..<dimension { rows[row][column] -= share * direction[column] }
            }
        }
        let largest = places.reduce(Float(0)) { max($0, abs($1.x), abs($1.y)) }
        return largest > 0 ? places.map { $0 * (width / 2 / largest) } : places
    }

    /// The mean of the places of the nearest landmarks, weighted by closeness.
    private static func between(
        _ point: [Float], _ index: SimilarityIndex, _ layout: [SIMD2<Float>]
    ) -> SIMD2<Float> {
        var sum = SIMD2<Float>.zero
        var weights: Float = 0
        for anchor in index.nearest(toPoints: [point], count: anchorCount)[0] {
            let weight = 1 / (anchor.distance + 1e-3)
            sum += layout[anchor.row] * weight
            weights += weight
        }
        return weights > 0 ? sum / weights : .zero
    }

    private static func normalised(_ places: [SIMD2<Float>]) -> [Place] {
        guard !places.isEmpty else { return [] }
        func range(_ axis: Int) -> (low: Float, high: Float) {
            let sorted = places.map { $0[axis] }.sorted()
            let edge = Int(Double(sorted.count - 1) * edgeShare)
            return (sorted[edge], sorted[sorted.count - 1 - edge])
        }
        let (x, y) = (range(0), range(1))
        func share(_ value: Float, _ range: (low: Float, high: Float)) -> Float {
            range.high > range.low ? min(1, max(0, (value - range.low) / (range.high - range.low))) : 0.5
        }
        return places.map { Place(x: share($0.x, x), y: share($0.y, y)) }
    }
}
