/// The reason why something cannot be played. Never contains URLs, since they may hold secrets.
public struct PlaybackError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The track or file does not exist.
        public static let notFound = Code(rawValue: "not_found")
        /// The API key is missing or invalid.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// Server error (5xx).
        public static let serverError = Code(rawValue: "server_error")
        /// The server is overloaded (429, 503).
        public static let serverBusy = Code(rawValue: "server_busy")
        /// The server rejected the request for another reason (4xx).
        public static let refused = Code(rawValue: "refused")
        /// The server is unreachable: it refused the connection or did not respond.
        public static let noConnection = Code(rawValue: "no_connection")
        /// The connection was closed early.
        public static let connectionLost = Code(rawValue: "connection_lost")
        /// No data arrived within the timeout.
        public static let timedOut = Code(rawValue: "timed_out")
        /// A permanent network error, such as an invalid certificate.
        public static let transport = Code(rawValue: "transport")
        /// Invalid playlist.
        public static let badPlaylist = Code(rawValue: "bad_playlist")
        /// Not MP3 audio.
        public static let notMP3 = Code(rawValue: "not_mp3")
        /// Unsupported codec or encryption.
        public static let unsupported = Code(rawValue: "unsupported")
        /// The file cannot be read.
        public static let fileUnreadable = Code(rawValue: "file_unreadable")
        /// The decoder failed.
        public static let decoderFailed = Code(rawValue: "decoder_failed")
        /// The audio output failed.
        public static let outputFailed = Code(rawValue: "output_failed")
        /// The request was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// A message for the user.
    public let description: String

    /// Creates an error from its parts.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether a retry may succeed later.
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

    /// A request that received no response. However it failed (refused, reset, timed out), the server counts as unreachable
    /// for now and may be back at any time.
    init(unanswered error: TransportError) {
        let plain = PlaybackError(error)
        self = plain.isTransient ? PlaybackError(.noConnection, plain.description) : plain
    }

    /// The error for an HTTP status; nil for a successful one.
    init?(status: Int) {
        switch status {
        case 200..<300: return nil
        case 401, 403: self.init(.unauthorized, "the server rejected the API key (\(status))")
        case 404, 410: self.init(.notFound, "not available (\(status))")
        case 408: self.init(.timedOut, "request timeout (408)")
        case 429, 503: self.init(.serverBusy, "the server is busy (\(status))")
        case 500...: self.init(.serverError, "server error, unable to stream (\(status))")
        default: self.init(.refused, "the server rejected the request (\(status))")
        }
    }
}
