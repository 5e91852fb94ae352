internal import MusicalStructure
package import Analyzer
package import Catalogue
internal import Foundation
package import MusicShared
internal import SQLiteDatabase

/// The values of a track that similar tracks, radio and paths are chosen by.
package struct SoundingTrack: Sendable, Equatable {
    /// Track ID.
    package let id: Int
    /// Identity of the audio: copies of a track have the same.
    package let audioHash: AudioHash
    package let artistID: Int?
    package let albumID: Int?
    package let genre: String?
    /// Tempo, keys, level and energy, which decide how well it follows another track.
    package let mixable: MixOrder.Track

    /// Memberwise initializer.
    package init(
        id: Int, audioHash: AudioHash, artistID: Int?, albumID: Int?, genre: String?,
        mixable: MixOrder.Track
    ) {
        self.id = id
        self.audioHash = audioHash
        self.artistID = artistID
        self.albumID = albumID
        self.genre = genre
        self.mixable = mixable
    }
}

extension CatalogueReader {
    /// Returns all available tracks that have a descriptor of the current version, sorted by ID, and their descriptors.
    package func soundingTracks() throws -> (tracks: [SoundingTrack], descriptors: [SonicDescriptor]) {
        var tracks: [SoundingTrack] = []
        var descriptors: [SonicDescriptor] = []
        // Tracks of one genre share its name in memory.
        var genres: [String: String] = [:]
        // In the order of the rows: by an index, SQLite would read the pages of a large library many times.
        try database.forEach(
            """
            SELECT \(Self.mixableColumns), tracks.audio_hash, tracks.artist_id, tracks.album_id, tracks.genre,
                analyses.descriptor
            FROM tracks NOT INDEXED CROSS JOIN analyses ON analyses.audio_hash = tracks.audio_hash
            WHERE tracks.unavailable_since_ms IS NULL AND analyses.descriptor IS NOT NULL ORDER BY tracks.id
            """
        ) { row in
            guard let descriptor = SonicDescriptor(encoded: try row["descriptor"]) else { return }
            let genre: String? = try row["genre"]
            descriptors.append(descriptor)
            tracks.append(
                SoundingTrack(
                    id: try row["id"], audioHash: try TrackRow.hash(row["audio_hash"]),
                    artistID: try row["artist_id"], albumID: try row["album_id"],
                    genre: genre.map { genre in
                        let known = genres[genre] ?? genre
                        genres[genre] = known
                        return known
                    },
                    mixable: try Self.mixable(row)))
        }
        return (tracks, descriptors)
    }

    /// Returns what the places of some tracks in a mix depend on, by ID. Tracks that have not been analysed have nothing but their
    /// ID; tracks that do not exist are left out.
    package func mixableTracks(ids: [Int]) throws -> [Int: MixOrder.Track] {
        let found = try database.fetchAll(
            """
            SELECT \(Self.mixableColumns) FROM tracks LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
            WHERE tracks.id IN (SELECT value FROM json_each(?))
            """, [NumberList(ids)]
        ) { try Self.mixable($0) }
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }

    /// The columns that ``mixable(_:)`` reads.
    private static let mixableColumns = """
        tracks.id, analyses.bpm, analyses.key_tonic, analyses.key_mode, analyses.key_sections,
        analyses.integrated_lufs, analyses.energy
        """

    private static func mixable(_ row: borrowing Row) throws -> MixOrder.Track {
        let sections: [UInt8]? = try row["key_sections"]
        let keys = EndKeys(
            whole: try musicalKey(row), sections: sections.flatMap(KeySectionCoding.decode) ?? [])
        return MixOrder.Track(
            id: try row["id"], bpm: try row["bpm"], key: keys.start.flatMap { CamelotKey($0.camelot) },
            endKey: keys.end.flatMap { CamelotKey($0.camelot) }, integratedLUFS: try row["integrated_lufs"],
            energy: try row["energy"])
    }

    /// Returns the key of a whole track, without its confidence.
    private static func musicalKey(_ row: borrowing Row) throws -> MusicalKey? {
        let mode: String? = try row["key_mode"]
        guard let tonic: Int = try row["key_tonic"], (0..<12).contains(tonic),
            let mode = mode.flatMap({ MusicalKey.Mode(rawValue: $0) })
        else { return nil }
        return MusicalKey(tonic: tonic, mode: mode, confidence: 0)
    }
}
