/// Where playback stands, each phase a type of its own whose methods are all the ways out of it: a step that is not
/// possible does not compile, since a phase can only be made by the one before it.
public enum PlaybackPhase: Sendable {
    /// Nothing was asked for yet.
    case initialized(Initialized)
    /// The source is being found out about.
    case starting(Starting)
    /// Not yet enough sound.
    case waitingForData(WaitingForData)
    /// The output is being started.
    case waitingForOutput(WaitingForOutput)
    /// It sounds.
    case playing(Playing)
    /// Sound ran out.
    case buffering(Buffering)
    /// The listener wants silence.
    case paused(Paused)
    /// Ends, and goes on at another place.
    case interrupting(Interrupting)
    /// Ends.
    case stopping(Stopping)
    /// Has ended.
    case stopped(Stopped)

    /// The phase that all begins with.
    public static var start: PlaybackPhase { .initialized(Initialized()) }

    /// What others see of it.
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

    /// Why playback ends for good.
    public enum EndReason: Sendable, Equatable {
        /// All was played.
        case endOfFile
        /// The listener wants it.
        case user
        /// It cannot go on.
        case error(PlaybackError)

        /// The same among all reasons.
        public var stopReason: PlayerState.StopReason {
            switch self {
            case .endOfFile: .endOfFile
            case .user: .user
            case .error(let error): .error(error)
            }
        }
    }

    /// Nothing was asked for yet.
    public struct Initialized: Sendable {
        fileprivate init() {}
        /// Something was asked for.
        public func start() -> Starting { Starting() }
    }

    /// The source is being found out about.
    public struct Starting: Sendable {
        fileprivate init() {}
        /// The source is known.
        public func opened() -> WaitingForData { WaitingForData() }
        /// The listener wants silence before there was any sound.
        public func pause() -> Paused { Paused() }
        /// Something else was asked for.
        public func interrupt() -> Interrupting { Interrupting() }
        /// It ends.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// Not yet enough sound.
    public struct WaitingForData: Sendable {
        fileprivate init() {}
        /// Enough is there.
        public func ready() -> WaitingForOutput { WaitingForOutput() }
        /// The listener wants silence.
        public func pause() -> Paused { Paused() }
        /// Another place was asked for.
        public func interrupt() -> Interrupting { Interrupting() }
        /// It ends.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// The output is being started.
    public struct WaitingForOutput: Sendable {
        fileprivate init() {}
        /// The output takes sound.
        public func outputStarted() -> Playing { Playing() }
        /// The listener wants silence.
        public func pause() -> Paused { Paused() }
        /// Another place was asked for.
        public func interrupt() -> Interrupting { Interrupting() }
        /// It ends.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// It sounds.
    public struct Playing: Sendable {
        fileprivate init() {}
        /// Sound ran out.
        public func starve() -> Buffering { Buffering() }
        /// The listener wants silence.
        public func pause() -> Paused { Paused() }
        /// Another place was asked for.
        public func interrupt() -> Interrupting { Interrupting() }
        /// It ends.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// Sound ran out.
    public struct Buffering: Sendable {
        fileprivate init() {}
        /// Enough is there again.
        public func ready() -> WaitingForOutput { WaitingForOutput() }
        /// The listener wants silence.
        public func pause() -> Paused { Paused() }
        /// Another place was asked for.
        public func interrupt() -> Interrupting { Interrupting() }
        /// It ends.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// The listener wants silence.
    public struct Paused: Sendable {
        fileprivate init() {}
        /// The listener wants to hear on.
        public func resume() -> WaitingForData { WaitingForData() }
        /// Something else was asked for.
        public func interrupt() -> Interrupting { Interrupting() }
        /// It ends.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// Ends, and goes on at another place.
    public struct Interrupting: Sendable {
        fileprivate init() {}
        /// Goes on in what is known already.
        public func reposition() -> WaitingForData { WaitingForData() }
        /// Goes on with another source.
        public func restart() -> Starting { Starting() }
        /// Goes on, silently.
        public func pause() -> Paused { Paused() }
        /// It ends after all.
        public func stop(_ reason: EndReason) -> Stopping { Stopping(reason: reason) }
    }

    /// Ends.
    public struct Stopping: Sendable {
        /// Why.
        public let reason: EndReason
        fileprivate init(reason: EndReason) { self.reason = reason }
        /// The output has played what it had.
        public func finished() -> Stopped { Stopped(reason: reason) }
    }

    /// Has ended.
    public struct Stopped: Sendable {
        /// Why.
        public let reason: EndReason
        fileprivate init(reason: EndReason) { self.reason = reason }
        /// Something was asked for.
        public func start() -> Starting { Starting() }
        /// As in the beginning.
        public func reset() -> Initialized { Initialized() }
    }
}
