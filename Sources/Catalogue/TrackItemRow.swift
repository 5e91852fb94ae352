internal import Foundation
internal import MusicShared
internal import SQLiteDatabase

/// Reads ``TrackItem`` from rows: only the numbers of an analysis, not its large parts.
enum TrackItemRow {
    static let query = """
        SELECT tracks.id, tracks.relative_path, tracks.audio_hash, tracks.file_size, tracks.added_at_ms,
            tracks.changed_at_ms, tracks.has_cover, tracks.unavailable_since_ms,
            tracks.title, tracks.artist, tracks.artist_id, tracks.album, tracks.album_id, tracks.album_artist,
            tracks.track_number, tracks.disc_number, tracks.year, tracks.genre, tracks.composer,
            analyses.duration_seconds, analyses.sample_count, analyses.sample_rate_hz, analyses.channels,
            analyses.average_bit_rate_bps, analyses.encoder_delay_samples, analyses.encoder_padding_samples,
            analyses.integrated_lufs, analyses.loudness_range_lu, analyses.sample_peak_dbfs,
            analyses.true_peak_dbtp,
            CASE WHEN albums.is_loudness_current THEN albums.integrated_lufs END AS album_integrated_lufs,
            CASE WHEN albums.is_loudness_current THEN albums.true_peak END AS album_true_peak,
            analyses.cue_in_seconds, analyses.cue_out_seconds, analyses.fade_in_end_seconds,
            analyses.fade_out_start_seconds, analyses.start_next_seconds, analyses.ending,
            analyses.bpm, analyses.bpm_confidence, analyses.beat_confidence, analyses.first_beat_seconds,
            analyses.beats_per_bar, analyses.first_downbeat, analyses.bar_confidence, analyses.key_tonic, analyses.key_mode
        FROM tracks
        LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
        LEFT JOIN albums ON albums.id = tracks.album_id
        """

    static func item(_ row: borrowing Row) throws -> TrackItem {
        func time(_ column: String) throws -> Double {
            let milliseconds: Int = try row[column]
            return Double(milliseconds) / 1000
        }
        var item = TrackItem(
            id: try row["id"], relativePath: try row["relative_path"], audioHash: try hash(row["audio_hash"]),
            fileSizeBytes: try row["file_size"], addedAt: try time("added_at_ms"),
            changedAt: try time("changed_at_ms"), hasCover: try row["has_cover"])
        let unavailable: Int? = try row["unavailable_since_ms"]
        item.isAvailable = unavailable == nil
        item.title = try row["title"]
        item.artist = try row["artist"]
        item.artistID = try row["artist_id"]
        item.album = try row["album"]
        item.albumID = try row["album_id"]
        item.albumArtist = try row["album_artist"]
        item.trackNumber = try row["track_number"]
        item.discNumber = try row["disc_number"]
        item.year = try row["year"]
        item.genre = try row["genre"]
        item.composer = try row["composer"]
        item.durationSeconds = try row["duration_seconds"]
        item.sampleCount = try row["sample_count"]
        item.sampleRateHz = try row["sample_rate_hz"]
        item.channels = try row["channels"]
        item.averageBitRateBPS = try row["average_bit_rate_bps"]
        item.encoderDelaySamples = try row["encoder_delay_samples"]
        item.encoderPaddingSamples = try row["encoder_padding_samples"]
        try readMeasurements(row, into: &item)
        return item
    }

    /// Rounds values as ``TrackReport`` does.
    private static func readMeasurements(_ row: borrowing Row, into item: inout TrackItem) throws {
        func number(_ column: String, _ unitsPerOne: Double) throws -> Double? {
            let value: Double? = try row[column]
            return value?.rounded(to: unitsPerOne)
        }
        item.integratedLUFS = try number("integrated_lufs", 100)
        item.loudnessRangeLU = try number("loudness_range_lu", 100)
        item.samplePeakDBFS = try number("sample_peak_dbfs", 100)
        item.truePeakDBTP = try number("true_peak_dbtp", 100)
        item.albumIntegratedLUFS = try number("album_integrated_lufs", 100)
        let albumPeak: Double? = try row["album_true_peak"]
        item.albumTruePeakDBTP = albumPeak.flatMap(decibels)
        item.cueInSeconds = try number("cue_in_seconds", 1000)
        item.cueOutSeconds = try number("cue_out_seconds", 1000)
        item.fadeInEndSeconds = try number("fade_in_end_seconds", 1000)
        item.fadeOutStartSeconds = try number("fade_out_start_seconds", 1000)
        item.startNextSeconds = try number("start_next_seconds", 1000)
        item.ending = try row["ending"]
        item.bpm = try number("bpm", 1000)
        item.bpmConfidence = try number("bpm_confidence", 1000)
        item.beatConfidence = try number("beat_confidence", 1000)
        item.firstBeatSeconds = try number("first_beat_seconds", 1000)
        item.beatsPerBar = try row["beats_per_bar"]
        item.firstDownbeat = try row["first_downbeat"]
        item.barConfidence = try number("bar_confidence", 1000)
        if let tonic: Int = try row["key_tonic"], let mode: String = try row["key_mode"],
            let key = KeyNames(tonic: tonic, mode: mode)
        {
            item.key = key.name
            item.keyCamelot = key.camelot
        }
    }

    private static func hash(_ bytes: [UInt8]) throws(DatabaseError) -> String {
        guard bytes.count == 16 else {
            throw DatabaseError(.corrupt, message: "a hash has \(bytes.count) bytes")
        }
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// A linear peak in dBFS, rounded to hundredths; nil for silence.
    static func decibels(_ peak: Double) -> Double? {
        peak > 0 ? (20 * log10(peak)).rounded(to: 100) : nil
    }
}
