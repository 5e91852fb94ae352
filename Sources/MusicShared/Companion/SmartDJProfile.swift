/// The values a player needs to mix a track with others: the response to `GET /smart-dj/profile`.
///
/// `bpm`, `silence_start`, `silence_end` and `lufs` are short names used by Companion API players; the other keys are those of
/// `GET /tracks/:id/analysis`. Missing values, such as the tempo of spoken word, are omitted.
public struct SmartDJProfile: Codable, Sendable, Equatable {
    /// Track ID in the library.
    public var id: Int
    /// Path relative to the music folder.
    public var relativePath: String

    /// Tempo in beats per minute.
    public var bpm: Double?
    /// End of the leading silence in seconds.
    public var silenceStart: Double
    /// Start of the trailing silence in seconds.
    public var silenceEnd: Double
    /// Integrated loudness in LUFS.
    public var lufs: Double?

    /// Exact duration in seconds after gapless trimming.
    public var durationSeconds: Double
    /// Loudness range in LU.
    public var loudnessRangeLU: Double?
    /// Sample peak in dBFS.
    public var samplePeakDBFS: Double?
    /// True peak in dBTP.
    public var truePeakDBTP: Double?
    /// Gain in dB that brings the track to −18 LUFS (ReplayGain 2.0).
    public var replayGainDB: Double?
    /// Gain in dB that brings its album to −18 LUFS; nil until all tracks of the album are measured.
    public var albumReplayGainDB: Double?

    /// Whether the track is silent throughout.
    public var isSilent: Bool
    /// First audible moment, in seconds.
    public var cueInSeconds: Double
    /// End of the last audible moment, in seconds.
    public var cueOutSeconds: Double
    /// End of the fade-in, in seconds.
    public var fadeInEndSeconds: Double
    /// Start of the fade-out, in seconds.
    public var fadeOutStartSeconds: Double
    /// Earliest start of the next track, in seconds.
    public var startNextSeconds: Double
    /// "hard", "fade", "sustained" or "long_tail".
    public var ending: String

    /// Confidence of the tempo, 0…1.
    public var bpmConfidence: Double?
    /// Probability that the beats are on the beat rather than between, 0…1.
    public var beatConfidence: Double?
    /// Time of the first beat in seconds.
    public var firstBeatSeconds: Double?
    /// Metre: beats per bar, 2, 3, 4 or 6.
    public var beatsPerBar: Int?
    /// Number of the first beat that starts a bar, from 0.
    public var firstDownbeat: Int?
    /// Probability that metre and bars are right, 0…1.
    public var barConfidence: Double?
    /// Key, "F# minor".
    public var key: String?
    /// Key in Camelot notation, "11A".
    public var keyCamelot: String?
    /// Confidence of the key, 0…1.
    public var keyConfidence: Double?

    /// Creates the profile of a track, with its measurements; nil if it has none.
    /// - Parameters:
    ///   - silence: end of the leading and start of the trailing silence, in seconds.
    ///   - isSilent: whether the track is silent throughout.
    public init?(_ track: TrackItem, silence: (start: Double, end: Double), isSilent: Bool) {
        guard let duration = track.durationSeconds, let cueIn = track.cueInSeconds,
            let cueOut = track.cueOutSeconds, let fadeInEnd = track.fadeInEndSeconds,
            let fadeOutStart = track.fadeOutStartSeconds, let startNext = track.startNextSeconds,
            let ending = track.ending
        else { return nil }
        id = track.id
        relativePath = track.relativePath
        bpm = track.bpm
        silenceStart = silence.start
        silenceEnd = silence.end
        lufs = track.integratedLUFS
        durationSeconds = duration
        loudnessRangeLU = track.loudnessRangeLU
        samplePeakDBFS = track.samplePeakDBFS
        truePeakDBTP = track.truePeakDBTP
        self.isSilent = isSilent
        cueInSeconds = cueIn
        cueOutSeconds = cueOut
        fadeInEndSeconds = fadeInEnd
        fadeOutStartSeconds = fadeOutStart
        startNextSeconds = startNext
        self.ending = ending
        bpmConfidence = track.bpmConfidence
        beatConfidence = track.beatConfidence
        firstBeatSeconds = track.firstBeatSeconds
        beatsPerBar = track.beatsPerBar
        firstDownbeat = track.firstDownbeat
        barConfidence = track.barConfidence
        key = track.key
        keyCamelot = track.keyCamelot
    }

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case relativePath = "relative_path"
        case bpm
        case silenceStart = "silence_start"
        case silenceEnd = "silence_end"
        case lufs
        case durationSeconds = "duration_seconds"
        case loudnessRangeLU = "loudness_range_lu"
        case samplePeakDBFS = "sample_peak_dbfs"
        case truePeakDBTP = "true_peak_dbtp"
        case replayGainDB = "replay_gain_db"
        case albumReplayGainDB = "album_replay_gain_db"
        case isSilent = "is_silent"
        case cueInSeconds = "cue_in_seconds"
        case cueOutSeconds = "cue_out_seconds"
        case fadeInEndSeconds = "fade_in_end_seconds"
        case fadeOutStartSeconds = "fade_out_start_seconds"
        case startNextSeconds = "start_next_seconds"
        case ending
        case bpmConfidence = "bpm_confidence"
        case beatConfidence = "beat_confidence"
        case firstBeatSeconds = "first_beat_seconds"
        case beatsPerBar = "beats_per_bar"
        case firstDownbeat = "first_downbeat"
        case barConfidence = "bar_confidence"
        case key
        case keyCamelot = "key_camelot"
        case keyConfidence = "key_confidence"
    }
}
