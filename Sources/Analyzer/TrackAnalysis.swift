/// Everything one pass over a track's audio tells about it.
///
/// It depends on nothing but the audio payload: two files with the same frames and different tags have the same
/// analysis, which is why it is stored under ``AudioHash``.
public struct TrackAnalysis: Sendable, Equatable {
    /// The version of the measurements. Raised whenever any stored value would come out differently; a stored
    /// analysis of an older version is stale.
    public static let currentVersion = 3

    /// Identity of the audio payload.
    public var audioHash: AudioHash
    /// ``currentVersion`` of the program that made this analysis.
    public var version: Int
    /// Format, exact length and frame index of the MPEG stream.
    public var stream: StreamDescription
    /// The measured profile; nil in a pass that makes visualizer frames only.
    public var profile: TrackProfile?
    /// Visualizer frames; nil in a pass that makes profiles only.
    public var frames: MeasuredFrames?

    /// Puts the parts together.
    public init(
        audioHash: AudioHash, version: Int = currentVersion, stream: StreamDescription,
        profile: TrackProfile?,
        frames: MeasuredFrames?
    ) {
        self.audioHash = audioHash
        self.version = version
        self.stream = stream
        self.profile = profile
        self.frames = frames
    }
}

/// The measurements a player or DJ needs of one track: how loud, where it begins and ends, how fast, in which key.
///
/// All times are seconds on the gapless timeline: 0 is the first sample a gapless decoder plays.
public struct TrackProfile: Sendable, Equatable {
    /// Loudness and peaks by EBU R 128.
    public var loudness: LoudnessMeasurement
    /// Leading and trailing silence.
    public var silence: SilenceBounds
    /// Where to start, end and overlap the track.
    public var cue: CuePoints
    /// Tempo and beats; nil where no steady pulse was found.
    public var tempo: Tempo?
    /// Musical key; nil where the music is silent or has none.
    public var key: MusicalKey?
    /// Minimum and maximum of the mono mix per pixel.
    public var waveform: WaveformOverview

    /// Puts the parts together.
    public init(
        loudness: LoudnessMeasurement, silence: SilenceBounds, cue: CuePoints, tempo: Tempo?,
        key: MusicalKey?,
        waveform: WaveformOverview
    ) {
        self.loudness = loudness
        self.silence = silence
        self.cue = cue
        self.tempo = tempo
        self.key = key
        self.waveform = waveform
    }
}
