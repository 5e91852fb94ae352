/// An event that the host sends to its clients: one text message each, as JSON whose only key names the event.
///
/// Clients ignore events that they do not know.
///
/// ```json
/// {"db_ready":{}}
/// {"error":{"message":"The file of track 17 cannot be opened: Low/Was.mp3"}}
/// ```
public enum HostEvent: Codable, Sendable, Equatable {
    /// The library has changed, or the client asked for it: download it from `/db`.
    case dbReady
    /// Something went wrong: a file is missing, a command is unknown or not possible. The connection stays open.
    case error(message: String)
    /// The client's state as the host knows it, after each of its commands.
    case playbackState(PlaybackState)
    /// The host's address outside its network has changed; nil while it has none.
    case tunnel(url: String?)
    /// The jukebox plays something else, or differently; `GET /jukebox` returns its state.
    case jukeboxChanged

    private static let dbReadyKey = RemoteKey("db_ready", "dbReady")
    private static let errorKey = RemoteKey("error")
    private static let messageKey = RemoteKey("message")
    private static let playbackStateKey = RemoteKey("playback_state", "playbackState")
    /// The derived form wraps the state in an object with this key.
    private static let wrappedStateKey = RemoteKey("_0")
    private static let tunnelKey = RemoteKey("tunnel")
    private static let urlKey = RemoteKey("url")
    private static let jukeboxChangedKey = RemoteKey("jukebox_changed", "jukeboxChanged")
    private static let keys = [dbReadyKey, errorKey, playbackStateKey, tunnelKey, jukeboxChangedKey]

    /// Reads either ``RemoteMessageForm``.
    /// - Throws: `DecodingError` for an unknown event or a missing value.
    public init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: RemoteKey.Name.self)
        let key = try message.only(Self.keys, of: "event")
        let values = try message.nested(key)
        self =
            switch key {
            case Self.errorKey: .error(message: try values.decode(Self.messageKey))
            case Self.playbackStateKey:
                .playbackState(
                    try values.decodeIfPresent(Self.wrappedStateKey) ?? message.decode(Self.playbackStateKey))
            case Self.tunnelKey: .tunnel(url: try values.decodeIfPresent(Self.urlKey))
            case Self.jukeboxChangedKey: .jukeboxChanged
            default: .dbReady
            }
    }

    /// Writes the event in the encoder's ``RemoteMessageForm``.
    public func encode(to encoder: any Encoder) throws {
        let form = encoder.remoteMessageForm
        var message = encoder.container(keyedBy: RemoteKey.Name.self)
        func nested(_ key: RemoteKey) -> RemoteEncodingContainer {
            message.nestedContainer(keyedBy: RemoteKey.Name.self, forKey: key.name(in: form))
        }
        switch self {
        case .dbReady: _ = nested(Self.dbReadyKey)
        case .jukeboxChanged: _ = nested(Self.jukeboxChangedKey)
        case .error(let text):
            var values = nested(Self.errorKey)
            try values.encode(text, forKey: Self.messageKey.name(in: form))
        case .playbackState(let state):
            if form == .snakeCase {
                try message.encode(state, forKey: Self.playbackStateKey.snakeCase)
            } else {
                var values = nested(Self.playbackStateKey)
                try values.encode(state, forKey: Self.wrappedStateKey.derived)
            }
        case .tunnel(let url):
            var values = nested(Self.tunnelKey)
            try values.encodeIfPresent(url, forKey: Self.urlKey.name(in: form))
        }
    }
}
