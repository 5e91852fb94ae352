/// How the host can be reached from outside its network.
public struct TunnelReport: Codable, Sendable, Equatable {
    /// How the tunnel gets its host name.
    public enum Mode: String, Codable, Sendable, CaseIterable {
        /// A random name, different at each start.
        case quick
        /// The owner's own host name.
        case named
    }

    /// State of the tunnel.
    public enum State: String, Codable, Sendable, CaseIterable {
        /// The tunnel process has been started.
        case starting
        /// Requests can pass.
        case connected
        /// The tunnel process has exited and will be restarted after a delay.
        case waiting
        /// Stopped on request.
        case ended
    }

    /// How the tunnel gets its host name.
    public var mode: Mode
    /// Current state.
    public var state: State
    /// Public URL; nil until it is known.
    public var url: String?
    /// Number of restarts of the tunnel process.
    public var restartCount: Int
    /// Last error output of the tunnel process; cleared when it connects.
    public var message: String?

    /// Creates a report of a tunnel; by default its process has just been started.
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
