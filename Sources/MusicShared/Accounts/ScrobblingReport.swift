/// State of the services that an account's plays are forwarded to.
public struct ScrobblingReport: Codable, Sendable, Equatable {
    /// One service, ListenBrainz or Last.fm.
    public struct Service: Codable, Sendable, Equatable {
        /// State of a connection.
        public enum State: String, Codable, Sendable, Equatable, CaseIterable {
            /// Nothing is forwarded.
            case disconnected
            /// Waits until the user has allowed the access on the service's page.
            case authorizing
            /// Plays are forwarded.
            case connected
            /// The service refused the access: plays are kept until the service is connected again.
            case refused
        }

        /// The state.
        public var state: State
        /// The address of the service's API.
        public var address: String
        /// Name of the user at the service, if known.
        public var user: String?
        /// Number of plays that wait to be sent.
        public var waitingCount: Int
        /// Number of plays that were sent since the service was connected.
        public var sentCount: Int
        /// Number of plays that the service did not accept.
        public var rejectedCount: Int
        /// When plays were last sent, in seconds since 1970.
        public var lastSentAt: Double?
        /// When the next attempt follows after an error, in seconds since 1970.
        public var nextAttemptAt: Double?
        /// The last error; nil once plays were sent again.
        public var error: String?
        /// The page of the service where the user allows the access, while it is awaited.
        public var authorizationURL: String?

        /// Creates the state of a service that has sent nothing yet.
        public init(_ state: State, address: String) {
            self.state = state
            self.address = address
            waitingCount = 0
            sentCount = 0
            rejectedCount = 0
        }

        private enum CodingKeys: String, CodingKey {
            case state, address, user, error
            case waitingCount = "waiting_count"
            case sentCount = "sent_count"
            case rejectedCount = "rejected_count"
            case lastSentAt = "last_sent_at"
            case nextAttemptAt = "next_attempt_at"
            case authorizationURL = "authorization_url"
        }
    }

    /// ListenBrainz, or a server with its API.
    public var listenbrainz: Service
    /// Last.fm, or a server with its API.
    public var lastfm: Service

    /// Memberwise initializer.
    public init(listenbrainz: Service, lastfm: Service) {
        self.listenbrainz = listenbrainz
        self.lastfm = lastfm
    }
}
