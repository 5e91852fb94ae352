/// A client on the remote channel, as `GET /clients` tells it.
public struct ClientReport: Codable, Sendable, Equatable {
    /// Number that no other client has had since the host started.
    public var id: Int
    /// Name and version of its program.
    public var appVersion: String
    /// Where it connects from.
    public var address: String
    /// For how long it has been connected, in seconds.
    public var connectedSeconds: Double
    /// What it plays.
    public var playback: PlaybackState

    /// Puts the parts together.
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

/// Answer to `GET /clients`.
public struct ClientList: Codable, Sendable, Equatable {
    /// Who is connected, the longest first.
    public var clients: [ClientReport]

    /// Holds the clients.
    public init(clients: [ClientReport]) { self.clients = clients }
}
