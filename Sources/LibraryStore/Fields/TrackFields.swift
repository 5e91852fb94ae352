internal import MusicalStructure
internal import Analyzer
internal import MusicShared
internal import SQLiteDatabase
internal import Tagging

extension TrackField {
    /// All fields, in the order in which they are best read.
    package static let all: [TrackField] =
        identity + tags + streamFields + loudness + silence + cue + tempo + phrases + key + keySections
        + sound + anomalies

    /// The fields of every report.
    package static let reported = all.filter { $0.place == .reports }
    /// The fields with a column in `analyses`.
    static let stored = all.filter { $0.column != nil }

    /// The hash of the audio.
    package static let audioHash = of(
        "audio_hash", .pattern("^[0-9a-f]{32}$", example: "5f0c2d4be1a09c77d3e1f0a1b2c3d4e5"),
        "Hash of the audio; identical for copies that differ only in their tags.", isAlways: true
    ) { .text($0.track.audioHash.description) }

    /// The key on the Camelot wheel.
    package static let camelotKey = of(
        "key_camelot", .pattern("^(1[0-2]|[1-9])[AB]$", example: "11A"), "Key on the Camelot wheel."
    ) {
        ($0.analysis?.profile?.key).map { .text($0.camelot) }
    }

    private static let identity = [
        of("id", .integer(1...Int.max), "Track ID.", isAlways: true) { .integer($0.track.id) },
        of(
            "relative_path", .text(example: "Harbour/01 Night Ferry.mp3"),
            "Path relative to the music folder.", isAlways: true
        ) { .text($0.track.path.text) },
        audioHash,
        of(
            "analyzer_version", .integer(1...Int.max), "Version of the analyzer that made the measurements."
        ) { $0.analysis.map { .integer($0.version) } },
    ]

    private static let tags = [
        of("title", .text(), "Title.") { $0.track.tags.title.map { .text($0) } },
        of("artist", .text(), "Artist.") { $0.track.tags.artist.map { .text($0) } },
        of("album", .text(), "Album.") { $0.track.tags.album.map { .text($0) } },
        of("album_artist", .text(), "Album artist.") { $0.track.tags.albumArtist.map { .text($0) } },
        of("track_number", .integer(1...Int.max), "Track number on the disc.") {
            $0.track.tags.track.number.map { .integer($0) }
        },
        of("disc_number", .integer(1...Int.max), "Disc number.") {
            $0.track.tags.disc.number.map { .integer($0) }
        },
        of("year", .integer(Int.min...Int.max), "Year.") { $0.track.tags.year.map { .integer($0) } },
        of("genre", .text(), "Genre.") { $0.track.tags.genre.map { .text($0) } },
    ]

    /// The column is not NULL, but empty for formats other than MP3.
    private static let mpegVersion = TrackField(
        key: "mpeg_version", kind: .choice(["1", "2", "2.5"]), meaning: "MPEG audio version; only for MP3.",
        column: Column(
            isOfProfile: false, stored: { $0.stream.mpegVersion ?? "" },
            restore: { analysis, row in
                let version: String = try row["mpeg_version"]
                analysis.stream.mpegVersion = version.isEmpty ? nil : version
            })
    ) { ($0.analysis?.stream.mpegVersion).map { .text($0) } }

    private static let streamFields = [
        stream(
            "duration_seconds", .number(.exactSeconds, 0 ... .infinity, example: 215.3),
            "Exact gapless duration, in seconds.", \.durationSeconds),
        stream(
            "sample_count", .integer(0...Int.max), "Samples per channel in gapless playback.", \.sampleCount),
        stream("frame_count", .integer(0...Int.max), "Number of frames.", \.frameCount),
        stream("sample_rate_hz", .integer(8000...384_000), "Sample rate in Hz.", \.sampleRateHz),
        stream("channels", .integer(1...8), "Number of channels.", \.channels),
        stream(
            "format", .choice(AudioFormat.allCases.map(\.rawValue)), "Format of the file.", \.format),
        stream("bit_depth", .integer(4...32), "Bits per sample; not for MP3.", \.bitDepth),
        mpegVersion,
        stream(
            "bit_rate_mode", .choice(["constant", "average", "variable", "free", "lossless"]),
            "Bit rate mode.", \.bitRateMode),
        stream(
            "average_bit_rate_bps", .integer(0...Int.max), "Average bit rate in bits per second.",
            \.averageBitRate),
        stream(
            "encoder_delay_samples", .integer(0...Int.max), "Samples that the encoder added at the start.",
            \.encoderDelaySamples),
        stream(
            "encoder_padding_samples", .integer(0...Int.max), "Samples that the encoder added at the end.",
            \.encoderPaddingSamples),
        stream(
            "samples_per_frame", .integer(0...Int.max), "Samples per channel in a frame.", place: .storage,
            \.samplesPerFrame),
        stream(
            "decoded_sample_count", .integer(0...Int.max), "Samples per channel before trimming.",
            place: .storage, \.decodedSampleCount),
        stream(
            "skipped_bytes", .integer(0...Int.max), "Bytes between frames that are no frame.",
            place: .storage, \.skippedBytes),
        stream(
            "resync_count", .integer(0...Int.max), "Times that the next frame had to be searched.",
            place: .storage, \.resyncCount),
    ]

