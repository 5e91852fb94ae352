public import MusicShared

/// Metadata of a stream being played.
public struct MediaFacts: Sendable, Equatable {
    /// Duration in seconds; nil if unknown or unlimited.
    public var durationSeconds: Double?
    /// Whether this is a live stream.
    public var isLive = false
    /// Whether ``durationSeconds`` and positions are exact to the sample; false if a byte offset was estimated.
    public var isExact = true
    /// ReplayGain values from the file's tags.
    public var replayGain: ReplayGainValues?
    /// Bit rate of the current variant in bits per second, if there are several.
    public var variantBandwidth: Int?
    /// The available variants in bits per second; empty if there is only one.
    public var variantBandwidths: [Int] = []
    /// The station's description of itself.
    public var station: Station?

    /// Metadata without any values.
    public init() {}

    /// A station, as described by the `icy-…` header fields of its response.
    public struct Station: Sendable, Equatable {
        /// The name.
        public var name: String?
        /// The genre.
        public var genre: String?
        /// The home page.
        public var address: String?
        /// Bit rate in bits per second.
        public var bitRate: Int?
    }
}
