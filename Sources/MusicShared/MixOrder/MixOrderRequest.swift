/// Content of `POST /mix`: the tracks to sort, and how.
public struct MixOrderRequest: Codable, Sendable, Equatable {
    /// Maximum number of tracks per request.
    public static let largestCount = 2000

    /// IDs of the tracks, at most ``largestCount``.
    public var trackIDs: [Int]
    /// How the energy should develop; not at all by default.
    public var energy: MixOrder.Energy?
    /// Whether the first track stays first; false by default.
    public var keepFirst: Bool?
    /// Whether the last track stays last; false by default.
    public var keepLast: Bool?

    /// Memberwise initializer.
    public init(
        trackIDs: [Int], energy: MixOrder.Energy? = nil, keepFirst: Bool? = nil, keepLast: Bool? = nil
    ) {
        self.trackIDs = trackIDs
        self.energy = energy
        self.keepFirst = keepFirst
        self.keepLast = keepLast
    }

    /// The names in JSON.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case trackIDs = "track_ids"
        case energy
        case keepFirst = "keep_first"
        case keepLast = "keep_last"
    }
}
