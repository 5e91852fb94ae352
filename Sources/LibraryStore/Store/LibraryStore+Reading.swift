package import MusicalStructure
package import Analyzer
internal import Catalogue
internal import SQLiteDatabase

extension LibraryStore {
    /// Number of available tracks.
    package func trackCount() throws -> Int {
        try read { try CatalogueReader(database: $0).trackCount }
    }

    /// The track with an id; nil if not found. Includes unavailable tracks.
    package func track(id: Int) throws -> AnalysedTrack? {
        try one("tracks.id = ?", id)
    }

    /// The track at a path; nil if not found. Includes unavailable tracks.
    package func track(path: RelativePath) throws -> AnalysedTrack? {
        try one("tracks.relative_path = ?", path.text)
    }

    /// The analysis of some audio, without spectra; nil if not found.
    package func analysis(of hash: AudioHash) throws -> TrackAnalysis? {
        try read { database in
            try database.fetchOne(
                """
                SELECT * FROM analyses
                JOIN analysis_details ON analysis_details.audio_hash = analyses.audio_hash
                WHERE analyses.audio_hash = ?
                """, [hash.bytes], AnalysisRow.analysis) ?? nil
        }
    }

    /// The tempo in BPM and the key of some audio, each nil if it has none; nil if the audio has no profile.
    package func tempoAndKey(of hash: AudioHash) throws -> (bpm: Double?, key: MusicalKey?)? {
        try read { database in
            try database.fetchOne(
                """
                SELECT bpm, key_tonic, key_mode, key_confidence FROM analyses
                WHERE audio_hash = ? AND profile_version IS NOT NULL
                """, [hash.bytes]
            ) { row in (try row["bpm"], try AnalysisRow.wholeKey(row)) }
        }
    }

    /// Calls `body` with every available track and its analysis, sorted by path; memory use does
    /// not grow with the library.
    package func forEachTrack(_ body: (AnalysedTrack) throws -> Void) throws {
        try read { database in
            try database.forEach(
                """
                SELECT * FROM tracks \(AnalysisRow.joins)
                WHERE tracks.unavailable_since_ms IS NULL ORDER BY tracks.relative_path
                """
            ) { row in try body(Self.analysedTrack(row)) }
        }
    }

    static func analysedTrack(_ row: borrowing Row) throws -> AnalysedTrack {
        AnalysedTrack(track: try TrackRow.track(row), analysis: try AnalysisRow.analysis(row))
    }

    private func one(_ condition: String, _ argument: any DatabaseBindable) throws -> AnalysedTrack? {
        try read { database in
            try database.fetchOne(
                "SELECT * FROM tracks \(AnalysisRow.joins) WHERE \(condition)", [argument],
                Self.analysedTrack)
        }
    }
}
