/// How the host can be reached from outside of its network.
public struct TunnelReport: Codable, Sendable, Equatable {
    /// Whose name the tunnel has.
    public enum Mode: String, Codable, Sendable, CaseIterable {
        /// One at random, another at each start.
        case quick
        /// The owner's.
        case named
    }

    /// How it stands.
    public enum State: String, Codable, Sendable, CaseIterable {
        /// Its program has been started.
        case starting
        /// Requests come through.
        case connected
        /// Its program has ended, and is started again after a while.
        case waiting
        /// It was asked to end.
        case ended
    }

    /// Whose name it has.
    public var mode: Mode
    /// How it stands.
    public var state: State
    /// The address that it leads from; nil until it is known.
    public var url: String?
    /// How often its program was started again.
    public var restartCount: Int
    /// The last that its program complained of, and nothing since it was connected.
    public var message: String?

    /// Describes a tunnel whose program has been started.
    public init(mode: Mode, state: State = .starting, url: String? = nil) {
        self.mode = mode
        self.state = state
        self.url = url
        restartCount = 0
    }

    private enum CodingKeys: String, CodingKey {
        case mode, state, url, message
        case restartCount = "restart_count"
    }
}
