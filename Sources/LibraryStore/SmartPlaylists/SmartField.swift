internal import Catalogue
internal import Foundation
package import MusicShared

/// A field that rules of smart playlists compare and sort by, declared once: its names, its type, and where its value is.
package struct SmartField: Sendable {
    /// The table that has the value.
    enum Source: Sendable, Equatable {
        /// The tracks: the same for all accounts.
        case track
        /// The listening data of an account. Tracks that were never listened to have no row.
        case listening
    }

    /// Its name in rules, as in Navidrome's files where those have such a field. Also the name of the column.
    package let name: String
    /// A short name for people.
    package let label: String
    /// The type of its values.
    package let kind: SmartFieldItem.Kind
    /// The unit of a number; empty if it has none.
    package var unit = ""
    /// All values that it can have; nil if there is no such list.
    package var choices: [String]?
    /// Other names in rules.
    var aliases: [String] = []
    let source: Source
    /// The value in terms of the tables `tracks` and `analyses`, or `listened`.
    let expression: String
    /// The value to sort by; nil for the value itself.
    var order: String?

    /// Whether tracks may have no value. Counts and flags are 0 instead.
    var canBeMissing: Bool { kind != .flag && !["playCount", "rating"].contains(name) }

    /// The operators that the field can be used with.
    package var operators: [SmartRule.Operator] {
        let missing: [SmartRule.Operator] = canBeMissing ? [.isMissing, .isPresent] : []
        switch kind {
        case .text:
            return
                (choices == nil
                ? [.contains, .notContains, .is, .isNot, .startsWith, .endsWith] : [.is, .isNot]) + missing
        case .number: return [.gt, .lt, .is, .isNot, .inTheRange] + missing
        case .flag: return [.is, .isNot]
        case .date:
            return [.inTheLast, .notInTheLast, .before, .after, .inTheRange, .is, .isNot] + missing
        }
    }

    /// The field in the API.
    package var item: SmartFieldItem {
        SmartFieldItem(
            name: name, label: label, kind: kind, unit: unit, choices: choices,
            operators: operators.map(\.rawValue))
    }

    /// Returns the field with a name, in any case.
    package static func named(_ name: String) -> SmartField? { byName[name.lowercased()] }

    private static let byName: [String: SmartField] = {
        var fields: [String: SmartField] = [:]
        for field in all {
            for name in [field.name] + field.aliases { fields[name.lowercased()] = field }
        }
        return fields
    }()
}

extension SmartField {
    /// All fields, in the order of a menu.
    package static let all = tags + measurements + listening + file

    /// The fields of an account's listening data.
    package static let listening: [SmartField] = [
        SmartField(
            name: "loved", label: "Starred", kind: .flag, aliases: ["starred"], source: .listening,
            expression: "is_starred"),
        SmartField(
            name: "rating", label: "Rating", kind: .number, source: .listening,
            expression: "coalesce(rating, 0)"),
        SmartField(
            name: "playCount", label: "Plays", kind: .number, aliases: ["plays"], source: .listening,
            expression: "play_count"),
        SmartField(
            name: "lastPlayed", label: "Last played", kind: .date, source: .listening,
            expression: "last_played_at_ms"),
        SmartField(
            name: "dateLoved", label: "Starred on", kind: .date, aliases: ["dateStarred"],
            source: .listening, expression: "CASE WHEN is_starred THEN starred_at_ms END"),
        SmartField(
            name: "dateRated", label: "Rated on", kind: .date, source: .listening,
            expression: "CASE WHEN rating IS NOT NULL THEN rated_at_ms END"),
    ]

    private static let tags: [SmartField] = [
        text("title", "Title", "title", order: "title_sort"),
        text("artist", "Artist", "artist", order: "artist_sort"),
        text("album", "Album", "album", order: "album_sort"),
        text("albumArtist", "Album artist", "album_artist"),
        text("genre", "Genre", "genre"),
        number("year", "Year", "tracks.year"),
        text("composer", "Composer", "composer"),
        text("mood", "Mood", "mood"),
        text("comment", "Comment", "comment"),
        text("lyricist", "Lyricist", "lyricist"),
        text("conductor", "Conductor", "conductor"),
        text("remixer", "Remixer", "remixer"),
        number("trackNumber", "Track number", "tracks.track_number"),
        number("discNumber", "Disc number", "tracks.disc_number"),
        flag("compilation", "Compilation", "tracks.is_compilation"),
        flag("hasCoverArt", "Has a cover", "tracks.has_cover"),
    ]

