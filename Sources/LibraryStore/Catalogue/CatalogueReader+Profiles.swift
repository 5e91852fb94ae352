internal import Analyzer
package import Catalogue
package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// The profile of the track at a path; nil if the track is missing, unavailable or has no profile.
    package func profile(at path: RelativePath) throws -> SmartDJProfile? {
        try database.fetchOne(Self.profileQuery, [path.text], Self.profile) ?? nil
    }

    /// Number of analyses (distinct audio) that have a profile.
    package var profileCount: Int {
        get throws {
            // The index covers the condition: no row is read.
            try database.scalar("SELECT count(*) FROM analyses WHERE profile_version IS NOT NULL") ?? 0
        }
    }

    private static let profileQuery =
        TrackItemRow.query(with: [
            "analyses.silence_start_seconds", "analyses.silence_end_seconds", "analyses.is_silent",
            "analyses.key_confidence",
        ]) + """
             WHERE tracks.relative_path = ? AND tracks.unavailable_since_ms IS NULL
                AND analyses.profile_version IS NOT NULL
            """

    private static func profile(_ row: borrowing Row) throws -> SmartDJProfile? {
        func gain(_ column: String) throws -> Double? {
            let level: Double? = try row[column]
            return level.map { (LoudnessMeasurement.replayGainReferenceLUFS - $0).rounded(in: .dB) }
        }
        let start: Double = try row["silence_start_seconds"]
        let end: Double = try row["silence_end_seconds"]
        var profile = SmartDJProfile(
            try TrackItemRow.item(row), silence: (start.rounded(in: .seconds), end.rounded(in: .seconds)),
            isSilent: try row["is_silent"])
        profile?.replayGainDB = try gain("integrated_lufs")
        profile?.albumReplayGainDB = try gain("album_integrated_lufs")
        let confidence: Double? = try row["key_confidence"]
        if profile?.key != nil { profile?.keyConfidence = confidence?.rounded(in: .share) }
        return profile
    }
}
