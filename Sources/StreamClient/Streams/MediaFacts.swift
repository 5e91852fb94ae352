public import MusicShared

/// What is known of something that is played.
public struct MediaFacts: Sendable, Equatable {
    /// How long it plays, in seconds; nil where that is not known, or where it has no end.
    public var durationSeconds: Double?
    /// Whether it is made as it is heard, without an end.
    public var isLive = false
    /// Whether ``durationSeconds`` and positions are exact to the sample. They are not where a place in the bytes was guessed.
    public var isExact = true
    /// What its own tags say of its level.
    public var replayGain: ReplayGainValues?
    /// Bits per second of the quality that is being played, where there are several.
    public var variantBandwidth: Int?
    /// The qualities to choose from, in bits per second; empty where there is one only.
    public var variantBandwidths: [Int] = []
    /// The station that is being heard, by its own words.
    public var station: Station?

    /// Nothing is known.
    public init() {}

    /// A station, by the header fields of its answer (`icy-…`).
    public struct Station: Sendable, Equatable {
        /// Name.
        public var name: String?
        /// Genre.
        public var genre: String?
        /// Home page.
        public var address: String?
        /// Bits per second.
        public var bitRate: Int?
    }
}
