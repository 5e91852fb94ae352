/// A command that a client sends to the host: one text message each, as JSON whose only key names the command.
///
/// ```json
/// {"play":{"track_id":17,"queue_ids":[16,17,18]}}
/// {"pause":{}}
/// {"seek":{"position_seconds":63.5}}
/// ```
///
/// The client plays on its own: the commands keep the host informed of what it does. See ``RemoteMessageForm`` for the other
/// form that is accepted.
public enum RemoteCommand: Codable, Sendable, Equatable {
    /// The client plays a track of a queue.
    case play(trackID: Int, queueIDs: [Int])
    /// It paused.
    case pause
    /// It resumed.
    case resume
    /// It moved to the queue's next track.
    case next
    /// It moved to the previous track.
    case previous
    /// It moved to a position in the track, in seconds.
    case seek(position: Double)
    /// Its volume, 0 to 1.
    case setVolume(level: Double)
    /// It turned shuffle on or off.
    case toggleShuffle
    /// It asks for the current library; ``HostEvent/dbReady`` answers.
    case refreshDB

    private static let playKey = RemoteKey("play")
    private static let trackIDKey = RemoteKey("track_id", "trackId")
    private static let queueIDsKey = RemoteKey("queue_ids", "queueIds")
    private static let seekKey = RemoteKey("seek")
    private static let positionKey = RemoteKey("position_seconds", "position")
    private static let setVolumeKey = RemoteKey("set_volume", "setVolume")
    private static let levelKey = RemoteKey("level")
    /// The commands without values.
    private static let bare: [(key: RemoteKey, command: RemoteCommand)] = [
        (RemoteKey("pause"), .pause), (RemoteKey("resume"), .resume), (RemoteKey("next"), .next),
        (RemoteKey("previous"), .previous), (RemoteKey("toggle_shuffle", "toggleShuffle"), .toggleShuffle),
        (RemoteKey("refresh_db", "refreshDB"), .refreshDB),
    ]
    private static let keys = [playKey, seekKey, setVolumeKey] + bare.map(\.key)

    /// The names of all commands in ``RemoteMessageForm/snakeCase``.
    public static var names: Set<String> { Set(keys.map(\.snakeCase.stringValue)) }

    /// Whether a command has this name in either form.
    public static func isKnown(_ name: String) -> Bool { keys.contains { $0.matches(name) } }

    /// Reads either ``RemoteMessageForm``.
    /// - Throws: `DecodingError` for an unknown command or a missing value.
    public init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: RemoteKey.Name.self)
        let key = try message.only(Self.keys, of: "command")
        let values = try message.nested(key)
        switch key {
        case Self.playKey:
            self = .play(
                trackID: try values.decode(Self.trackIDKey), queueIDs: try values.decode(Self.queueIDsKey))
        case Self.seekKey: self = .seek(position: try values.decode(Self.positionKey))
        case Self.setVolumeKey: self = .setVolume(level: try values.decode(Self.levelKey))
        default: self = Self.bare.first { $0.key == key }?.command ?? .pause
        }
    }

    /// Writes the command in the encoder's ``RemoteMessageForm``.
    public func encode(to encoder: any Encoder) throws {
        let form = encoder.remoteMessageForm
        var message = encoder.container(keyedBy: RemoteKey.Name.self)
        func nested(_ key: RemoteKey) -> RemoteEncodingContainer {
            message.nestedContainer(keyedBy: RemoteKey.Name.self, forKey: key.name(in: form))
        }
        switch self {
        case .play(let trackID, let queueIDs):
            var values = nested(Self.playKey)
            try values.encode(trackID, forKey: Self.trackIDKey.name(in: form))
            try values.encode(queueIDs, forKey: Self.queueIDsKey.name(in: form))
        case .seek(let position):
            var values = nested(Self.seekKey)
            try values.encode(position, forKey: Self.positionKey.name(in: form))
        case .setVolume(let level):
            var values = nested(Self.setVolumeKey)
            try values.encode(level, forKey: Self.levelKey.name(in: form))
        default:
            guard let key = Self.bare.first(where: { $0.command == self })?.key else { return }
            _ = nested(key)
        }
    }
}
