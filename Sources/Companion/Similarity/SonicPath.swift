internal import Analyzer
internal import LibraryStore

/// A path of tracks from one sound to another in even steps.
package struct SonicPath {
    /// Number of candidates at each step.
    private static let candidateCount = 40
    /// Cost of two tracks of the same artist in a row, in units of a step's squared length.
    private static let artistCost: Float = 1

    private let library: SoundLibrary

    /// Creates a finder of paths.
    package init(_ library: SoundLibrary) { self.library = library }

    /// Returns a path with the similarity of each track to the first; nil if one of the two has no descriptor.
    /// - Parameter count: number of tracks including both ends, at least 2; fewer if the library has no more.
    package func tracks(from start: Int, to end: Int, count: Int) -> [FoundTrack]? {
        guard let start = library.row(ofTrack: start), let end = library.row(ofTrack: end) else { return nil }
        return rows(from: start, to: end, count: count).map { row in
            FoundTrack(
                id: library.tracks[row].id,
                similarity: row == start ? 1 : library.index.similarity(start, row))
        }
    }

    /// Returns the rows of a path.
    ///
    /// The tracks are close to evenly spaced points of the straight line between the two descriptors, and close to each other:
    /// the sequence with the least sum of squared distances to these points and between neighbours, found by dynamic
    /// programming. No audio occurs twice.
    private func rows(from start: Int, to end: Int, count: Int) -> [Int] {
        guard start != end, count > 2 else { return start == end ? [start] : [start, end] }
        let steps = candidates(from: start, to: end, count: count - 2).filter { !$0.isEmpty }
        var layers: [[Arrival]] = [[Arrival(row: start, cost: 0, previous: 0)]]
        for step in steps + [[Candidate(row: end, cost: 0)]] {
            layers.append(step.map { arrival(at: $0, after: layers[layers.count - 1]) })
        }
        return trace(layers)
    }

    private struct Candidate {
        let row: Int
        let cost: Float
    }

    private struct Arrival {
        let row: Int
        let cost: Float
        /// Position of the track before in its layer.
        let previous: Int
    }

    private func point(from start: Int, to end: Int, share: Float) -> [Float] {
        zip(library.index.values(of: start), library.index.values(of: end)).map { $0 + ($1 - $0) * share }
    }

    /// The tracks to choose from at each step, near evenly spaced points of the line. Those of different steps are distinct,
    /// so that none can occur twice: the closest pairs of a point and a track are assigned first.
    private func candidates(from start: Int, to end: Int, count: Int) -> [[Candidate]] {
        let ends: Set = [library.tracks[start].audioHash, library.tracks[end].audioHash]
        var pairs: [(step: Int, neighbour: SimilarityIndex.Neighbour)] = []
        let points = (0..<count).map { point(from: start, to: end, share: Float($0 + 1) / Float(count + 1)) }
        let found = library.index.nearest(toPoints: points, count: Self.candidateCount) {
            !ends.contains(library.tracks[$0].audioHash)
        }
        for (step, neighbours) in found.enumerated() { pairs += neighbours.map { (step, $0) } }
        pairs.sort { $0.neighbour.distance < $1.neighbour.distance }
        let limit = max(1, min(Self.candidateCount, (library.tracks.count - 2) / count))
        var assigned = ends
        var candidates = [[Candidate]](repeating: [], count: count)
        for (step, neighbour) in pairs where candidates[step].count < limit {
            guard assigned.insert(library.tracks[neighbour.row].audioHash).inserted else { continue }
            candidates[step].append(
                Candidate(row: neighbour.row, cost: neighbour.distance * neighbour.distance))
        }
        return candidates
    }

    private func arrival(at candidate: Candidate, after layer: [Arrival]) -> Arrival {
        var best = Arrival(row: candidate.row, cost: .infinity, previous: 0)
        for (place, before) in layer.enumerated() {
            let step = library.index.distance(before.row, candidate.row)
            var cost = before.cost + candidate.cost + step * step
            let artist = library.tracks[candidate.row].artistID
            if artist != nil, artist == library.tracks[before.row].artistID {
                cost += Self.artistCost * step * step
            }
            if cost < best.cost { best = Arrival(row: candidate.row, cost: cost, previous: place) }
        }
        return best
    }

    private func trace(_ layers: [[Arrival]]) -> [Int] {
        var rows: [Int] = []
        var place = 0
        for layer in layers.reversed() {
            rows.append(layer[place].row)
            place = layer[place].previous
        }
        return rows.reversed()
    }
}