    private static let measurements: [SmartField] = [
        measured("bpm", "Tempo", "bpm", aliases: ["tempo"]),
        choice(
            "key", "Key", names.map(\.name), keyNames(\.name), order: "key_tonic * 2 + (key_mode = 'minor')"),
        choice(
            "camelot", "Camelot key", names.map(\.camelot).sorted(by: isBefore), keyNames(\.camelot),
            order: "(7 * (key_tonic + 3 * (key_mode = 'minor')) + 7) % 12 * 2 + (key_mode = 'major')"),
        measured("loudness", "Loudness", "integrated_lufs"),
        measured("loudnessRange", "Loudness range", "loudness_range_lu"),
        measured("energy", "Energy", "energy"),
        measured("danceability", "Danceability", "danceability"),
        measured("brightness", "Brightness", "brightness_hz"),
        measured("truePeak", "True peak", "true_peak_dbtp"),
        measured("samplePeak", "Sample peak", "sample_peak_dbfs"),
        measured("momentaryLoudness", "Maximum momentary loudness", "max_momentary_lufs"),
        measured("shortTermLoudness", "Maximum short-term loudness", "max_short_term_lufs"),
        measured("peakToLoudness", "Peak-to-loudness ratio", "plr_db"),
        measured("minimumPSR", "Minimum peak-to-short-term ratio", "min_psr_db"),
        measured("tuning", "Tuning", "tuning_cents"),
        measured("beatsPerBar", "Beats per bar", "beats_per_bar"),
        measured("bpmConfidence", "Confidence in the tempo", "bpm_confidence"),
        measured("beatConfidence", "Confidence in the beats", "beat_confidence"),
        measured("barConfidence", "Confidence in the bars", "bar_confidence"),
        measured("keyConfidence", "Confidence in the key", "key_confidence"),
        measured("ending", "Ending", "ending"),
        measured("cueIn", "Cue-in", "cue_in_seconds"),
        measured("cueOut", "Cue-out", "cue_out_seconds"),
        measured("fadeInEnd", "End of the fade-in", "fade_in_end_seconds"),
        measured("fadeOutStart", "Start of the fade-out", "fade_out_start_seconds"),
        measured("silent", "Silent throughout", "is_silent"),
        measured("damagedFrames", "Damaged frames", "damaged_frame_count"),
    ]

    private static let file: [SmartField] = [
        measured("duration", "Length", "duration_seconds", aliases: ["length"]),
        measured("fileType", "Format", "format", aliases: ["format", "codec"]),
        SmartField(
            name: "bitRate", label: "Bit rate", kind: .number, unit: "kbit/s", source: .track,
            expression: "analyses.average_bit_rate_bps / 1000"),
        measured("bitRateMode", "Bit rate mode", "bit_rate_mode"),
        measured("bitDepth", "Bit depth", "bit_depth"),
        measured("sampleRate", "Sample rate", "sample_rate_hz", unit: "Hz"),
        measured("channels", "Channels", "channels"),
        SmartField(
            name: "size", label: "File size", kind: .number, unit: "bytes", source: .track,
            expression: "tracks.file_size"),
        text("filePath", "Path", "relative_path"),
        SmartField(
            name: "dateAdded", label: "Added", kind: .date, aliases: ["added"], source: .track,
            expression: "tracks.added_at_ms"),
        SmartField(
            name: "dateModified", label: "Changed", kind: .date, source: .track,
            expression: "tracks.changed_at_ms"),
    ]

    // MARK: - Declarations

    private static func text(
        _ name: String, _ label: String, _ column: String, order: String? = nil
    ) -> SmartField {
        SmartField(
            name: name, label: label, kind: .text, source: .track,
            expression: "nullif(tracks.\(column), '')", order: order.map { "tracks.\($0)" })
    }

    private static func number(_ name: String, _ label: String, _ expression: String) -> SmartField {
        SmartField(name: name, label: label, kind: .number, source: .track, expression: expression)
    }

    private static func flag(_ name: String, _ label: String, _ expression: String) -> SmartField {
        SmartField(
            name: name, label: label, kind: .flag, source: .track, expression: "coalesce(\(expression), 0)")
    }

    private static func choice(
        _ name: String, _ label: String, _ choices: [String], _ expression: String, order: String? = nil
    ) -> SmartField {
        SmartField(
            name: name, label: label, kind: .text, choices: choices, source: .track, expression: expression,
            order: order)
    }

    /// A column of `analyses`, with type, unit and rounding of the ``TrackField`` of that name: rules compare the values
    /// that lists show.
    private static func measured(
        _ name: String, _ label: String, _ column: String, unit: String? = nil, aliases: [String] = []
    ) -> SmartField {
        let expression = "analyses.\(column)"
        let kind = TrackField.stored.first { $0.key == column }?.kind
        var field =
            switch kind {
            case .flag: flag(name, label, expression)
            case .choice(let choices): choice(name, label, choices, expression)
            case .number(let unit, _, _): rounded(name, label, expression, unit)
            default: number(name, label, expression)
            }
        if let unit { field.unit = unit }
        field.aliases = aliases
        return field
    }

    private static func rounded(
        _ name: String, _ label: String, _ expression: String, _ unit: MeasurementUnit
    ) -> SmartField {
        // As in lists. SQLite's own function writes each number as text and reads it again, which takes ten times as long.
        let value =
            unit.decimals.map { decimals in
                let scale = pow(10.0, Double(decimals))
                return "CAST(\(expression) * \(scale) + (\(expression) > 0) - 0.5 AS INTEGER) / \(scale)"
            } ?? expression
        return SmartField(
            name: name, label: label, kind: .number, unit: unit == .exactSeconds ? "s" : unit.rawValue,
            source: .track, expression: value)
    }

    // MARK: - Keys

    private static let keys = ["major", "minor"].flatMap { mode in
        (0..<12).map { (tonic: $0, mode: mode) }
    }
    private static let names = keys.compactMap { KeyNames(tonic: $0.tonic, mode: $0.mode) }

    private static func keyNames(_ path: any KeyPath<KeyNames, String> & Sendable) -> String {
        let cases = keys.compactMap { key in
            KeyNames(tonic: key.tonic, mode: key.mode).map {
                "WHEN \(key.tonic * 2 + (key.mode == "minor" ? 1 : 0)) THEN '\($0[keyPath: path])'"
            }
        }
        let number = "key_tonic * 2 + (key_mode = 'minor')"
        return "CASE \(number) \(cases.joined(separator: " ")) END"
    }

    private static func isBefore(_ first: String, _ second: String) -> Bool {
        first.count != second.count ? first.count < second.count : first < second
    }
}
