/// What a player shows its listener beside the state.
public enum PlaybackNotice: Sendable, Equatable, CustomStringConvertible {
    /// Sound comes over the network.
    case streaming
    /// Sound ran out and is awaited.
    case buffering
    /// Nobody is there; playback goes on by itself when the network does.
    case noConnection
    /// It failed and is being tried again after so many seconds.
    case retrying(PlaybackError, afterSeconds: Double)
    /// It failed for good: only the listener can try again.
    case failed(PlaybackError)

    /// For the listener.
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
        case .unauthorized: "The key is not accepted"
        case .noConnection: "No Connection"
        case .connectionLost: "Connection lost"
        case .timedOut: "Connection timed out"
        default: error.description
        }
    }
}