    /// Loudness and peaks.
    package static let loudness = [
        measured(
            "integrated_lufs", .number(.lufs, example: -9.4), "Integrated loudness in LUFS (EBU R 128).",
            label: "integrated", \.loudness.integratedLUFS),
        measured(
            "loudness_range_lu", .number(.lu, 0 ... .infinity), "Loudness range in LU (EBU Tech 3342).",
            label: "range", \.loudness.loudnessRangeLU),
        measured(
            "max_momentary_lufs", .number(.lufs), "Maximum momentary loudness (400 ms) in LUFS.",
            label: "max momentary", \.loudness.maxMomentaryLUFS),
        measured(
            "max_short_term_lufs", .number(.lufs), "Maximum short-term loudness (3 s) in LUFS.",
            label: "max short-term", \.loudness.maxShortTermLUFS),
        measured(
            "sample_peak", .number(.share, 0 ... .infinity), "Sample peak; 1 is full scale.",
            place: .storage, \.loudness.samplePeak),
        derived(
            "sample_peak_dbfs", .number(.dBFS), "Sample peak in dBFS.", label: "sample peak",
            \.loudness.samplePeakDBFS),
        measured(
            "true_peak", .number(.share, 0 ... .infinity), "True peak; 1 is full scale.", place: .storage,
            \.loudness.truePeak),
        derived(
            "true_peak_dbtp", .number(.dBTP), "True peak in dBTP (BS.1770).", label: "true peak",
            \.loudness.truePeakDBTP),
        derived(
            "plr_db", .number(.dB),
            "Peak-to-loudness ratio (PLR) in dB: true peak minus integrated loudness.",
            label: "PLR", \.loudness.peakToLoudnessDB),
        measured(
            "min_psr_db", .number(.dB),
            "Minimum peak-to-short-term ratio (PSR) in dB: sample peak minus loudness of the densest 3 s.",
            label: "min PSR", \.loudness.minPSR),
        of("replay_gain_db", .number(.dB), "ReplayGain 2.0 track gain in dB.", label: "ReplayGain") {
            $0.analysis?.profile?.loudness.replayGainDB.map { .number($0, in: .dB) }
        },
    ]

    private static let silence = [
        measured(
            "silence_start_seconds", .number(.seconds, 0 ... .infinity),
            "End of the leading silence, in seconds.",
            \.silence.leadingEndSeconds),
        measured(
            "silence_end_seconds", .number(.seconds, 0 ... .infinity),
            "Start of the trailing silence, in seconds.",
            \.silence.trailingStartSeconds),
        measured("is_silent", .flag, "Whether the track is silent throughout.", \.silence.isSilent),
    ]

    private static let cue = [
        measured(
            "cue_in_seconds", .number(.seconds, 0 ... .infinity), "First audible moment, in seconds.",
            \.cue.cueInSeconds),
        measured(
            "cue_out_seconds", .number(.seconds, 0 ... .infinity),
            "End of the last audible moment, in seconds.",
            \.cue.cueOutSeconds),
        measured(
            "fade_in_end_seconds", .number(.seconds, 0 ... .infinity), "End of the fade-in, in seconds.",
            \.cue.fadeInEndSeconds),
        measured(
            "fade_out_start_seconds", .number(.seconds, 0 ... .infinity),
            "Start of the fade-out, in seconds.",
            \.cue.fadeOutStartSeconds),
        measured(
            "start_next_seconds", .number(.seconds, 0 ... .infinity),
            "Earliest start of the next track, in seconds.",
            \.cue.startNextSeconds),
        measured(
            "ending", .choice(CrossfadeTrack.Ending.allCases.map(\.rawValue)), "How the track ends.",
            \.cue.ending),
        measured(
            "cue_in_confidence", .number(.share, 0...1), "Confidence in the cue-in, 0…1.",
            \.cue.cueInConfidence),
        measured(
            "cue_out_confidence", .number(.share, 0...1), "Confidence in the cue-out, 0…1.",
            \.cue.cueOutConfidence),
        measured(
            "start_next_confidence", .number(.share, 0...1),
            "Confidence in the start of the next track, 0…1.",
            \.cue.startNextConfidence),
        measured(
            "inner_silence_start_seconds", .number(.seconds, 0 ... .infinity),
            "Start of a long silence within the track, in seconds.", \.cue.innerSilence, \.startSeconds),
        measured(
            "inner_silence_end_seconds", .number(.seconds, 0 ... .infinity),
            "End of that silence, in seconds.",
            \.cue.innerSilence, \.endSeconds),
    ]

