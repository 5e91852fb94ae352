/// What is known of a track where it meets another: the facts that ``CrossfadePlan`` is made of.
///
/// All are in the report of a track and in the library database, so that a client can plan by itself. Times are
/// seconds on the gapless timeline.
public struct CrossfadeTrack: Sendable, Equatable {
    /// Number of the track in the library.
    public var id: Int
    /// Length.
    public var durationSeconds: Double
    /// First audible moment.
    public var cueInSeconds: Double
    /// End of the last audible moment.
    public var cueOutSeconds: Double
    /// Where a fade-in has reached the track's own level; the cue-in where there is none.
    public var fadeInEndSeconds: Double
    /// Where a fade-out leaves the track's own level; the cue-out where there is none.
    public var fadeOutStartSeconds: Double
    /// Where the next track may start as far as this track alone can tell. Used where there is no ``endRamp``.
    public var startNextSeconds: Double
    /// How the track ends.
    public var ending: Ending
    /// For levels in dB relative to the integrated loudness, the seconds after the cue-in at which each is first
    /// reached; empty where that is not known.
    public var startRamp: [LevelRamp.Point]
    /// For levels in dB relative to the integrated loudness, the seconds before the cue-out at which each is last
    /// reached; empty where that is not known.
    public var endRamp: [LevelRamp.Point]
    /// Loudness and peak of the track; nil where nothing of it is loud enough to be measured.
    public var loudness: Loudness?
    /// Loudness and peak of the track's album, where they are known.
    public var albumLoudness: Loudness?
    /// Tempo and beats; nil where there is no steady pulse.
    public var tempo: Tempo?
    /// Key on the Camelot wheel; nil where it is not known.
    public var key: CamelotKey?
    /// Place on an album; nil for a track that is on none.
    public var place: AlbumPlace?

    /// How a track ends.
    public enum Ending: String, Codable, Sendable, CaseIterable {
        /// The main part stops within a second.
        case hard
        /// Falls steadily to silence.
        case fade
        /// A quieter sound is held, and then stops.
        case sustained
        /// A quiet passage goes on well after the main part.
        case longTail = "long_tail"
    }

    /// How loud a track or an album is.
    public struct Loudness: Sendable, Equatable {
        /// Integrated loudness in LUFS.
        public var integratedLUFS: Double
        /// Highest true peak in dBTP.
        public var truePeakDBTP: Double

        /// Puts the parts together.
        public init(integratedLUFS: Double, truePeakDBTP: Double) {
            self.integratedLUFS = integratedLUFS
            self.truePeakDBTP = truePeakDBTP
        }
    }

    /// The pulse of a track.
    public struct Tempo: Sendable, Equatable {
        /// Beats per minute.
        public var bpm: Double
        /// Trust in it, 0…1.
        public var confidence: Double
        /// Times of all beats, ascending.
        public var beatSeconds: [Double]

        /// Puts the parts together.
        public init(bpm: Double, confidence: Double, beatSeconds: [Double]) {
            self.bpm = bpm
            self.confidence = confidence
            self.beatSeconds = beatSeconds
        }
    }

    /// Where on an album a track stands.
    public struct AlbumPlace: Sendable, Equatable {
        /// Number of the album in the library.
        public var albumID: Int
        /// Disc; 1 where the tags name none.
        public var disc: Int
        /// Number on the disc.
        public var track: Int

        /// Puts the parts together.
        public init(albumID: Int, disc: Int = 1, track: Int) {
            self.albumID = albumID
            self.disc = disc
            self.track = track
        }

        /// Whether a track at this place is what follows `other` on the same disc.
        public func follows(_ other: AlbumPlace) -> Bool {
            albumID == other.albumID && disc == other.disc && track == other.track + 1
        }
    }

    /// A track that is heard from its first to its last moment and ends at once; all else can be set.
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

    /// Length of what is heard.
    public var audibleSeconds: Double { max(0, cueOutSeconds - cueInSeconds) }
}
