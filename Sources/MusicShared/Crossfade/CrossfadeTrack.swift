/// The properties of a track that ``CrossfadePlan`` needs.
///
/// All are in a track's report and in the library database, so clients can plan on their own. Times are in seconds on the
/// gapless timeline.
public struct CrossfadeTrack: Sendable, Equatable {
    /// Track ID in the library.
    public var id: Int
    /// Duration.
    public var durationSeconds: Double
    /// First audible moment.
    public var cueInSeconds: Double
    /// End of the last audible moment.
    public var cueOutSeconds: Double
    /// End of the fade-in, when the track reaches its own level; the cue-in if it has none.
    public var fadeInEndSeconds: Double
    /// Start of the fade-out, when the track leaves its own level; the cue-out if it has none.
    public var fadeOutStartSeconds: Double
    /// Earliest start of the next track, judged by this track alone. Used if ``endRamp`` is empty.
    public var startNextSeconds: Double
    /// How the track ends.
    public var ending: Ending
    /// Seconds from the cue-in until each level, in dB relative to the integrated loudness, is first reached; empty if unknown.
    public var startRamp: [LevelRamp.Point]
    /// Seconds from the last time each level, in dB relative to the integrated loudness, is reached until the cue-out; empty if
    /// unknown.
    public var endRamp: [LevelRamp.Point]
    /// Loudness and peak of the track; nil if it is too quiet to be measured.
    public var loudness: Loudness?
    /// Loudness and peak of the album, if known.
    public var albumLoudness: Loudness?
    /// Tempo and beats; nil without a steady pulse.
    public var tempo: Tempo?
    /// Starts of phrases, ascending; empty if unknown.
    public var phrases: [Phrase] = []
    /// Key at the start, on the Camelot wheel; nil if unknown.
    public var startKey: CamelotKey?
    /// Key at the end, which differs from ``startKey`` if the key changes within the track; nil if unknown.
    public var endKey: CamelotKey?
    /// Position on an album; nil if the track is on none.
    public var place: AlbumPlace?

    /// How a track ends.
    public enum Ending: String, Codable, Sendable, CaseIterable {
        /// The main part stops within a second.
        case hard
        /// A steady fall to silence.
        case fade
        /// A quieter sound is held, then stops.
        case sustained
        /// A quiet passage continues long after the main part.
        case longTail = "long_tail"
    }

    /// Loudness of a track or an album.
    public struct Loudness: Sendable, Equatable {
        /// Integrated loudness in LUFS.
        public var integratedLUFS: Double
        /// Highest true peak in dBTP.
        public var truePeakDBTP: Double

        /// Memberwise initializer.
        public init(integratedLUFS: Double, truePeakDBTP: Double) {
            self.integratedLUFS = integratedLUFS
            self.truePeakDBTP = truePeakDBTP
        }
    }

    /// The start of a phrase.
    public struct Phrase: Sendable, Equatable {
        /// Time in seconds.
        public var seconds: Double
        /// Probability that a phrase starts here, 0…1.
        public var confidence: Double

        /// Memberwise initializer.
        public init(seconds: Double, confidence: Double) {
            self.seconds = seconds
            self.confidence = confidence
        }
    }

    /// Tempo and beats of a track.
    public struct Tempo: Sendable, Equatable {
        /// Beats per minute.
        public var bpm: Double
        /// Confidence of ``bpm``, 0…1.
        public var confidence: Double
        /// Probability that ``beatSeconds`` are on the beat rather than between, 0…1; that of the tempo if it is unknown.
        public var beatConfidence: Double
        /// Times of all beats, ascending.
        public var beatSeconds: [Double]
        /// Times of the beats that start a bar, ascending; empty if unknown.
        public var downbeatSeconds: [Double] = []
        /// Probability that ``downbeatSeconds`` are right, 0…1.
        public var barConfidence = 0.0

        /// Creates a tempo without bars.
        public init(bpm: Double, confidence: Double, beatConfidence: Double? = nil, beatSeconds: [Double]) {
            self.bpm = bpm
            self.confidence = confidence
            self.beatConfidence = beatConfidence ?? confidence
            self.beatSeconds = beatSeconds
        }
    }

    /// Position of a track on an album.
    public struct AlbumPlace: Sendable, Equatable {
        /// Album ID in the library.
        public var albumID: Int
        /// Disc number; 1 if not tagged.
        public var disc: Int
        /// Track number on the disc.
        public var track: Int

        /// Memberwise initializer.
        public init(albumID: Int, disc: Int = 1, track: Int) {
            self.albumID = albumID
            self.disc = disc
            self.track = track
        }

        /// Returns whether this position directly follows `other` on the same disc.
        public func follows(_ other: AlbumPlace) -> Bool {
            albumID == other.albumID && disc == other.disc && track == other.track + 1
        }
    }

    /// Creates a track that is audible throughout and ends abruptly; all other properties can be set.
    public init(id: Int, durationSeconds: Double, ending: Ending = .hard) {
        self.id = id
        self.durationSeconds = durationSeconds
        cueInSeconds = 0
        cueOutSeconds = durationSeconds
        fadeInEndSeconds = 0
        fadeOutStartSeconds = durationSeconds
        startNextSeconds = durationSeconds
        self.ending = ending
        startRamp = []
        endRamp = []
    }

    /// Duration of the audible part in seconds.
    public var audibleSeconds: Double { max(0, cueOutSeconds - cueInSeconds) }
}
