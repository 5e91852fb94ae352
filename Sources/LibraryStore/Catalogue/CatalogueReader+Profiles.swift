internal import Analyzer
package import Catalogue
internal import Foundation
package import MusicShared
internal import SQLiteDatabase

extension CatalogueReader {
    /// The profile of the track at a path; nil if the track is missing, unavailable or has no profile.
    package func profile(at path: RelativePath) throws -> SmartDJProfile? {
        try database.fetchOne(Self.profileQuery, [path.text], Self.profile)
    }

    /// Number of analyses (distinct audio) that have a profile.
    package var profileCount: Int {
        get throws {
            // The index covers the condition: no row is read.
            try database.scalar("SELECT count(*) FROM analyses WHERE profile_version IS NOT NULL") ?? 0
        }
    }

    /// Number of available tracks.
    package var trackCount: Int {
        get throws {
            try database.scalar("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL") ?? 0
        }
    }

    /// Reads only numbers: the large parts of an analysis are stored elsewhere and are not touched.
    private static let profileQuery = """
        SELECT tracks.id, tracks.relative_path, analyses.duration_seconds, analyses.silence_start_seconds,
            analyses.silence_end_seconds, analyses.is_silent, analyses.cue_in_seconds, analyses.cue_out_seconds,
            analyses.fade_in_end_seconds, analyses.fade_out_start_seconds, analyses.start_next_seconds,
            analyses.ending, analyses.bpm, analyses.bpm_confidence, analyses.first_beat_seconds,
            analyses.integrated_lufs, analyses.loudness_range_lu, analyses.sample_peak_dbfs,
            analyses.true_peak_dbtp, CASE WHEN albums.is_loudness_current THEN albums.integrated_lufs END,
            analyses.key_tonic, analyses.key_mode, analyses.key_confidence, analyses.beat_confidence
        FROM tracks
        JOIN analyses ON analyses.audio_hash = tracks.audio_hash
        LEFT JOIN albums ON albums.id = tracks.album_id
        WHERE tracks.relative_path = ? AND tracks.unavailable_since_ms IS NULL
            AND analyses.profile_version IS NOT NULL
        """

    /// Rounds values as ``TrackReport`` does.
    private static func profile(_ row: borrowing Row) throws -> SmartDJProfile {
        func number(_ column: Int, _ unitsPerOne: Double = 1000) throws -> Double? {
            let value: Double? = try row[column]
            return value?.rounded(to: unitsPerOne)
        }
        func time(_ column: Int) throws -> Double {
            let value: Double = try row[column]
            return value.rounded(to: 1000)
        }
        func gain(toReferenceFrom column: Int) throws -> Double? {
            let level: Double? = try row[column]
            return level.map { (LoudnessMeasurement.replayGainReferenceLUFS - $0).rounded(to: 100) }
        }
        var profile = SmartDJProfile(
            id: try row[0], relativePath: try row[1], durationSeconds: try row[2],
            silence: (try time(3), try time(4)), isSilent: try row[5], cue: (try time(6), try time(7)),
            fade: (try time(8), try time(9)), startNextSeconds: try time(10), ending: try row[11])
        profile.bpm = try number(12)
        profile.bpmConfidence = try number(13)
        profile.beatConfidence = try number(23)
        profile.firstBeatSeconds = try number(14)
        profile.lufs = try number(15, 100)
        profile.loudnessRangeLU = try number(16, 100)
        profile.samplePeakDBFS = try number(17, 100)
        profile.truePeakDBTP = try number(18, 100)
        profile.replayGainDB = try gain(toReferenceFrom: 15)
        profile.albumReplayGainDB = try gain(toReferenceFrom: 19)
        let mode: String? = try row[21]
        if let tonic: Int = try row[20], (0..<12).contains(tonic),
            let mode = mode.flatMap({ MusicalKey.Mode(rawValue: $0) })
        {
            let key = MusicalKey(tonic: tonic, mode: mode, confidence: try row[22])
            profile.key = key.name
            profile.keyCamelot = key.camelot
            profile.keyConfidence = key.confidence.rounded(to: 1000)
        }
        return profile
    }
}
