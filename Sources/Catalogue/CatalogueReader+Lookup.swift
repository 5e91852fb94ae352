package import MusicShared
internal import SQLiteDatabase

/// The tracks that a lookup asks for.
package struct TrackLookup: Sendable {
    /// Track ids.
    package var ids: [Int] = []
    /// Hashes of audio, of 16 bytes each.
    package var audioHashes: [[UInt8]] = []
    /// Paths relative to the music folder, as in the catalogue.
    package var relativePaths: [String] = []

    /// Asks for nothing.
    package init() {}

    /// The most tracks that are returned for one hash: silent files of any number may have the same audio.
    package static let mostCopies = 10
}

extension CatalogueReader {
    /// Returns the available tracks that a lookup asks for, each once: first by ids, then by hashes, then by paths, each in the
    /// order of the lookup. What does not exist is left out.
    package func tracks(_ lookup: TrackLookup) throws -> [TrackItem] {
        var ids = lookup.ids
        for hash in lookup.audioHashes {
            ids += try database.values(
                "SELECT id FROM tracks WHERE audio_hash = ? AND +unavailable_since_ms IS NULL ORDER BY id LIMIT ?",
                [hash, TrackLookup.mostCopies])
        }
        for path in lookup.relativePaths {
            ids += try database.values("SELECT id FROM tracks WHERE relative_path = ?", [path])
        }
        var known: Set<Int> = []
        return try tracks(ids: ids.filter { known.insert($0).inserted }).filter(\.isAvailable)
    }
}
