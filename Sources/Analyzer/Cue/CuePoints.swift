/// The times at which a player starts a track, starts the next one, and ends it.
///
/// `cueIn ≤ fadeInEnd ≤ fadeOutStart ≤ cueOut` and `cueIn ≤ startNext ≤ cueOut`, all in seconds on the gapless timeline. The
/// points never cut audible music: players must shorten an overlap that is too long by starting the next track later.
public struct CuePoints: Sendable, Equatable {
    /// First audible moment.
    public var cueInSeconds: Double
    /// End of the last audible moment.
    public var cueOutSeconds: Double
    /// End of the fade-in, when the track reaches its own level; equal to the cue-in for a track that starts abruptly.
    public var fadeInEndSeconds: Double
    /// Start of the fade-out, when the track leaves its own level; equal to the cue-out for a track that ends abruptly.
    public var fadeOutStartSeconds: Double
    /// Earliest start of the next track.
    public var startNextSeconds: Double
    /// How the track ends.
    public var ending: Ending
    /// Confidence of the cue-in, 0…1: how distinct the level step is.
    public var cueInConfidence: Double
    /// Confidence of the cue-out, 0…1.
    public var cueOutConfidence: Double
    /// Confidence of the start of the next track, 0…1.
    public var startNextConfidence: Double
    /// The longest silence of at least 5 s inside the track, if any: a hidden track follows.
    public var innerSilence: InnerSilence?
    /// Rise of the track: seconds from the cue-in until each level, in dB relative to its integrated loudness, is first reached.
    public var startRamp: [RampPoint]
    /// Fall of the track: seconds from the last time each level, in dB relative to its integrated loudness, is reached until
    /// the cue-out.
    public var endRamp: [RampPoint]

    /// Kinds of ending.
    public enum Ending: String, Sendable, CaseIterable {
        /// The main part stops within a second, however loud or steady it was; steady noise or hum far below it may follow.
        case hard
        /// A steady fall to silence.
        case fade
        /// After the main part a quieter sound is held, then stops: a final chord.
        case sustained
        /// A quiet passage or slow decay that continues long after the main part.
        case longTail = "long_tail"
    }

    /// A level and the time at which it is reached.
    public struct RampPoint: Sendable, Equatable {
        /// Level in dB relative to the track's integrated loudness.
        public var levelDB: Double
        /// Distance from the cue point in seconds, never negative.
        public var seconds: Double

        /// Memberwise initializer.
        public init(levelDB: Double, seconds: Double) {
            self.levelDB = levelDB
            self.seconds = seconds
        }
    }

    /// A silence between two audible parts.
    public struct InnerSilence: Sendable, Equatable {
        /// Shortest reported silence, in seconds.
        public static let minimumSeconds = 5.0

        /// Time at which the sound stops, in seconds.
        public var startSeconds: Double
        /// Time at which it resumes, in seconds.
        public var endSeconds: Double

        /// Memberwise initializer.
        public init(startSeconds: Double, endSeconds: Double) {
            self.startSeconds = startSeconds
            self.endSeconds = endSeconds
        }
    }

    /// Memberwise initializer.
    public init(
        cueInSeconds: Double, cueOutSeconds: Double, fadeInEndSeconds: Double, fadeOutStartSeconds: Double,
        startNextSeconds: Double, ending: Ending, cueInConfidence: Double, cueOutConfidence: Double,
        startNextConfidence: Double, innerSilence: InnerSilence?, startRamp: [RampPoint], endRamp: [RampPoint]
    ) {
        self.cueInSeconds = cueInSeconds
        self.cueOutSeconds = cueOutSeconds
        self.fadeInEndSeconds = fadeInEndSeconds
        self.fadeOutStartSeconds = fadeOutStartSeconds
        self.startNextSeconds = startNextSeconds
        self.ending = ending
        self.cueInConfidence = cueInConfidence
        self.cueOutConfidence = cueOutConfidence
        self.startNextConfidence = startNextConfidence
        self.innerSilence = innerSilence
        self.startRamp = startRamp
        self.endRamp = endRamp
    }
}
