/// Why something cannot be played, or not at the moment. Tells no address: addresses may hold secrets.
public struct PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it is; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no such track or file.
        public static let notFound = Code(rawValue: "not_found")
        /// The key is missing or wrong.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The server failed (5xx).
        public static let serverError = Code(rawValue: "server_error")
        /// The server has too much to do at the moment (429, 503).
        public static let serverBusy = Code(rawValue: "server_busy")
        /// The server refuses for another reason (4xx).
        public static let refused = Code(rawValue: "refused")
        /// Nobody is there.
        public static let noConnection = Code(rawValue: "no_connection")
        /// The connection ended early.
        public static let connectionLost = Code(rawValue: "connection_lost")
        /// Nothing came for too long.
        public static let timedOut = Code(rawValue: "timed_out")
        /// The network cannot be used so, whatever is asked.
        public static let transport = Code(rawValue: "transport")
        /// A playlist makes no sense.
        public static let badPlaylist = Code(rawValue: "bad_playlist")
        /// It is no MP3 audio.
        public static let notMP3 = Code(rawValue: "not_mp3")
        /// It is coded or encrypted in a way that is not supported.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The file cannot be read.
        public static let fileUnreadable = Code(rawValue: "file_unreadable")
        /// The decoder gave up.
        public static let decoderFailed = Code(rawValue: "decoder_failed")
        /// The output does not take sound.
        public static let outputFailed = Code(rawValue: "output_failed")
        /// Nobody wants it any more.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// What kind of failure it is.
    public let code: Code
    /// For a person.
    public let description: String

    /// Puts the parts together.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether it may well work a little later.
    public var isTransient: Bool {
        [.serverError, .serverBusy, .noConnection, .connectionLost, .timedOut].contains(code)
    }

    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .unreachable: .noConnection
            case .connectionLost: .connectionLost
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            default: .transport
            }
        self.init(code, error.description)
    }

    /// What a status that is no success means; nil for one that is.
    init?(status: Int) {
        switch status {
        case 200..<300: return nil
        case 401, 403: self.init(.unauthorized, "the server does not accept the key (\(status))")
        case 404, 410: self.init(.notFound, "not available (\(status))")
        case 408: self.init(.timedOut, "the server waited too long (408)")
        case 429, 503: self.init(.serverBusy, "the server is busy (\(status))")
        case 500...: self.init(.serverError, "server error, unable to stream (\(status))")
        default: self.init(.refused, "the server refuses (\(status))")
        }
    }
}
