/// A playlist to be made: the content of `POST /api/playlists`.
public struct NewPlaylist: Codable, Sendable, Equatable {
    /// Its name: 1 to ``CatalogueLimits/playlistName`` characters, and no other playlist's.
    public var name: String
    /// What its owner says of it, at most ``CatalogueLimits/playlistDescription`` characters.
    public var description: String?
    /// Its tracks in order, at most ``CatalogueLimits/playlistEntries``; nil for none.
    public var trackIDs: [Int]?

    /// Puts the parts together.
    public init(name: String, description: String? = nil, trackIDs: [Int]? = nil) {
        self.name = name
        self.description = description
        self.trackIDs = trackIDs
    }

    private enum CodingKeys: String, CodingKey {
        case name, description
        case trackIDs = "track_ids"
    }
}

/// Another name or description: the content of `PATCH /api/playlists/:id`.
public struct PlaylistPatch: Codable, Sendable, Equatable {
    /// The new name; nil leaves it as it is.
    public var name: String?
    /// The new description; nil leaves it as it is, a nil within takes it away.
    public var description: String??

    /// Puts the parts together.
    public init(name: String? = nil, description: String?? = nil) {
        self.name = name
        self.description = description
    }

    private enum CodingKeys: String, CodingKey {
        case name, description
    }

    /// Reads what is there: a name that is null is an error, a description that is null is one to take away.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.name) { name = try container.decode(String.self, forKey: .name) }
        if container.contains(.description) {
            description = .some(try container.decodeIfPresent(String.self, forKey: .description))
        }
    }

    /// Writes what is to change, and nothing else.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        if let description { try container.encode(description, forKey: .description) }
    }
}

/// All tracks of a playlist in their new order: the content of `PUT /api/playlists/:id/tracks`.
public struct PlaylistTracks: Codable, Sendable, Equatable {
    /// The tracks.
    public var trackIDs: [Int]

    /// Takes the tracks.
    public init(trackIDs: [Int]) { self.trackIDs = trackIDs }

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
    }
}

/// Tracks to be put into a playlist: the content of `POST /api/playlists/:id/entries`.
public struct PlaylistAddition: Codable, Sendable, Equatable {
    /// The tracks.
    public var trackIDs: [Int]
    /// Before which entry, counted from 0; nil for the end.
    public var position: Int?

    /// Puts the parts together.
    public init(trackIDs: [Int], position: Int? = nil) {
        self.trackIDs = trackIDs
        self.position = position
    }

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
        case position
    }
}

/// Where an entry is to be: the content of `PATCH /api/playlists/:id/entries/:position`.
public struct PlaylistMove: Codable, Sendable, Equatable {
    /// The place that it has afterwards, counted from 0.
    public var position: Int

    /// Takes the place.
    public init(position: Int) { self.position = position }
}
