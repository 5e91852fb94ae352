internal import Analyzer
package import LibraryStore

/// A track that was found by its sound.
package struct FoundTrack: Sendable, Equatable {
    /// Track ID.
    package let id: Int
    /// 1 for the same sound, towards 0 for the most different.
    package let similarity: Double

    /// Memberwise initializer.
    package init(id: Int, similarity: Double) {
        self.id = id
        self.similarity = similarity
    }
}

/// All tracks of a library with a descriptor, at one moment, and the index of their sound.
package struct SoundLibrary: Sendable {
    /// The tracks, sorted by ID; their positions are the rows of ``index``.
    package let tracks: [SoundingTrack]
    /// The index of their descriptors.
    let index: SimilarityIndex
    private let rows: [Int: Int]

    /// Creates a library.
    /// - Parameter earlier: an earlier state of it, whose index is reused.
    package init(_ tracks: [SoundingTrack], earlier: SoundLibrary? = nil) {
        self.tracks = tracks
        rows = Dictionary(tracks.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let known = earlier.map { earlier in
            (
                earlier.index,
                tracks.map { track -> Int? in
                    guard let row = earlier.rows[track.id] else { return nil }
                    return earlier.tracks[row].descriptor == track.descriptor ? row : nil
                }
            )
        }
        index = SimilarityIndex(tracks.map(\.descriptor), earlier: known)
    }

    /// Returns the row of a track; nil if it has no descriptor.
    func row(ofTrack id: Int) -> Int? { rows[id] }

    /// Whether a track has a descriptor.
    package func contains(_ id: Int) -> Bool { rows[id] != nil }

    /// Returns the similarity of two tracks, 0…1; nil if one has no descriptor.
    package func similarity(_ one: Int, _ other: Int) -> Double? {
        guard let one = rows[one], let other = rows[other] else { return nil }
        return index.similarity(one, other)
    }

    /// Returns the tracks that sound most like some others, the most similar first.
    ///
    /// With several seeds, a track counts by the seed that it is most similar to. Seeds and copies of them are left out.
    /// - Parameters:
    ///   - seeds: IDs of tracks; those without a descriptor are ignored.
    ///   - otherArtists: whether to leave out the artists of the seeds.
    package func similar(to seeds: [Int], count: Int, otherArtists: Bool = false) -> [FoundTrack] {
        let seeds = seeds.compactMap { rows[$0] }
        let hashes = Set(seeds.map { tracks[$0].audioHash })
        let artists = otherArtists ? Set(seeds.compactMap { tracks[$0].artistID }) : []
        var best: [Int: SimilarityIndex.Neighbour] = [:]
        for seed in seeds {
            let found = index.neighbours(of: seed, count: count) { row in
                !hashes.contains(tracks[row].audioHash)
                    && !(tracks[row].artistID.map(artists.contains) ?? false)
            }
            for neighbour in found where neighbour.similarity > best[neighbour.row]?.similarity ?? -1 {
                best[neighbour.row] = neighbour
            }
        }
        let sorted = best.values.sorted(by: SimilarityIndex.Neighbour.isCloser)
        return sorted.prefix(count).map { FoundTrack(id: tracks[$0.row].id, similarity: $0.similarity) }
    }
}
