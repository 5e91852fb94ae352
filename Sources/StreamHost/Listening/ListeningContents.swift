internal import HTTPServer
internal import MusicShared

/// Actions as a client sends them. One that is no action at all makes the whole request one that cannot be read; what an action
/// says wrongly is answered for it alone.
struct ListeningActionsContent: JSONContent {
    static let keys = ["actions"]

    let actions: [ListeningAction]

    private enum CodingKeys: String, CodingKey {
        case actions
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        actions = try container.decode([StrictObject<ListeningAction>].self, forKey: .actions).map(\.content)
    }
}

extension ListeningAction: JSONContent {
    static let keys = [
        "action", "action_id", "at", "track_id", "relative_path", "audio_hash", "album_id", "artist_id",
        "rating",
        "seconds_played", "client",
    ]
}

/// Another state of a track, an album or an artist: what is left out stays.
struct ListeningPatch: JSONContent {
    static let keys = ["is_starred", "rating", "at"]

    var isStarred: Bool?
    /// A nil within takes the rating away.
    var rating: Int??
    var at: Double?

    private enum CodingKeys: String, CodingKey {
        case isStarred = "is_starred"
        case rating, at
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.isStarred) { isStarred = try container.decode(Bool.self, forKey: .isStarred) }
        if container.contains(.rating) {
            rating = .some(try container.decodeIfPresent(Int.self, forKey: .rating))
        }
        at = try container.decodeIfPresent(Double.self, forKey: .at)
    }
}
