internal import MusicShared

extension TrackReport {
    /// The schema of a track's full report, including its beats.
    package static let schema = JSONSchema.object(properties, "Tags and measurements of a track.")

    /// Returns the report's properties with the given names, for schemas that share them.
    package static func properties(named names: [String]) -> [JSONSchema.Property] {
        properties.filter { names.contains($0.name) }
    }

    private static let properties: [JSONSchema.Property] =
        identity + tags + stream + levels + cuePoints + music + [
            .maybe(
                "damaged_frame_count", .integer("Number of damaged frames, which are measured as silence.")),
            .maybe("remarks", .array(of: .text(), "Anomalies found in the file.", minimumCount: 1)),
        ]

    private static let identity: [JSONSchema.Property] = [
        .always("id", .integer("Track ID.", minimum: 1)),
        .always(
            "relative_path",
            .text("Path relative to the music folder.", example: "Harbour/01 Night Ferry.mp3")),
        .always("audio_hash", .audioHash),
        .maybe(
            "analyzer_version", .integer("Version of the analyzer that made the measurements.", minimum: 1)),
    ]

    private static let tags: [JSONSchema.Property] = [
        .maybe("title", .text("Title.")),
        .maybe("artist", .text("Artist.")),
        .maybe("album", .text("Album.")),
        .maybe("album_artist", .text("Album artist.")),
        .maybe("track_number", .integer("Track number on the disc.", minimum: 1)),
        .maybe("disc_number", .integer("Disc number.", minimum: 1)),
        .maybe("year", .integer("Year.", minimum: nil)),
        .maybe("genre", .text("Genre.")),
    ]

    private static let stream: [JSONSchema.Property] = [
        .maybe("duration_seconds", .seconds("Exact gapless duration", example: 215.3)),
        .maybe("sample_count", .integer("Samples per channel in gapless playback.")),
        .maybe("frame_count", .integer("Number of MPEG audio frames.")),
        .maybe("sample_rate_hz", .integer("Sample rate in Hz.", minimum: 8000, maximum: 48_000)),
        .maybe("channels", .integer("Number of channels.", minimum: 1, maximum: 2)),
        .maybe("mpeg_version", .oneOf(["1", "2", "2.5"], "MPEG audio version.")),
        .maybe("bit_rate_mode", .oneOf(["constant", "average", "variable", "free"], "Bit rate mode.")),
        .maybe("average_bit_rate_bps", .integer("Average bit rate in bits per second.")),
        .maybe("encoder_delay_samples", .integer("Samples that the encoder added at the start.")),
        .maybe("encoder_padding_samples", .integer("Samples that the encoder added at the end.")),
    ]

    private static let levels: [JSONSchema.Property] = [
        .maybe("integrated_lufs", .number("Integrated loudness in LUFS (EBU R 128).", example: -9.4)),
        .maybe("loudness_range_lu", .number("Loudness range in LU (EBU Tech 3342).", minimum: 0)),
        .maybe("max_momentary_lufs", .number("Maximum momentary loudness (400 ms) in LUFS.")),
        .maybe("max_short_term_lufs", .number("Maximum short-term loudness (3 s) in LUFS.")),
        .maybe("sample_peak_dbfs", .number("Sample peak in dBFS.")),
        .maybe("true_peak_dbtp", .number("True peak in dBTP (BS.1770).")),
        .maybe("replay_gain_db", .number("ReplayGain 2.0 track gain in dB.")),
    ]

    private static let cuePoints: [JSONSchema.Property] = [
        .maybe("silence_start_seconds", .seconds("End of the leading silence")),
        .maybe("silence_end_seconds", .seconds("Start of the trailing silence")),
        .maybe("is_silent", .flag("Whether the track is silent throughout.")),
        .maybe("cue_in_seconds", .seconds("First audible moment")),
        .maybe("cue_out_seconds", .seconds("End of the last audible moment")),
        .maybe("fade_in_end_seconds", .seconds("End of the fade-in")),
        .maybe("fade_out_start_seconds", .seconds("Start of the fade-out")),
        .maybe("start_next_seconds", .seconds("Earliest start of the next track")),
        .maybe("ending", .oneOf(CrossfadeTrack.Ending.allCases.map(\.rawValue), "How the track ends.")),
        .maybe("cue_in_confidence", .share("Confidence in the cue-in")),
        .maybe("cue_out_confidence", .share("Confidence in the cue-out")),
        .maybe("start_next_confidence", .share("Confidence in the start of the next track")),
        .maybe("inner_silence_start_seconds", .seconds("Start of a long silence within the track")),
        .maybe("inner_silence_end_seconds", .seconds("End of that silence")),
    ]

    private static let music: [JSONSchema.Property] = [
        .maybe("bpm", .number("Tempo in beats per minute.", minimum: 0, isOpenBelow: true, example: 120)),
        .maybe("bpm_confidence", .share("Confidence in the tempo")),
        .maybe("beat_confidence", .share("Probability that the beats are on the beat, not between")),
        .maybe("first_beat_seconds", .number("Time of the first beat, in seconds.")),
        .maybe("beat_seconds", .array(of: .number(), "Times of all beats, in seconds.")),
        .maybe("key", .text("Musical key.", example: "F# minor")),
        .maybe("key_camelot", .camelotKey),
        .maybe("key_confidence", .share("Confidence in the key")),
        .maybe(
            "tuning_cents",
            .number("Tuning in cents above A = 440 Hz.", minimum: -50, maximum: 50, example: -4.5)),
    ]
}

extension JSONSchema {
    package static let audioHash = text(
        matching: "^[0-9a-f]{32}$", "Hash of the audio; identical for copies that differ only in their tags.",
        example: "5f0c2d4be1a09c77d3e1f0a1b2c3d4e5")
    package static let camelotKey = text(
        matching: "^(1[0-2]|[1-9])[AB]$", "Key on the Camelot wheel.", example: "11A")
}
