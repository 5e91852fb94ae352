/// How one track goes over into the next: when, for how long, and at which gains.
///
/// `docs/crossfade.md` has the formulas with a worked example. The plan never cuts anything audible: the outgoing track
/// is played to its cue-out, the incoming one from its cue-in.
///
/// ```swift
/// let plan = CrossfadePlan(from: outgoing, to: incoming)
/// // Play `incoming` from `plan.cueInSeconds` when `outgoing` is at `plan.startSeconds`.
/// ```
public struct CrossfadePlan: Codable, Sendable, Equatable {
    /// The outgoing track.
    public var fromID: Int
    /// The incoming track.
    public var toID: Int
    /// What kind of transition it is.
    public var transition: Transition
    /// Where in the outgoing track the incoming one starts, in seconds.
    public var startSeconds: Double
    /// Where the outgoing track ends, in seconds: start plus overlap.
    public var endSeconds: Double
    /// Where the incoming track is entered, in seconds.
    public var cueInSeconds: Double
    /// How long both play, in seconds.
    public var overlapSeconds: Double
    /// The loudness that the gains aim at, in LUFS.
    public var targetLUFS: Double
    /// What is done to the outgoing track.
    public var outgoing: Side
    /// What is done to the incoming track.
    public var incoming: Side
    /// Bound of the sum's true peak during the overlap in dBTP; nil without an overlap or where a peak is not known.
    public var overlapPeakDBTP: Double?
    /// How the tempi stand to each other; nil where one track has none that can be relied on.
    public var tempo: TempoMatch?
    /// How the keys stand to each other; nil where one is not known.
    public var key: KeyMatch?

    /// Kinds of transition.
    public enum Transition: String, Codable, Sendable, CaseIterable {
        /// The incoming track follows on its album: both are played whole, sample to sample, as they were mastered.
        case gapless
        /// The incoming track starts where the outgoing one is over.
        case cut
        /// Both play for a while.
        case overlap
    }

    /// What is done to one of the two tracks.
    public struct Side: Codable, Sendable, Equatable {
        /// Gain for the whole track in dB: the target less the track's loudness, and no more than its true peak allows.
        /// It hangs on the track alone, so that it does not change from one transition to the next.
        public var gainDB: Double
        /// The same for its album, for players that keep the levels within one; nil where it is not known.
        public var albumGainDB: Double?
        /// The fade during the overlap; nil without an overlap.
        public var fade: Fade?

        private enum CodingKeys: String, CodingKey {
            case gainDB = "gain_db"
            case albumGainDB = "album_gain_db"
            case fade
        }
    }

    /// Tempo of the incoming track as it would have to be to go with the outgoing one, and beats that coincide.
    public struct TempoMatch: Codable, Sendable, Equatable {
        /// The speed at which the incoming track would have the outgoing track's tempo: 1 is its own.
        public var ratio: Double
        /// Beats of the incoming track to one of the outgoing: 1, 2 or 0.5.
        public var multiple: Double
        /// Whether the ratio is near enough to 1 for beats to go together.
        public var canAlign: Bool
        /// A beat of the outgoing track, in its seconds, with which one of the incoming coincides when both are played at
        /// their own speed; nil where none can.
        public var outgoingBeatSeconds: Double?
        /// That beat of the incoming track, in its seconds.
        public var incomingBeatSeconds: Double?
        /// By how much the start was moved for that, in seconds: negative for earlier.
        public var shiftSeconds: Double
        /// How far the beats have come apart at the end of the overlap if the incoming track keeps its own speed, in
        /// seconds; 0 for one that is played at ``ratio``.
        public var driftSeconds: Double

        private enum CodingKeys: String, CodingKey {
            case ratio, multiple
            case canAlign = "can_align"
            case outgoingBeatSeconds = "outgoing_beat_seconds"
            case incomingBeatSeconds = "incoming_beat_seconds"
            case shiftSeconds = "shift_seconds"
            case driftSeconds = "drift_seconds"
        }
    }

    /// The keys on the Camelot wheel.
    public struct KeyMatch: Codable, Sendable, Equatable {
        /// Key of the outgoing track, "8A".
        public var outgoing: String
        /// Key of the incoming track.
        public var incoming: String
        /// How they stand to each other.
        public var relation: CamelotKey.Relation
        /// Fifths between them, 0…6.
        public var steps: Int
        /// Whether they go together: all but distant ones do.
        public var isCompatible: Bool

        private enum CodingKeys: String, CodingKey {
            case outgoing, incoming, relation, steps
            case isCompatible = "is_compatible"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case fromID = "from_id"
        case toID = "to_id"
        case transition
        case startSeconds = "start_seconds"
        case endSeconds = "end_seconds"
        case cueInSeconds = "cue_in_seconds"
        case overlapSeconds = "overlap_seconds"
        case targetLUFS = "target_lufs"
        case outgoing, incoming
        case overlapPeakDBTP = "overlap_peak_dbtp"
        case tempo, key
    }
}
