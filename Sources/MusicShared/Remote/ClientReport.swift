/// A client on the remote channel, as listed by `GET /clients`.
public struct ClientReport: Codable, Sendable, Equatable {
    /// The ID of the jukebox, which is a player of the host's own.
    public static let jukeboxID = 0

    /// Connection ID, unique since the host was started; ``jukeboxID`` for the jukebox.
    public var id: Int
    /// Name and version of the client app.
    public var appVersion: String
    /// Remote address.
    public var address: String
    /// Duration of the connection in seconds.
    public var connectedSeconds: Double
    /// Playback state.
    public var playback: PlaybackState

    /// Memberwise initializer.
    public init(
        id: Int, appVersion: String, address: String, connectedSeconds: Double, playback: PlaybackState
    ) {
        self.id = id
        self.appVersion = appVersion
        self.address = address
        self.connectedSeconds = connectedSeconds
        self.playback = playback
    }

    private enum CodingKeys: String, CodingKey {
        case id, address, playback
        case appVersion = "app_version"
        case connectedSeconds = "connected_seconds"
    }
}

/// Response to `GET /clients`.
public struct ClientList: Codable, Sendable, Equatable {
    /// Connected clients, longest connection first.
    public var clients: [ClientReport]

    /// Memberwise initializer.
    public init(clients: [ClientReport]) { self.clients = clients }
}