    private static let tempo = [
        measured(
            "bpm", .number(.bpm, Double.leastNonzeroMagnitude ... .infinity, example: 120),
            "Tempo in beats per minute.", \.tempo, \.bpm),
        measured(
            "bpm_confidence", .number(.share, 0...1), "Confidence in the tempo, 0…1.", \.tempo, \.confidence),
        measured(
            "beat_confidence", .number(.share, 0...1),
            "Probability that the beats are on the beat, not between, 0…1.", \.tempo, \.beatConfidence),
        // The first beat may precede the first sample.
        measured(
            "first_beat_seconds", .number(.seconds), "Time of the first beat, in seconds.", \.tempo,
            \.firstBeatSeconds),
        measured(
            "beats_per_bar", .integer(2...6), "Metre: beats per bar.", \.tempo, \.beatsPerBar),
        measured(
            "first_downbeat", .integer(0...5), "Number of the first beat that starts a bar, from 0.", \.tempo,
            \.firstDownbeat),
        measured(
            "bar_confidence", .number(.share, 0...1),
            "Probability that metre and bars are right, 0…1.", \.tempo, \.barConfidence),
        of("beat_seconds", .numbers(.seconds), "Times of all beats, in seconds.", place: .details) {
            ($0.analysis?.profile?.tempo?.beatSeconds).map {
                .numbers($0.map { $0.rounded(in: .seconds) })
            }
        },
    ]

    private static let phrases = [
        measured("phrases", .text(), "Starts of phrases.", place: .storage, \.phraseBytes),
        of(
            "phrase_seconds", .numbers(.seconds),
            "Times at which phrases start, in seconds: downbeats at which the sound changes."
        ) {
            ($0.analysis?.profile?.phrases).map {
                .numbers($0.map { $0.seconds.rounded(in: .seconds) })
            }
        },
        of(
            "phrase_confidences", .numbers(.share),
            "Probability that a phrase starts at each of these times, 0…1."
        ) {
            ($0.analysis?.profile?.phrases).map {
                .numbers($0.map { $0.confidence.rounded(in: .share) })
            }
        },
    ]

    private static let key = [
        of("key", .text(example: "F# minor"), "Musical key.") {
            ($0.analysis?.profile?.key).map { .text($0.name) }
        },
        camelotKey,
        measured(
            "key_tonic", .integer(0...11), "Tonic of the key: 0 is C.", place: .storage, \.key, \.tonic),
        measured(
            "key_mode", .choice(["major", "minor"]), "Mode of the key.", place: .storage, \.key, \.mode),
        measured(
            "key_confidence", .number(.share, 0...1), "Confidence in the key, 0…1.", \.key, \.confidence),
        measured(
            "tuning_cents", .number(.cents, -50...50, example: -4.5),
            "Tuning in cents above A = 440 Hz.", \.key, \.tuningCents),
    ]

    private static let keySections = [
        measured(
            "key_sections", .text(), "Keys of the track's parts.", place: .storage, \.keySectionBytes),
        of(
            "key_section_seconds", .numbers(.seconds),
            "Times at which the track's parts in different keys start, in seconds; empty if the key does not change."
        ) {
            ($0.analysis?.profile?.keySections).map {
                .numbers($0.map { $0.seconds.rounded(in: .seconds) })
            }
        },
        of("key_section_keys", .texts(canBeEmpty: true), "Key of each of these parts.") {
            ($0.analysis?.profile?.keySections).map { .texts($0.map(\.key.name)) }
        },
        of(
            "key_section_confidences", .numbers(.share),
            "Probability that the key of each of these parts is right and starts there, 0…1."
        ) {
            ($0.analysis?.profile?.keySections).map {
                .numbers($0.map { $0.key.confidence.rounded(in: .share) })
            }
        },
    ]

    /// Energy, danceability, brightness and the descriptor.
    package static let sound = [
        measured(
            "energy", .number(.share, 0...1),
            "Activity: how much the levels of all bands rise per second, 0…1. An average track has 0.5.",
            label: "energy", \.character.energy),
        measured(
            "danceability", .number(.share, 0...1), "Clarity of the pulse between 60 and 200 BPM, 0…1.",
            label: "danceability", \.character.danceability),
        measured(
            "brightness_hz", .number(.hertz, 0 ... .infinity, example: 780),
            "Average centre of the spectrum in Hz, on a logarithmic scale.", label: "brightness",
            \.character.brightnessHz),
        measured(
            "descriptor", .text(), "The sonic descriptor.", place: .storage, \.character.descriptorBytes),
        of(
            "sonic_descriptor", .numbers(.share),
            "Coordinates of the track in a space in which tracks that sound alike are close.",
            place: .details
        ) {
            ($0.analysis?.profile?.character.descriptor).map { descriptor in
                .numbers(descriptor.values.map { Double($0).rounded(in: .share) })
            }
        },
    ]

    private static let anomalies = [
        stream(
            "damaged_frame_count", .integer(0...Int.max),
            "Number of damaged frames, which are measured as silence.", \.damagedFrameCount),
        of("remarks", .texts(), "Anomalies found in the file.") { track in
            guard let remarks = track.analysis?.stream.remarks, !remarks.isEmpty else { return nil }
            return .texts(remarks)
        },
    ]
}
