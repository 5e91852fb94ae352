internal import Foundation
package import MusicShared
package import SQLiteDatabase

/// Reads ``TrackItem`` from rows: only the numbers of an analysis, not its large parts.
package enum TrackItemRow {
    /// A column of the query, and where its value goes.
    private struct Column: Sendable {
        let expression: String
        let put: @Sendable (inout TrackItem, borrowing Row) throws -> Void
    }

    /// The columns that not every track has, read in the order of the query: that is the fastest.
    private static let columns: [Column] = [
        column("tracks", "unavailable_since_ms") { $0.isAvailable = ($1 as Int?) == nil },
        column("tracks", "title") { $0.title = $1 },
        column("tracks", "artist") { $0.artist = $1 },
        column("tracks", "artist_id") { $0.artistID = $1 },
        column("tracks", "album") { $0.album = $1 },
        column("tracks", "album_id") { $0.albumID = $1 },
        column("tracks", "album_artist") { $0.albumArtist = $1 },
        column("tracks", "track_number") { $0.trackNumber = $1 },
        column("tracks", "disc_number") { $0.discNumber = $1 },
        column("tracks", "year") { $0.year = $1 },
        column("tracks", "genre") { $0.genre = $1 },
        column("tracks", "composer") { $0.composer = $1 },
        number("duration_seconds", .exactSeconds) { $0.durationSeconds = $1 },
        column("analyses", "sample_count") { $0.sampleCount = $1 },
        column("analyses", "format") { $0.format = ($1 as String?).flatMap(AudioFormat.init(rawValue:)) },
        column("analyses", "bit_depth") { $0.bitDepth = $1 },
        column("analyses", "sample_rate_hz") { $0.sampleRateHz = $1 },
        column("analyses", "channels") { $0.channels = $1 },
        column("analyses", "average_bit_rate_bps") { $0.averageBitRateBPS = $1 },
        column("analyses", "encoder_delay_samples") { $0.encoderDelaySamples = $1 },
        column("analyses", "encoder_padding_samples") { $0.encoderPaddingSamples = $1 },
        number("integrated_lufs", .lufs) { $0.integratedLUFS = $1 },
        number("loudness_range_lu", .lu) { $0.loudnessRangeLU = $1 },
        number("sample_peak_dbfs", .dBFS) { $0.samplePeakDBFS = $1 },
        number("true_peak_dbtp", .dBTP) { $0.truePeakDBTP = $1 },
        ofAlbum("integrated_lufs", as: "album_integrated_lufs") {
            $0.albumIntegratedLUFS = $1?.rounded(in: .lufs)
        },
        ofAlbum("true_peak", as: "album_true_peak") { $0.albumTruePeakDBTP = $1.flatMap(decibels) },
        number("cue_in_seconds", .seconds) { $0.cueInSeconds = $1 },
        number("cue_out_seconds", .seconds) { $0.cueOutSeconds = $1 },
        number("fade_in_end_seconds", .seconds) { $0.fadeInEndSeconds = $1 },
        number("fade_out_start_seconds", .seconds) { $0.fadeOutStartSeconds = $1 },
        number("start_next_seconds", .seconds) { $0.startNextSeconds = $1 },
        column("analyses", "ending") { $0.ending = $1 },
        number("bpm", .bpm) { $0.bpm = $1 },
        number("bpm_confidence", .share) { $0.bpmConfidence = $1 },
        number("beat_confidence", .share) { $0.beatConfidence = $1 },
        number("first_beat_seconds", .seconds) { $0.firstBeatSeconds = $1 },
        column("analyses", "beats_per_bar") { $0.beatsPerBar = $1 },
        column("analyses", "first_downbeat") { $0.firstDownbeat = $1 },
        number("bar_confidence", .share) { $0.barConfidence = $1 },
        Column(expression: "analyses.key_tonic, analyses.key_mode") { item, row in
            guard let tonic: Int = try row["key_tonic"], let mode: String = try row["key_mode"] else {
                return
            }
            let key = KeyNames(tonic: tonic, mode: mode)
            item.key = key?.name
            item.keyCamelot = key?.camelot
        },
        column("analyses", "damaged_frame_count") { $0.damagedFrameCount = $1 },
    ]

    /// Selects the columns that ``item(_:)`` reads.
    package static let query = query(with: [])

    /// Selects the columns that ``item(_:)`` reads, and others.
    package static func query(with others: [String]) -> String {
        """
        SELECT tracks.id, tracks.relative_path, tracks.audio_hash, tracks.file_size, tracks.added_at_ms,
            tracks.changed_at_ms, tracks.has_cover, \((columns.map(\.expression) + others).joined(separator: ", "))
        FROM tracks
        LEFT JOIN analyses ON analyses.audio_hash = tracks.audio_hash
        LEFT JOIN albums ON albums.id = tracks.album_id
        """
    }

    /// The track in a row of ``query``.
    package static func item(_ row: borrowing Row) throws -> TrackItem {
        func time(_ column: String) throws -> Double {
            let milliseconds: Int = try row[column]
            return Double(milliseconds) / 1000
        }
        var item = TrackItem(
            id: try row["id"], relativePath: try row["relative_path"], audioHash: try hash(row["audio_hash"]),
            fileSizeBytes: try row["file_size"], addedAt: try time("added_at_ms"),
            changedAt: try time("changed_at_ms"), hasCover: try row["has_cover"])
        for column in columns { try column.put(&item, row) }
        return item
    }

    private static func column<Value: DatabaseReadable & SendableMetatype>(
        _ table: String, _ name: String, _ put: @escaping @Sendable (inout TrackItem, Value?) -> Void
    ) -> Column {
        Column(expression: "\(table).\(name)") { put(&$0, try $1[name]) }
    }

    /// A measurement, rounded as in reports.
    private static func number(
        _ name: String, _ unit: MeasurementUnit, _ put: @escaping @Sendable (inout TrackItem, Double?) -> Void
    ) -> Column {
        column("analyses", name) { (item: inout TrackItem, value: Double?) in
            put(&item, value?.rounded(in: unit))
        }
    }

    /// A measurement of the whole album; nil until all its tracks are measured.
    private static func ofAlbum(
        _ name: String, as alias: String, _ put: @escaping @Sendable (inout TrackItem, Double?) -> Void
    ) -> Column {
        Column(expression: "CASE WHEN albums.is_loudness_current THEN albums.\(name) END AS \(alias)") {
            put(&$0, try $1[alias])
        }
    }

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)

    private static func hash(_ bytes: [UInt8]) throws(DatabaseError) -> String {
        guard bytes.count == 16 else {
            throw DatabaseError(.corrupt, message: "a hash has \(bytes.count) bytes")
        }
        return String(unsafeUninitializedCapacity: 32) { digits in
            for (place, byte) in bytes.enumerated() {
                digits[2 * place] = hexadecimalDigits[Int(byte >> 4)]
                digits[2 * place + 1] = hexadecimalDigits[Int(byte & 15)]
            }
            return 32
        }
    }

    /// A linear peak in dBFS, rounded to hundredths; nil for silence.
    static func decibels(_ peak: Double) -> Double? {
        peak > 0 ? (20 * log10(peak)).rounded(to: 100) : nil
    }
}
