package import Analyzer
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

    /// Creates a library.
    /// - Parameters:
    ///   - tracks: sorted by ID.
    ///   - descriptors: theirs, in the same order.
    ///   - earlier: an earlier state of it, whose index is reused.
    package init(_ tracks: [SoundingTrack], _ descriptors: [SonicDescriptor], earlier: SoundLibrary? = nil) {
        self.tracks = tracks
        let known = earlier.map { earlier in
            (
                earlier.index,
                zip(tracks, descriptors).map { track, descriptor -> Int? in
                    guard let row = earlier.row(ofTrack: track.id) else { return nil }
                    return earlier.index.descriptor(of: row) == descriptor ? row : nil
                }
            )
        }
        index = SimilarityIndex(descriptors, earlier: known)
    }

    /// Whether the library consists of these tracks with these descriptors.
    func isSame(_ tracks: [SoundingTrack], _ descriptors: [SonicDescriptor]) -> Bool {
        self.tracks == tracks
            && descriptors.indices.allSatisfy { index.descriptor(of: $0) == descriptors[$0] }
    }

    /// Returns the row of a track; nil if it has no descriptor.
    func row(ofTrack id: Int) -> Int? {
        var range = tracks.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if tracks[middle].id == id { return middle }
            range = tracks[middle].id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Whether a track has a descriptor.
    package func contains(_ id: Int) -> Bool { row(ofTrack: id) != nil }

    /// Returns the similarity of two tracks, 0…1; nil if one has no descriptor.
    package func similarity(_ one: Int, _ other: Int) -> Double? {
        guard let one = row(ofTrack: one), let other = row(ofTrack: other) else { return nil }
        return index.similarity(one, other)
    }

    /// Returns the tracks that sound most like some others, the most similar first.
    ///
    /// With several seeds, a track counts by the seed that it is most similar to. Seeds and copies of them are left out.
    /// - Parameters:
    ///   - seeds: IDs of tracks; those without a descriptor are ignored.
    ///   - otherArtists: whether to leave out the artists of the seeds.
    package func similar(to seeds: [Int], count: Int, otherArtists: Bool = false) -> [FoundTrack] {
        let seeds = seeds.compactMap(row(ofTrack:))
        let hashes = Set(seeds.map { tracks[$0].audioHash })
        let artists = otherArtists ? Set(seeds.compactMap { tracks[$0].artistID }) : []
        var best: [Int: SimilarityIndex.Neighbour] = [:]
        let found = index.neighbours(ofRows: seeds, count: count) { row in
            !hashes.contains(tracks[row].audioHash)
                && !(tracks[row].artistID.map(artists.contains) ?? false)
        }
        for neighbours in found {
            for neighbour in neighbours where neighbour.similarity > best[neighbour.row]?.similarity ?? -1 {
                best[neighbour.row] = neighbour
            }
        }
        let sorted = best.values.sorted(by: SimilarityIndex.Neighbour.isCloser)
        return sorted.prefix(count).map { FoundTrack(id: tracks[$0.row].id, similarity: $0.similarity) }
    }
}
