/// A track that was found by its sound.
public struct SimilarItem: Codable, Sendable, Equatable {
    /// The track.
    public var track: TrackItem
    /// Similarity to the track asked for, or to the first of a path: 1 for the same sound, towards 0 for the most different.
    public var similarity: Double

    /// Memberwise initializer.
    public init(track: TrackItem, similarity: Double) {
        self.track = track
        self.similarity = similarity
    }
}

/// Tracks found by their sound.
public struct SimilarItems: Codable, Sendable, Equatable {
    /// The tracks in order.
    public var items: [SimilarItem]

    /// Memberwise initializer.
    public init(items: [SimilarItem]) { self.items = items }
}

/// Some tracks of a radio, which never ends.
public struct RadioPage: Codable, Sendable, Equatable {
    /// The tracks in order.
    public var items: [TrackItem]
    /// Continues the radio: the value of `cursor` in the next request.
    public var nextCursor: String

    /// Memberwise initializer.
    public init(items: [TrackItem], nextCursor: String) {
        self.items = items
        self.nextCursor = nextCursor
    }

    private enum CodingKeys: String, CodingKey {
        case items
        case nextCursor = "next_cursor"
    }
}
