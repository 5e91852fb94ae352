internal import APIDescription
internal import HTTPServer
internal import MusicShared

/// Actions as sent by a client. If one is not an action at all, the whole request is malformed; invalid
/// values only reject the action that has them.
struct ListeningActionsContent: JSONContent {
    static let keys = ["actions"]

    let actions: [ListeningAction]

    private enum CodingKeys: String, CodingKey {
        case actions
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        actions = try container.decode([StrictObject<Action>].self, forKey: .actions).map(\.content.action)
    }

    /// A single action. Numbers are not validated here: those that refer to nothing or are out of range only
    /// reject this action.
    private struct Action: JSONContent {
        static let keys = CodingKeys.allCases.map(\.rawValue)

        let action: ListeningAction

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func integer(_ key: CodingKeys) throws -> Int? {
                if let value = try? container.decodeIfPresent(Int.self, forKey: key) { return value }
                guard let value = try container.decodeIfPresent(Double.self, forKey: key) else { return nil }
                guard value.rounded() == value else {
                    throw DecodingError.dataCorruptedError(
                        forKey: key, in: container, debugDescription: "not an integer")
                }
                return value < 0 ? Int.min : Int.max
            }
            var action = ListeningAction(try container.decode(ListeningAction.Kind.self, forKey: .action))
            action.actionID = try container.decodeIfPresent(String.self, forKey: .actionID)
            action.at = try container.decodeIfPresent(Double.self, forKey: .at)
            action.trackID = try integer(.trackID)
            action.relativePath = try container.decodeIfPresent(String.self, forKey: .relativePath)
            action.audioHash = try container.decodeIfPresent(String.self, forKey: .audioHash)
            action.albumID = try integer(.albumID)
            action.artistID = try integer(.artistID)
            action.rating = try integer(.rating)
            action.secondsPlayed = try container.decodeIfPresent(Double.self, forKey: .secondsPlayed)
            action.client = try container.decodeIfPresent(String.self, forKey: .client)
            self.action = action
        }

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case action
            case actionID = "action_id"
            case at
            case trackID = "track_id"
            case relativePath = "relative_path"
            case audioHash = "audio_hash"
            case albumID = "album_id"
            case artistID = "artist_id"
            case rating
            case secondsPlayed = "seconds_played"
            case client
        }
    }
}

/// A partial update of the state of a track, an album or an artist; omitted fields stay unchanged.
struct ListeningPatch: JSONContent {
    static let keys = ["is_starred", "rating", "at"]

    var isStarred: Bool?
    /// `.some(nil)` removes the rating.
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
