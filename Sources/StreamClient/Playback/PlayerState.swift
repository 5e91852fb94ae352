/// Where playback stands, for those who look at it. ``PlaybackPhase`` has the ways from one to the next.
public enum PlayerState: Sendable, Equatable {
    /// Nothing was asked for yet.
    case initialized
    /// The source is being found out about.
    case starting
    /// There is not yet enough sound to begin.
    case waitingForData
    /// There is, and the output is being started.
    case waitingForOutput
    /// It sounds.
    case playing
    /// Sound ran out: more is awaited.
    case buffering
    /// The listener wants silence.
    case paused
    /// It is being ended, for a reason.
    case stopping(StopReason)
    /// It has ended, for a reason.
    case stopped(StopReason)

    /// Why playback ends.
    public enum StopReason: Sendable, Equatable {
        /// All was played.
        case endOfFile
        /// The listener wants it.
        case user
        /// It cannot go on.
        case error(PlaybackError)
        /// It goes on at once, at another place.
        case temporary
    }
}
