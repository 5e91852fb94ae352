public import MusicalStructure

/// All results of one pass over a track's audio.
///
/// They depend only on the audio payload: two files with the same frames and different tags have the same analysis, which is
/// why it is stored under ``AudioHash``.
public struct TrackAnalysis: Sendable, Equatable {
    /// Version of the measurements. It is increased whenever any stored value changes; analyses of an older version are stale.
    public static let currentVersion = 15

    /// Identity of the audio payload.
    public var audioHash: AudioHash
    /// ``currentVersion`` of the program that created this analysis.
    public var version: Int
    /// Format, exact length and frame index of the MPEG stream.
    public var stream: StreamDescription
    /// The measured profile; nil in a pass for visualizer frames only.
    public var profile: TrackProfile?
    /// Visualizer frames; nil in a pass for profiles only.
    public var frames: MeasuredSpectra?

    /// Memberwise initializer.
    public init(
        audioHash: AudioHash, version: Int = currentVersion, stream: StreamDescription,
        profile: TrackProfile?,
        frames: MeasuredSpectra?
    ) {
        self.audioHash = audioHash
        self.version = version
        self.stream = stream
        self.profile = profile
        self.frames = frames
    }
}

/// The measurements of a track that a player or DJ needs: loudness, cue points, tempo, key and sound.
///
/// All times are in seconds on the gapless timeline: 0 is the first sample from a gapless decoder.
public struct TrackProfile: Sendable, Equatable {
    /// Loudness and peaks according to EBU R 128.
    public var loudness: LoudnessMeasurement
    /// Leading and trailing silence.
    public var silence: SilenceBounds
    /// Start, end and overlap points of the track.
    public var cue: CuePoints
    /// Tempo and beats; nil without a steady pulse.
    public var tempo: Tempo?
    /// Where phrases start, ascending; nil without a pulse, for less than eight bars, and in analyses of versions up to 8.
    public var phrases: [PhraseBoundary]?
    /// Musical key; nil for silence or music without a key.
    public var key: MusicalKey?
    /// The keys of the track's parts, ascending, if it clearly changes its key; empty if it does not, nil without a key and in analyses
    /// of versions up to 9.
    public var keySections: [KeySection]?
    /// Minimum and maximum of the mono mix per pixel.
    public var waveform: WaveformOverview
    /// Identifies the recording in other encodings; nil for audio of less than three seconds.
    public var fingerprint: AudioFingerprint?
    /// Energy, danceability, brightness, and the descriptor that similar tracks are found by.
    public var character: SoundCharacter

    /// Memberwise initializer.
    public init(
        loudness: LoudnessMeasurement, silence: SilenceBounds, cue: CuePoints, tempo: Tempo?,
        phrases: [PhraseBoundary]? = nil, key: MusicalKey?, keySections: [KeySection]? = nil,
        waveform: WaveformOverview, fingerprint: AudioFingerprint? = nil,
        character: SoundCharacter = SoundCharacter()
    ) {
        self.loudness = loudness
        self.silence = silence
        self.cue = cue
        self.tempo = tempo
        self.phrases = phrases
        self.key = key
        self.keySections = keySections
        self.waveform = waveform
        self.fingerprint = fingerprint
        self.character = character
    }

    /// The bytes of ``phrases``, as stored; nil if there is no list.
    public var phraseBytes: [UInt8]? {
        get { phrases.map(PhraseCoding.encode) }
        set { phrases = newValue.flatMap(PhraseCoding.decode) }
    }

    /// The bytes of ``keySections``, as stored; nil if there is no list.
    public var keySectionBytes: [UInt8]? {
        get { keySections.map(KeySectionCoding.encode) }
        set { keySections = newValue.flatMap(KeySectionCoding.decode) }
    }
}
