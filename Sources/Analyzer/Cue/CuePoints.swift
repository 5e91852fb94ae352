/// Where a player starts a track, lets the next one in, and ends it.
///
/// `cueIn ≤ fadeInEnd ≤ fadeOutStart ≤ cueOut` and `cueIn ≤ startNext ≤ cueOut`, all in seconds on the gapless
/// timeline. The points never cut audible music: an overlap that is too long is for the player to solve by starting
/// the next track later.
public struct CuePoints: Sendable, Equatable {
    /// First audible moment.
    public var cueInSeconds: Double
    /// End of the last audible moment.
    public var cueOutSeconds: Double
    /// Where a fade-in has reached the track's own level; equal to the cue-in for a track that starts at once.
    public var fadeInEndSeconds: Double
    /// Where a fade-out leaves the track's own level; equal to the cue-out for a track that ends at once.
    public var fadeOutStartSeconds: Double
    /// Where the next track may start.
    public var startNextSeconds: Double
    /// How the track ends.
    public var ending: Ending
    /// Trust in the cue-in, 0…1: how clearly the level steps there.
    public var cueInConfidence: Double
    /// Trust in the cue-out, 0…1.
    public var cueOutConfidence: Double
    /// Trust in the start of the next track, 0…1.
    public var startNextConfidence: Double
    /// The longest silence inside the track, of 5 s or more, if there is one: what follows is a hidden track.
    public var innerSilence: InnerSilence?
    /// How fast the track rises: for each level in dB relative to its integrated loudness, the seconds after the
    /// cue-in at which it is first reached.
    public var startRamp: [RampPoint]
    /// How fast the track falls: for each level in dB relative to its integrated loudness, the seconds before the
    /// cue-out at which it is last reached.
    public var endRamp: [RampPoint]

    /// Kinds of ending.
    public enum Ending: String, Sendable, CaseIterable {
        /// The main part stops within a second, however loud or steady it was.
        case hard
        /// Falls steadily to silence.
        case fade
        /// After the main part a quieter sound is held, and then stops: a last chord.
        case sustained
        /// A quiet passage or slow decay that goes on well after the main part is over.
        case longTail = "long_tail"
    }

    /// A level and when it is reached.
    public struct RampPoint: Sendable, Equatable {
        /// Level in dB relative to the track's integrated loudness.
        public var levelDB: Double
        /// Distance from the cue point in seconds, never negative.
        public var seconds: Double

        /// Puts the parts together.
        public init(levelDB: Double, seconds: Double) {
            self.levelDB = levelDB
            self.seconds = seconds
        }
    }

    /// A stretch of silence between two audible parts.
    public struct InnerSilence: Sendable, Equatable {
        /// Shortest silence that is told of, in seconds.
        public static let minimumSeconds = 5.0

        /// Where the sound stops, in seconds.
        public var startSeconds: Double
        /// Where it goes on, in seconds.
        public var endSeconds: Double

        /// Puts the parts together.
        public init(startSeconds: Double, endSeconds: Double) {
            self.startSeconds = startSeconds
            self.endSeconds = endSeconds
        }
    }

    /// Puts the parts together.
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
