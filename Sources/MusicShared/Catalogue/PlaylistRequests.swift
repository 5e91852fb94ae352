/// A new playlist: the body of `POST /api/playlists`.
public struct NewPlaylist: Codable, Sendable, Equatable {
    /// The name: 1 to ``CatalogueLimits/playlistName`` characters, unique among the playlists of the account.
    public var name: String
    /// The owner's description, at most ``CatalogueLimits/playlistDescription`` characters.
    public var description: String?
    /// Track IDs in order, at most ``CatalogueLimits/playlistEntries``; nil for an empty playlist.
    public var trackIDs: [Int]?
    /// Whether all accounts see it; nil for no.
    public var isPublic: Bool?
    /// The rules of a smart playlist, which has no track IDs; nil for an ordinary one.
    public var rules: SmartRules?

    /// Memberwise initializer.
    public init(
        name: String, description: String? = nil, trackIDs: [Int]? = nil, isPublic: Bool? = nil,
        rules: SmartRules? = nil
    ) {
        self.name = name
        self.description = description
        self.trackIDs = trackIDs
        self.isPublic = isPublic
        self.rules = rules
    }

    private enum CodingKeys: String, CodingKey {
        case name, description
        case trackIDs = "track_ids"
        case isPublic = "is_public"
        case rules
    }
}

/// A new name, description, visibility or new rules: the body of `PATCH /api/playlists/:id`.
public struct PlaylistPatch: Codable, Sendable, Equatable {
    /// The new name; nil keeps the current one.
    public var name: String?
    /// The new description; nil keeps the current one, `.some(nil)` removes it.
    public var description: String??
    /// Whether all accounts see it; nil keeps the current state.
    public var isPublic: Bool?
    /// The new rules of a smart playlist; nil keeps the current ones.
    public var rules: SmartRules?

    /// Memberwise initializer.
    public init(
        name: String? = nil, description: String?? = nil, isPublic: Bool? = nil, rules: SmartRules? = nil
    ) {
        self.name = name
        self.description = description
        self.isPublic = isPublic
        self.rules = rules
    }

    private enum CodingKeys: String, CodingKey {
        case name, description, rules
        case isPublic = "is_public"
    }

    /// Decodes the keys that are present. A null name is an error; a null description removes the description.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.name) { name = try container.decode(String.self, forKey: .name) }
        if container.contains(.description) {
            description = .some(try container.decodeIfPresent(String.self, forKey: .description))
        }
        if container.contains(.rules) { rules = try container.decode(SmartRules.self, forKey: .rules) }
        if container.contains(.isPublic) { isPublic = try container.decode(Bool.self, forKey: .isPublic) }
    }

    /// Encodes only the values to change.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        if let description { try container.encode(description, forKey: .description) }
        try container.encodeIfPresent(isPublic, forKey: .isPublic)
        try container.encodeIfPresent(rules, forKey: .rules)
    }
}

/// All tracks of a playlist in their new order: the body of `PUT /api/playlists/:id/tracks`.
public struct PlaylistTracks: Codable, Sendable, Equatable {
    /// Track IDs.
    public var trackIDs: [Int]

    /// Memberwise initializer.
    public init(trackIDs: [Int]) { self.trackIDs = trackIDs }

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
    }
}

/// Tracks to add to a playlist: the body of `POST /api/playlists/:id/entries`.
public struct PlaylistAddition: Codable, Sendable, Equatable {
    /// Track IDs.
    public var trackIDs: [Int]
    /// Zero-based position to insert at; nil appends.
    public var position: Int?

    /// Memberwise initializer.
    public init(trackIDs: [Int], position: Int? = nil) {
        self.trackIDs = trackIDs
        self.position = position
    }

    private enum CodingKeys: String, CodingKey {
        case trackIDs = "track_ids"
        case position
    }
}

/// The new position of an entry: the body of `PATCH /api/playlists/:id/entries/:position`.
public struct PlaylistMove: Codable, Sendable, Equatable {
    /// The new zero-based position.
    public var position: Int

    /// Memberwise initializer.
    public init(position: Int) { self.position = position }
}
