/// The transition between two tracks: when it happens, its duration, and the gains.
///
/// `docs/transitions.md` has the formulas and a worked example. Crossfades never cut anything audible: the outgoing track plays
/// until its cue-out, the incoming one from its cue-in. Mixes may leave and enter up to 32 beats inside.
///
/// ```swift
/// let plan = CrossfadePlan(from: outgoing, to: incoming)
/// // Play `incoming` from `plan.cueInSeconds` when `outgoing` is at `plan.startSeconds`.
/// ```
public struct CrossfadePlan: Codable, Sendable, Equatable {
    /// ID of the outgoing track.
    public var fromID: Int
    /// ID of the incoming track.
    public var toID: Int
    /// Kind of transition.
    public var transition: Transition
    /// Start of the incoming track within the outgoing one, in seconds.
    public var startSeconds: Double
    /// End of the outgoing track, in seconds: start plus overlap.
    public var endSeconds: Double
    /// Position at which the incoming track starts, in seconds.
    public var cueInSeconds: Double
    /// Duration of the overlap in seconds.
    public var overlapSeconds: Double
    /// Target loudness of the gains in LUFS.
    public var targetLUFS: Double
    /// Gains and fade of the outgoing track.
    public var outgoing: Side
    /// Gains and fade of the incoming track.
    public var incoming: Side
    /// Upper bound of the mixed true peak during the overlap in dBTP; nil without an overlap or if a peak is unknown.
    public var overlapPeakDBTP: Double?
    /// Tempo match; nil if either track has no reliable tempo.
    public var tempo: TempoMatch?
    /// Key match; nil if either key is unknown.
    public var key: KeyMatch?
    /// The beat-matched mix; nil if the tracks are not mixed.
    public var mix: Mix?
    /// Why this transition was chosen, as a sentence for people; nil from hosts of older versions.
    public var reason: String?

    /// Kinds of transition.
    public enum Transition: String, Codable, Sendable, CaseIterable {
        /// The incoming track follows on the same album: both play in full, sample-accurate, as mastered.
        case gapless
        /// The incoming track starts when the outgoing one ends.
        case cut
        /// Both tracks play at the same time for a while.
        case overlap
        /// Both tracks play in time with each other for a number of beats; the details are in ``CrossfadePlan/mix``.
        case mix
    }

    /// Gains and fade of one of the two tracks.
    public struct Side: Codable, Sendable, Equatable {
        /// Gain for the whole track in dB: target minus loudness, limited by the true peak. It depends on this track alone, so
        /// it does not change between transitions.
        public var gainDB: Double
        /// Gain for the album, for players that preserve the levels within an album; nil if unknown.
        public var albumGainDB: Double?
        /// The fade during the overlap; nil without an overlap.
        public var fade: Fade?
        /// The change of the bass during a mix; nil without a mix.
        public var bass: BassShelf?

        private enum CodingKeys: String, CodingKey {
            case gainDB = "gain_db"
            case albumGainDB = "album_gain_db"
            case fade, bass
        }
    }

    /// The tempo relation between the tracks, and a pair of coinciding beats.
    public struct TempoMatch: Codable, Sendable, Equatable {
        /// Playback speed at which the incoming track would match the outgoing track's tempo; 1 is unchanged.
        public var ratio: Double
        /// Incoming beats per outgoing beat: 1, 2 or 0.5.
        public var multiple: Double
        /// Whether the ratio is close enough to 1 to align beats.
        public var canAlign: Bool
        /// Position in seconds of the outgoing beat that coincides with an incoming one when both tracks play at their original
        /// speed; nil if none does.
        public var outgoingBeatSeconds: Double?
        /// Position of that beat in the incoming track, in seconds.
        public var incomingBeatSeconds: Double?
        /// Shift of the start to align these beats, in seconds; negative is earlier.
        public var shiftSeconds: Double
        /// Distance between the beats at the end of the overlap in seconds if the incoming track plays at its original speed; 0
        /// if it is played at ``ratio``.
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

    /// The relation of the keys on the Camelot wheel.
    public struct KeyMatch: Codable, Sendable, Equatable {
        /// Key of the outgoing track, "8A".
        public var outgoing: String
        /// Key of the incoming track.
        public var incoming: String
        /// Relation of the two keys.
        public var relation: CamelotKey.Relation
        /// Number of fifths between them, 0…6.
        public var steps: Int
        /// Whether they mix well: all relations but `distant` do.
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
        case tempo, key, mix, reason
    }
}
