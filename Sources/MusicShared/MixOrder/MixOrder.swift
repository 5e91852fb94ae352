/// An order of tracks in which each one mixes well with the next.
///
/// `docs/transitions.md` has the rules. The order is a pure function of the tracks' measurements.
public struct MixOrder: Codable, Sendable, Equatable {
    /// IDs of all tracks in order.
    public var trackIDs: [Int]
    /// From each track to the next.
    public var steps: [Step]

    /// How the energy develops from the first track to the last.
    public enum Energy: String, Codable, Sendable, CaseIterable {
        /// The energy does not matter.
        case none
        /// From calm to lively.
        case rising
        /// From lively to calm.
        case falling
        /// Up and down, once for about twelve tracks; calm at both ends.
        case wave
    }

    /// One track after another.
    public struct Step: Codable, Sendable, Equatable {
        /// ID of the first of both tracks.
        public var fromID: Int
        /// ID of the second.
        public var toID: Int
        /// How well they go together, 0…1.
        public var score: TransitionScore
        /// Why they go together, or why not, as a sentence for people.
        public var reason: String

        private enum CodingKeys: String, CodingKey {
            case fromID = "from_id"
            case toID = "to_id"
            case score, reason
        }
    }

    /// The properties of a track that its place in an order depends on.
    public struct Track: Sendable, Equatable {
        /// Track ID in the library.
        public var id: Int
        /// Tempo in beats per minute; nil if unknown.
        public var bpm: Double?
        /// Key at the start on the Camelot wheel; nil if unknown.
        public var startKey: CamelotKey?
        /// Key at the end, which differs from ``startKey`` if the key changes within the track; nil if unknown.
        public var endKey: CamelotKey?
        /// Integrated loudness in LUFS; nil if unknown.
        public var integratedLUFS: Double?
        /// Energy, 0…1; nil if unknown.
        public var energy: Double?

        /// Whether a transition to the track scores another way than one from it.
        var keysDiffer: Bool { startKey != endKey }

        /// Creates a track.
        /// - Parameters:
        ///   - key: the key at the start.
        ///   - endKey: the key at the end; nil means that of the start.
        public init(
            id: Int, bpm: Double? = nil, key: CamelotKey? = nil, endKey: CamelotKey? = nil,
            integratedLUFS: Double? = nil, energy: Double? = nil
        ) {
            self.id = id
            self.bpm = bpm
            startKey = key
            self.endKey = endKey ?? key
            self.integratedLUFS = integratedLUFS
            self.energy = energy
        }
    }

    /// Orders tracks.
    /// - Parameters:
    ///   - tracks: the tracks in any order; one may occur several times. Time grows with the square of their number, so callers
    ///     limit it, to ``MixOrderRequest/largestCount`` for example.
    ///   - energy: how the energy should develop.
    ///   - keepsFirst: whether the first track stays first.
    ///   - keepsLast: whether the last track stays last.
    public init(_ tracks: [Track], energy: Energy = .none, keepsFirst: Bool = false, keepsLast: Bool = false)
    {
        var search = MixOrderSearch(
            tracks, energy: energy, keepsFirst: keepsFirst, keepsLast: keepsLast)
        search.run()
        let ordered = search.order.map { tracks[$0] }
        trackIDs = ordered.map(\.id)
        steps = zip(ordered, ordered.dropFirst()).map { Step($0, $1) }
    }

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
        case steps
    }
}

extension TransitionScore {
    /// Scores two tracks of which one follows the other: the key at the end of the one meets that at the start of the next.
    public init(_ one: MixOrder.Track, _ next: MixOrder.Track) {
        self.init(
            keys: (one.endKey, next.startKey), bpm: (one.bpm, next.bpm),
            lufs: (one.integratedLUFS, next.integratedLUFS))
    }
}

extension MixOrder.Step {
    fileprivate init(_ one: MixOrder.Track, _ next: MixOrder.Track) {
        fromID = one.id
        toID = next.id
        score = TransitionScore(one, next)
        let keys = TransitionText.keys(CrossfadePlan.KeyMatch(one.endKey, next.startKey))
        let text = [
            keys, TransitionText.tempo(one.bpm, next.bpm),
            TransitionText.level(one.integratedLUFS, next.integratedLUFS),
            TransitionText.energy(one.energy, next.energy),
        ].joined(separator: "; ")
        reason = text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}
