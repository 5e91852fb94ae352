internal import Foundation
internal import MusicShared
internal import SQLiteDatabase

/// Reads ``TrackItem`` from rows: only the numbers of an analysis, not its large parts.
enum TrackItemRow {
    static let query = """
        SELECT tracks.id, tracks.unavailable_since_ms, tracks.relative_path, tracks.audio_hash, tracks.file_size,
            tracks.added_at_ms, tracks.changed_at_ms, tracks.has_cover,
            tracks.title, tracks.artist, tracks.artist_id, tracks.album, tracks.album_id, tracks.album_artist,
            tracks.track_number, tracks.disc_number, tracks.year, tracks.genre, tracks.composer,
            analyses.duration_seconds, analyses.sample_count, analyses.sample_rate_hz, analyses.channels,
            analyses.average_bit_rate_bps, analyses.encoder_delay_samples, analyses.encoder_padding_samples,
            analyses.integrated_lufs, analyses.loudness_range_lu, analyses.sample_peak_dbfs,
            analyses.true_peak_dbtp,
            CASE WHEN albums.is_loudness_current THEN albums.integrated_lufs END,
            CASE WHEN albums.is_loudness_current THEN albums.true_peak END,
            analyses.cue_in_seconds, analyses.cue_out_seconds, analyses.fade_in_end_seconds,
            analyses.fade_out_start_seconds, analyses.start_next_seconds, analyses.ending,
            analyses.bpm, analyses.bpm_confidence, analyses.first_beat_seconds,
            analyses.key_tonic, analyses.key_mode, analyses.beat_confidence
        FROM tracks
        LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
        LEFT JOIN albums ON albums.id = tracks.album_id
        """

    static func item(_ row: borrowing Row) throws -> TrackItem {
        let unavailable: Int? = try row[1]
        let added: Int = try row[5]
        let changed: Int = try row[6]
        var item = TrackItem(
            id: try row[0], relativePath: try row[2], audioHash: try hash(row[3]),
            fileSizeBytes: try row[4], addedAt: Double(added) / 1000, changedAt: Double(changed) / 1000,
            hasCover: try row[7])
        item.isAvailable = unavailable == nil
        item.title = try row[8]
        item.artist = try row[9]
        item.artistID = try row[10]
        item.album = try row[11]
        item.albumID = try row[12]
        item.albumArtist = try row[13]
        item.trackNumber = try row[14]
        item.discNumber = try row[15]
        item.year = try row[16]
        item.genre = try row[17]
        item.composer = try row[18]
        item.durationSeconds = try row[19]
        item.sampleCount = try row[20]
        item.sampleRateHz = try row[21]
        item.channels = try row[22]
        item.averageBitRateBPS = try row[23]
        item.encoderDelaySamples = try row[24]
        item.encoderPaddingSamples = try row[25]
        try readMeasurements(row, into: &item)
        return item
    }

    /// Rounds values as ``TrackReport`` does.
    private static func readMeasurements(_ row: borrowing Row, into item: inout TrackItem) throws {
        func number(_ column: Int, _ unitsPerOne: Double) throws -> Double? {
            let value: Double? = try row[column]
            return value?.rounded(to: unitsPerOne)
        }
        item.integratedLUFS = try number(26, 100)
        item.loudnessRangeLU = try number(27, 100)
        item.samplePeakDBFS = try number(28, 100)
        item.truePeakDBTP = try number(29, 100)
        item.albumIntegratedLUFS = try number(30, 100)
        let albumPeak: Double? = try row[31]
        item.albumTruePeakDBTP = albumPeak.flatMap(decibels)
        item.cueInSeconds = try number(32, 1000)
        item.cueOutSeconds = try number(33, 1000)
        item.fadeInEndSeconds = try number(34, 1000)
        item.fadeOutStartSeconds = try number(35, 1000)
        item.startNextSeconds = try number(36, 1000)
        item.ending = try row[37]
        item.bpm = try number(38, 1000)
        item.bpmConfidence = try number(39, 1000)
        item.beatConfidence = try number(43, 1000)
        item.firstBeatSeconds = try number(40, 1000)
        if let tonic: Int = try row[41], let mode: String = try row[42],
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
