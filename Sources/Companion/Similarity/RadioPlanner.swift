internal import Analyzer
internal import Foundation
internal import LibraryStore
internal import MusicShared

/// An endless, varied queue of tracks that sound like some seeds.
///
/// Each track is chosen among those closest to one of the seeds, by its similarity, by how well it follows the track before,
/// and by chance. The same inputs yield the same tracks.
package struct RadioPlanner {
    /// Number of tracks to choose from at each step: a tenth of the library within these limits.
    private static let poolSizes = 12...60
    /// Weights of the logarithm of the similarity, and of a perfect transition.
    private static let similarityWeight = 2.0
    private static let transitionWeight = 1.5
    /// Amount of chance: the scale of a Gumbel distribution added to the scores.
    private static let chance = 0.5
    /// Number of tracks around a seed that are known beyond the pool, since some of them may not be chosen.
    private static let spareCount = 200
    /// Number of tracks that are not repeated, at most half of the library.
    package static let memory = 50

    private let library: SoundLibrary
    private let seeds: [Int]
    private let recent: Set<Int>

    /// - Parameters:
    ///   - seeds: the tracks to start from; the radio of one track begins with it.
    ///   - recent: tracks that the listener has heard recently, which are avoided.
    package init(_ library: SoundLibrary, seeds: [Int], recent: [Int] = []) {
        self.library = library
        self.seeds = seeds.compactMap { library.row(ofTrack: $0) }
        self.recent = Set(recent.compactMap { library.row(ofTrack: $0) })
    }

    /// Returns the next tracks.
    /// - Parameters:
    ///   - count: number of tracks; none if no seed has a descriptor.
    ///   - past: the tracks before, the latest last.
    ///   - position: number of tracks since the radio was started.
    ///   - seed: makes one radio different from another.
    package func next(_ count: Int, after past: [Int], position: Int, seed: UInt64) -> [Int] {
        guard !seeds.isEmpty else { return [] }
        var past = past.compactMap { library.row(ofTrack: $0) }
        var chosen: [Int] = []
        var turns = (0..<count).map { step -> Turn in
            var random = RepeatableRandom(seed: seed &+ UInt64(position + step) &* 0x9E37_79B9)
            return Turn(target: seeds[Int.random(in: 0..<seeds.count, using: &random)], random: random)
        }
        let surroundings = surroundings(of: Array(Set(turns.map(\.target))))
        for step in 0..<count {
            let isFirst = position + step == 0 && seeds.count == 1
            guard let row = isFirst ? seeds[0] : choose(for: &turns[step], among: surroundings, after: past)
            else { break }
            chosen.append(library.tracks[row].id)
            past.append(row)
        }
        return chosen
    }

    /// A track to choose.
    private struct Turn {
        /// The seed near which it is chosen.
        let target: Int
        var random: RepeatableRandom
    }

    /// Number of tracks to choose from.
    private var poolSize: Int {
        min(Self.poolSizes.upperBound, max(Self.poolSizes.lowerBound, library.tracks.count / 10))
    }

    /// The tracks closest to each of some seeds, more than a pool has. All seeds are searched for at once.
    private func surroundings(of targets: [Int]) -> [Int: [SimilarityIndex.Neighbour]] {
        let found = library.index.neighbours(ofRows: targets, count: poolSize + Self.spareCount)
        return Dictionary(uniqueKeysWithValues: zip(targets, found))
    }

    private func choose(
        for turn: inout Turn, among surroundings: [Int: [SimilarityIndex.Neighbour]], after past: [Int]
    ) -> Int? {
        let target = turn.target
        let remembered = past.suffix(min(Self.memory, library.tracks.count / 2))
        let heard = Set(remembered.map { library.tracks[$0].audioHash })
        let last = past.last.map { library.tracks[$0] }
        func isRepetition(_ row: Int) -> Bool { heard.contains(library.tracks[row].audioHash) }
        func isSameArtist(_ row: Int) -> Bool {
            guard let last, let artist = last.artistID else { return false }
            return library.tracks[row].artistID == artist
        }
        // From the strictest rule to none: a small library must repeat itself, and one artist's library that artist.
        let rules: [(Int) -> Bool] = [
            { !isRepetition($0) && !isSameArtist($0) && !recent.contains($0) },
            { !isRepetition($0) && !isSameArtist($0) },
            { !isSameArtist($0) && $0 != past.last },
            { !isRepetition($0) },
            { $0 != past.last },
            { _ in true },
        ]
        for isAllowed in rules {
            let pool = pool(around: target, surroundings[target] ?? [], isAllowed)
            if let row = pick(from: pool, after: last, &turn.random) { return row }
        }
        return nil
    }

    /// The closest rows that are allowed, and the seed itself.
    private func pool(
        around target: Int, _ surroundings: [SimilarityIndex.Neighbour], _ isAllowed: (Int) -> Bool
    ) -> [(row: Int, similarity: Double)] {
        var found = surroundings.filter { isAllowed($0.row) }
        // Those that are allowed may be further away.
        if found.count < poolSize, surroundings.count == poolSize + Self.spareCount {
            found = library.index.neighbours(of: target, count: poolSize, where: isAllowed)
        }
        found = Array(found.prefix(poolSize))
        return (isAllowed(target) ? [(target, 1)] : []) + found.map { ($0.row, $0.similarity) }
    }

    private func pick(
        from pool: [(row: Int, similarity: Double)], after last: SoundingTrack?,
        _ random: inout RepeatableRandom
    ) -> Int? {
        var best: (row: Int, score: Double)?
        for (row, similarity) in pool {
            var score = Self.similarityWeight * log(max(similarity, 1e-6))
            if let last {
                let transition = TransitionScore(last.mixable, library.tracks[row].mixable)
                score += Self.transitionWeight * transition.mean
            }
            // The largest of scores with Gumbel noise is drawn with probabilities proportional to their exponentials.
            let uniform = Double.random(in: 1e-9..<1, using: &random)
            score -= Self.chance * log(-log(uniform))
            if score > best?.score ?? -.infinity { best = (row, score) }
        }
        return best?.row
    }
}
