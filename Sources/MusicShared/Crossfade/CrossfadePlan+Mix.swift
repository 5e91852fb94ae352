extension CrossfadePlan {
    /// A mix in time with the beat. All positions are within a track; the mix starts at ``CrossfadePlan/startSeconds`` of the
    /// outgoing track and ``CrossfadePlan/cueInSeconds`` of the incoming one, both starts of bars.
    public struct Mix: Codable, Sendable, Equatable {
        /// Duration in beats of the outgoing track.
        public var beats: Int
        /// Beats of the outgoing track in a bar.
        public var beatsPerBar: Int
        /// Speed of the incoming track during the overlap, 0.95…1.05; 1 is its own. The pitch does not change.
        public var ratio: Double
        /// Position in the incoming track at which its speed starts to return to 1: the end of the overlap, in seconds.
        public var returnStartSeconds: Double
        /// Position in the incoming track at which its speed is 1 again, in seconds. In between, the speed changes linearly with
        /// the time that has passed.
        public var returnEndSeconds: Double
        /// Whether the outgoing track is left at the start of a phrase.
        public var leavesAtPhrase: Bool
        /// Largest distance between beats that should coincide, in seconds, according to the analysis.
        public var largestOffsetSeconds: Double
        /// How well the tracks go together, 0…1.
        public var score: TransitionScore

        private enum CodingKeys: String, CodingKey {
            case beats, ratio, score
            case beatsPerBar = "beats_per_bar"
            case returnStartSeconds = "return_start_seconds"
            case returnEndSeconds = "return_end_seconds"
            case leavesAtPhrase = "leaves_at_phrase"
            case largestOffsetSeconds = "largest_offset_seconds"
        }
    }

    /// A low shelf whose gain changes over a section of a track, linearly in dB. Its coefficients are those of the Audio EQ Cookbook
    /// with a slope of 1, which Web Audio's `lowshelf` has too.
    public struct BassShelf: Codable, Sendable, Equatable {
        /// Corner frequency in Hz, at which half the gain in dB is reached.
        public var hertz: Double
        /// Start of the change within the track, in seconds.
        public var startSeconds: Double
        /// Duration of the change in seconds.
        public var durationSeconds: Double
        /// Gain before the change in dB.
        public var startGainDB: Double
        /// Gain after the change in dB.
        public var endGainDB: Double

        /// Returns the gain in dB at a time in the track, in seconds.
        public func gainDB(atSeconds seconds: Double) -> Double {
            guard durationSeconds > 0 else { return seconds < startSeconds ? startGainDB : endGainDB }
            let share = max(0, min(1, (seconds - startSeconds) / durationSeconds))
            return startGainDB + (endGainDB - startGainDB) * share
        }

        private enum CodingKeys: String, CodingKey {
            case hertz
            case startSeconds = "start_seconds"
            case durationSeconds = "duration_seconds"
            case startGainDB = "start_gain_db"
            case endGainDB = "end_gain_db"
        }
    }
}
