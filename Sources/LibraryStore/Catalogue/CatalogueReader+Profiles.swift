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
            analyses.true_peak_dbtp,
            CASE WHEN albums.is_loudness_current THEN albums.integrated_lufs END AS album_integrated_lufs,
            analyses.key_tonic, analyses.key_mode, analyses.key_confidence, analyses.beat_confidence,
            analyses.beats_per_bar, analyses.first_downbeat, analyses.bar_confidence
        FROM tracks
        JOIN analyses ON analyses.audio_hash = tracks.audio_hash
        LEFT JOIN albums ON albums.id = tracks.album_id
        WHERE tracks.relative_path = ? AND tracks.unavailable_since_ms IS NULL
            AND analyses.profile_version IS NOT NULL
        """

    /// Rounds values as ``TrackReport`` does.
    private static func profile(_ row: borrowing Row) throws -> SmartDJProfile {
        func number(_ column: String, _ unitsPerOne: Double = 1000) throws -> Double? {
            let value: Double? = try row[column]
            return value?.rounded(to: unitsPerOne)
        }
        func time(_ column: String) throws -> Double {
            let value: Double = try row[column]
            return value.rounded(to: 1000)
        }
        func gain(toReferenceFrom column: String) throws -> Double? {
            let level: Double? = try row[column]
            return level.map { (LoudnessMeasurement.replayGainReferenceLUFS - $0).rounded(to: 100) }
        }
        var profile = SmartDJProfile(
            id: try row["id"], relativePath: try row["relative_path"],
            durationSeconds: try row["duration_seconds"],
            silence: (try time("silence_start_seconds"), try time("silence_end_seconds")),
            isSilent: try row["is_silent"], cue: (try time("cue_in_seconds"), try time("cue_out_seconds")),
            fade: (try time("fade_in_end_seconds"), try time("fade_out_start_seconds")),
            startNextSeconds: try time("start_next_seconds"), ending: try row["ending"])
        profile.bpm = try number("bpm")
        profile.bpmConfidence = try number("bpm_confidence")
        profile.beatConfidence = try number("beat_confidence")
        profile.firstBeatSeconds = try number("first_beat_seconds")
        profile.beatsPerBar = try row["beats_per_bar"]
        profile.firstDownbeat = try row["first_downbeat"]
        profile.barConfidence = try number("bar_confidence")
        profile.lufs = try number("integrated_lufs", 100)
        profile.loudnessRangeLU = try number("loudness_range_lu", 100)
        profile.samplePeakDBFS = try number("sample_peak_dbfs", 100)
        profile.truePeakDBTP = try number("true_peak_dbtp", 100)
        profile.replayGainDB = try gain(toReferenceFrom: "integrated_lufs")
        profile.albumReplayGainDB = try gain(toReferenceFrom: "album_integrated_lufs")
        let mode: String? = try row["key_mode"]
        if let tonic: Int = try row["key_tonic"], (0..<12).contains(tonic),
            let mode = mode.flatMap({ MusicalKey.Mode(rawValue: $0) })
        {
            let key = MusicalKey(tonic: tonic, mode: mode, confidence: try row["key_confidence"])
            profile.key = key.name
            profile.keyCamelot = key.camelot
            profile.keyConfidence = key.confidence.rounded(to: 1000)
        }
        return profile
    }
}
