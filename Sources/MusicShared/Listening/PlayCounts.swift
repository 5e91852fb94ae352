/// How often an account has played each of its played tracks: the answer of `GET /listening/play-counts`.
public struct PlayCounts: Codable, Sendable, Equatable {
    /// Ids of the available tracks that were played, those with the most plays first.
    public var trackIDs: [Int]
    /// The number of plays of each.
    public var playCounts: [Int]

    /// Memberwise initializer.
    public init(trackIDs: [Int], playCounts: [Int]) {
        self.trackIDs = trackIDs
        self.playCounts = playCounts
    }

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
        case playCounts = "play_counts"
    }
}
