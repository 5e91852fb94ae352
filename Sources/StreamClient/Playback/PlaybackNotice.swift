/// A status message that a player shows in addition to the state.
public enum PlaybackNotice: Sendable, Equatable, CustomStringConvertible {
    /// The audio is streamed over the network.
    case streaming
    /// The buffer ran empty; waiting for more data.
    case buffering
    /// The server is unreachable; playback resumes automatically when it is back.
    case noConnection
    /// A request failed and is retried after the given number of seconds.
    case retrying(PlaybackError, afterSeconds: Double)
    /// Playback failed and is not retried automatically.
    case failed(PlaybackError)

    /// The text shown to the listener.
    public var description: String {
        switch self {
        case .streaming: "Streaming"
        case .buffering: "Buffering..."
        case .noConnection: "No Connection"
        case .retrying(let error, _):
            error.code == .timedOut
                ? "Connection timed out - Retrying..." : "\(Self.sentence(error)) - Retrying..."
        case .failed(let error): Self.sentence(error)
        }
    }

    private static func sentence(_ error: PlaybackError) -> String {
        switch error.code {
        case .serverError, .serverBusy: "Server Error - Unable to stream"
        case .notFound: "Not Available"
        case .unauthorized: "Invalid API key"
        case .noConnection: "No Connection"
        case .connectionLost: "Connection lost"
        case .timedOut: "Connection timed out"
        default: error.description
        }
    }
}
