/// The phases of playback. Each phase is a type whose methods are its possible transitions: an impossible transition does not
/// compile, because a phase can only be created by its predecessor.
public enum PlaybackPhase: Sendable {
    /// Nothing has been requested yet.
    case initialized(Initialized)
    /// The source is being opened.
    case starting(Starting)
    /// Not enough audio is buffered yet.
    case waitingForData(WaitingForData)
    /// The output is being started.
    case waitingForOutput(WaitingForOutput)
    /// Playing.
    case playing(Playing)
    /// The buffer ran empty.
    case buffering(Buffering)
    /// Paused by the user.
    case paused(Paused)
    /// Being interrupted, to continue elsewhere.
    case interrupting(Interrupting)
    /// Stopping.
    case stopping(Stopping)
    /// Stopped.
    case stopped(Stopped)

    /// The initial phase.
    public static var start: PlaybackPhase { .initialized(Initialized()) }

    /// The corresponding public state.
    public var state: PlayerState {
        switch self {
        case .initialized: .initialized
        case .starting: .starting
        case .waitingForData: .waitingForData
        case .waitingForOutput: .waitingForOutput
        case .playing: .playing
        case .buffering: .buffering
        case .paused: .paused
        case .interrupting: .stopping(.temporary)
        case .stopping(let phase): .stopping(phase.reason.stopReason)
        case .stopped(let phase): .stopped(phase.reason.stopReason)
        }
    }

    /// The reason why playback stopped.
    public enum EndReason: Sendable, Equatable {
        /// The queue was played to its end.
        case endOfFile
        /// Stopped by the user.
        case user
        /// An error occurred.
        case error(PlaybackError)

        /// The corresponding public stop reason.
        public var stopReason: PlayerState.StopReason {
            switch self {
            case .endOfFile: .endOfFile
            case .user: .user
            case .error(let error): .error(error)
            }
        }
    }

    /// Nothing has been requested yet.
    public struct Initialized: Sendable {
        fileprivate init() {}
        /// An item is played.
        public func start() -> Starting { Starting() }
    }

    /// The source is being opened.
    public struct Starting: Sendable {
        fileprivate init() {}
        /// The source was opened.
        public func opened() -> WaitingForData { WaitingForData() }
        /// The user paused before anything was played.
        public func pause() -> Paused { Paused() }
        /// Another item or position was requested.
        public func interrupt() -> Interrupting { Interrupting() }
        /// Playback stops.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// Not enough audio is buffered yet.
    public struct WaitingForData: Sendable {
        fileprivate init() {}
        /// Enough audio is buffered.
        public func ready() -> WaitingForOutput { WaitingForOutput() }
        /// The user paused.
        public func pause() -> Paused { Paused() }
        /// Another item or position was requested.
        public func interrupt() -> Interrupting { Interrupting() }
        /// Playback stops.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// The output is being started.
    public struct WaitingForOutput: Sendable {
        fileprivate init() {}
        /// The output was started.
        public func outputStarted() -> Playing { Playing() }
        /// The user paused.
        public func pause() -> Paused { Paused() }
        /// Another item or position was requested.
        public func interrupt() -> Interrupting { Interrupting() }
        /// Playback stops.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// Playing.
    public struct Playing: Sendable {
        fileprivate init() {}
        /// The buffer ran empty.
        public func starve() -> Buffering { Buffering() }
        /// The user paused.
        public func pause() -> Paused { Paused() }
        /// Another item or position was requested.
        public func interrupt() -> Interrupting { Interrupting() }
        /// Playback stops.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// The buffer ran empty.
    public struct Buffering: Sendable {
        fileprivate init() {}
        /// Enough audio is buffered again.
        public func ready() -> WaitingForOutput { WaitingForOutput() }
        /// The user paused.
        public func pause() -> Paused { Paused() }
        /// Another item or position was requested.
        public func interrupt() -> Interrupting { Interrupting() }
        /// Playback stops.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// Paused by the user.
    public struct Paused: Sendable {
        fileprivate init() {}
        /// The user resumed.
        public func resume() -> WaitingForData { WaitingForData() }
        /// Another item or position was requested.
        public func interrupt() -> Interrupting { Interrupting() }
        /// Playback stops.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// Being interrupted, to continue elsewhere.
    public struct Interrupting: Sendable {
        fileprivate init() {}
        /// Continues at another position of the current item.
        public func reposition() -> WaitingForData { WaitingForData() }
        /// Continues with another item.
        public func restart() -> Starting { Starting() }
        /// Continues paused.
        public func pause() -> Paused { Paused() }
        /// Playback stops.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// Stopping.
    public struct Stopping: Sendable {
        /// The reason.
        public let reason: EndReason
        fileprivate init(reason: EndReason) { self.reason = reason }
        /// The output has played everything.
        public func finished() -> Stopped { Stopped(reason: reason) }
    }

    /// Stopped.
    public struct Stopped: Sendable {
        /// The reason.
        public let reason: EndReason
        fileprivate init(reason: EndReason) { self.reason = reason }
        /// An item is played.
        public func start() -> Starting { Starting() }
        /// Returns to the initial phase.
        public func reset() -> Initialized { Initialized() }
    }
}
