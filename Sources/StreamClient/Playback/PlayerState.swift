/// The playback state as seen from outside. ``PlaybackPhase`` defines the transitions.
public enum PlayerState: Sendable, Equatable {
    /// Nothing has been requested yet.
    case initialized
    /// The source is being opened.
    case starting
    /// Not enough audio is buffered to start.
    case waitingForData
    /// Enough audio is buffered, and the output is being started.
    case waitingForOutput
    /// Playing.
    case playing
    /// The buffer ran empty; waiting for more data.
    case buffering
    /// Paused by the user.
    case paused
    /// Stopping, for the given reason.
    case stopping(StopReason)
    /// Stopped, for the given reason.
    case stopped(StopReason)

    /// The reason why playback stops.
    public enum StopReason: Sendable, Equatable {
        /// The queue was played to its end.
        case endOfFile
        /// Stopped by the user.
        case user
        /// An error occurred.
        case error(PlaybackError)
        /// Playback continues at once, elsewhere.
        case temporary
    }
}
