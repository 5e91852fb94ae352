/// A track as reported to the outside: the line printed by `analyze-cli --json`, and the API's responses.
///
/// Keys are in snake case and include the unit where needed. Missing values, such as the tempo of spoken word, are omitted.
public struct TrackReport: Codable, Sendable, Equatable {
    /// Track ID in the library.
    public var id: Int?
    /// Path relative to the music folder.
    public var relativePath: String
    /// Identity of the audio, 32 hexadecimal digits.
    public var audioHash: String
    /// Version of the analyzer.
    public var analyzerVersion: Int?

    /// Title.
    public var title: String?
    /// Artist.
    public var artist: String?
    /// Album.
    public var album: String?
    /// Album artist.
    public var albumArtist: String?
    /// Track number on the disc.
    public var trackNumber: Int?
    /// Disc number.
    public var discNumber: Int?
    /// Year.
    public var year: Int?
    /// Genre.
    public var genre: String?

    /// Exact duration in seconds after gapless trimming.
    public var durationSeconds: Double?
    /// Samples per channel after gapless trimming.
    public var sampleCount: Int?
    /// MPEG audio frames.
    public var frameCount: Int?
    /// Sample rate in Hz.
    public var sampleRateHz: Int?
    /// Channels.
    public var channels: Int?
    /// "1", "2" or "2.5".
    public var mpegVersion: String?
    /// "constant", "average", "variable" or "free".
    public var bitRateMode: String?
    /// Mean bit rate in bits per second.
    public var averageBitRateBPS: Int?
    /// Encoder delay in samples.
    public var encoderDelaySamples: Int?
    /// Encoder padding in samples.
    public var encoderPaddingSamples: Int?

    /// Integrated loudness in LUFS.
    public var integratedLUFS: Double?
    /// Loudness range in LU.
    public var loudnessRangeLU: Double?
    /// Highest momentary loudness in LUFS.
    public var maxMomentaryLUFS: Double?
    /// Highest short-term loudness in LUFS.
    public var maxShortTermLUFS: Double?
    /// Sample peak in dBFS.
    public var samplePeakDBFS: Double?
    /// True peak in dBTP.
    public var truePeakDBTP: Double?
    /// ReplayGain 2.0 track gain in dB.
    public var replayGainDB: Double?

    /// End of the leading silence in seconds.
    public var silenceStartSeconds: Double?
    /// Start of the trailing silence in seconds.
    public var silenceEndSeconds: Double?
    /// Whether the track is silent throughout.
    public var isSilent: Bool?

    /// First audible moment, in seconds.
    public var cueInSeconds: Double?
    /// End of the last audible moment, in seconds.
    public var cueOutSeconds: Double?
    /// End of the fade-in, in seconds.
    public var fadeInEndSeconds: Double?
    /// Start of the fade-out, in seconds.
    public var fadeOutStartSeconds: Double?
    /// Earliest start of the next track, in seconds.
    public var startNextSeconds: Double?
    /// "hard", "fade", "sustained" or "long_tail".
    public var ending: String?
    /// Confidence of the cue-in, 0…1.
    public var cueInConfidence: Double?
    /// Confidence of the cue-out, 0…1.
    public var cueOutConfidence: Double?
    /// Trust in the start of the next track, 0…1.
    public var startNextConfidence: Double?
    /// Start of a long silence inside the track, in seconds.
    public var innerSilenceStartSeconds: Double?
    /// End of that silence, in seconds: a hidden track begins here.
    public var innerSilenceEndSeconds: Double?

    /// Tempo in beats per minute.
    public var bpm: Double?
    /// Confidence of the tempo, 0…1.
    public var bpmConfidence: Double?
    /// Probability that the beats are on the beat rather than between, 0…1.
    public var beatConfidence: Double?
    /// Time of the first beat in seconds.
    public var firstBeatSeconds: Double?
    /// Key, "F# minor".
    public var key: String?
    /// Key in Camelot notation, "11A".
    public var keyCamelot: String?
    /// Confidence of the key, 0…1.
    public var keyConfidence: Double?
    /// Tuning in cents above A = 440 Hz, −50…50.
    public var tuningCents: Double?

    /// Frames whose content is damaged, which were measured as silence; left out where they were not counted.
    public var damagedFrameCount: Int?
    /// Irregularities of the file; omitted for a sound one.
    public var remarks: [String]?

    /// A report without measurements.
    public init(relativePath: String, audioHash: String) {
        self.relativePath = relativePath
        self.audioHash = audioHash
    }

    /// Keys in the order in which they are best read.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case relativePath = "relative_path"
        case audioHash = "audio_hash"
        case analyzerVersion = "analyzer_version"
        case title, artist, album
        case albumArtist = "album_artist"
        case trackNumber = "track_number"
        case discNumber = "disc_number"
        case year, genre
        case durationSeconds = "duration_seconds"
        case sampleCount = "sample_count"
        case frameCount = "frame_count"
        case sampleRateHz = "sample_rate_hz"
        case channels
        case mpegVersion = "mpeg_version"
        case bitRateMode = "bit_rate_mode"
        case averageBitRateBPS = "average_bit_rate_bps"
        case encoderDelaySamples = "encoder_delay_samples"
        case encoderPaddingSamples = "encoder_padding_samples"
        case integratedLUFS = "integrated_lufs"
        case loudnessRangeLU = "loudness_range_lu"
        case maxMomentaryLUFS = "max_momentary_lufs"
        case maxShortTermLUFS = "max_short_term_lufs"
        case samplePeakDBFS = "sample_peak_dbfs"
        case truePeakDBTP = "true_peak_dbtp"
        case replayGainDB = "replay_gain_db"
        case silenceStartSeconds = "silence_start_seconds"
        case silenceEndSeconds = "silence_end_seconds"
        case isSilent = "is_silent"
        case cueInSeconds = "cue_in_seconds"
        case cueOutSeconds = "cue_out_seconds"
        case fadeInEndSeconds = "fade_in_end_seconds"
        case fadeOutStartSeconds = "fade_out_start_seconds"
        case startNextSeconds = "start_next_seconds"
        case ending
        case cueInConfidence = "cue_in_confidence"
        case cueOutConfidence = "cue_out_confidence"
        case startNextConfidence = "start_next_confidence"
        case innerSilenceStartSeconds = "inner_silence_start_seconds"
        case innerSilenceEndSeconds = "inner_silence_end_seconds"
        case bpm
        case bpmConfidence = "bpm_confidence"
        case beatConfidence = "beat_confidence"
        case firstBeatSeconds = "first_beat_seconds"
        case key
        case keyCamelot = "key_camelot"
        case keyConfidence = "key_confidence"
        case tuningCents = "tuning_cents"
        case damagedFrameCount = "damaged_frame_count"
        case remarks
    }
}
