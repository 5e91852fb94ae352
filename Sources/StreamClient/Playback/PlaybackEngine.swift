internal import Foundation
internal import MPEGAudio
internal import MusicShared

/// Plays a queue: loads, decodes, mixes, and writes audio to an output.
///
/// All state is isolated to this actor; there are no nested locks, and no suspension while state is half changed. Commands
/// change the state and return; one task renders, and one task per track loads.
public actor PlaybackEngine {
    let configuration: PlaybackConfiguration
    let clock: PlaybackClock
    let sink: any AudioSink
    let planner: (any TransitionPlanner)?
    let sources: SourceFactory
    let traffic: TrafficMeter
    let governor: QualityGovernor
    nonisolated let hub = EventBroadcaster<PlaybackEvent>(capacity: 4096)

    var phase = PlaybackPhase.start
    var queue: [QueueEntry] = []
    var index: Int?
    /// The track being played.
    var current: Voice?
    /// The track fading out during an overlap.
    var outgoing: Voice?
    /// The next track, once it is being loaded.
    var upcoming: Voice?
    /// Position in the current track at which the next one starts, in ticks; nil for its end.
    var transitionTicks: Int?
    /// Whether the transition to the next track has been determined.
    var isTransitionDecided = false

    var format: AudioFormat?
    /// The format requested from the output.
    var askedFormat: AudioFormat?
    var mixer: Mixer?
    var volume = 1.0
    /// The ramp to silence, still to be written after playback has been interrupted.
    var tail: [Float]?
    var notice: PlaybackNotice?
    var lastMeasured: Double?
    /// Number of items passed over since one has played.
    var passedOverCount = 0
    /// Largest number of items passed over in a row: after as many, the reason may concern all.
    static let mostPassedOver = 5
    /// Position at which to resume after an error.
    var lastPosition = 0.0
    var recorder: StationRecorder?
    var isShutDown = false

    private var nextID = 0
    private let wakeups: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    private var renderer: Task<Void, Never>?

    /// Creates an engine. Its task keeps it alive until ``shutDown()``.
    /// - Parameters:
    ///   - sink: the audio output.
    ///   - transport: sends the HTTP requests.
    ///   - planner: plans transitions if the configuration says ``PlaybackConfiguration/Transition/planned``.
    ///   - locator: resolves the location of an item when it is played; nil to use the item's own.
    ///   - clock: the clock used for waiting and measuring.
    public init(
        sink: any AudioSink, transport: any Transport,
        configuration: PlaybackConfiguration = PlaybackConfiguration(),
        planner: (any TransitionPlanner)? = FactsPlanner(), locator: (any MediaLocator)? = nil,
        clock: PlaybackClock = .continuous
    ) {
        self.sink = sink
        self.configuration = configuration
        self.planner = planner
        self.clock = clock
        traffic = TrafficMeter(clock: clock)
        governor = QualityGovernor(policy: configuration.quality, traffic: traffic)
        sources = SourceFactory(
            context: StreamContext(
                transport: transport, timeouts: configuration.timeouts, traffic: traffic, governor: governor,
                clock: clock), locator: locator)
        (wakeups, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Returns a stream of events from now on. Ends when the engine is shut down.
    public nonisolated func events() -> AsyncStream<PlaybackEvent> { hub.stream() }

    /// Whether the output runs in real time; false when rendering to a file.
    public nonisolated var isRealTime: Bool { sink.isRealTime }

    /// The current state.
    public var state: PlayerState { phase.state }

    /// Returns the current playback status.
    public func snapshot() async -> PlaybackSnapshot {
        let latency = await sink.latencySeconds
        let buffered = current?.store.range.map {
            StreamTime.seconds(max(0, $0.lowerBound))...StreamTime.seconds(max(0, $0.upperBound))
        }
        return PlaybackSnapshot(
            state: phase.state, item: index.map { queue[$0].item }, index: index,
            positionSeconds: current.map { max(0, StreamTime.seconds($0.position) - latency) }
                ?? lastPosition,
            durationSeconds: current?.facts.durationSeconds
                ?? index.flatMap {
                    queue[$0].item.durationSeconds
                },
            bufferedSeconds: buffered, facts: current?.facts ?? MediaFacts(), notice: notice,
            queue: queue.map(\.item), volume: volume, bitsPerSecond: traffic.bitsPerSecond,
            recordingPath: recorder?.path, bufferingProgress: bufferingProgress)
    }

    // MARK: - Phases

    func enter(_ next: PlaybackPhase) {
        phase = next
        if next.state == .playing { passedOverCount = 0 }
        hub.send(.stateChanged(next.state))
        updateNotice()
        wake()
    }

    func wake() { waker.yield() }

    func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// Starts the render task if it is not running.
    func startRenderer() {
        guard renderer == nil, !isShutDown else { return }
        renderer = Task(executorPreference: configuration.executor) { await self.render() }
    }

    private func render() async {
        var iterator = wakeups.makeAsyncIterator()
        while !isShutDown {
            if let tail {
                self.tail = nil
                do throws(PlaybackError) {
                    try await sink.write(tail)
                } catch {
                    fail(error)
                }
                continue
            }
            switch phase {
            case .waitingForOutput: await startOutput()
            case .playing: await playBlock()
            case .stopping: await finishStopping()
            default: _ = await iterator.next(isolation: #isolation)
            }
        }
        await sink.close()
    }

    /// Ends all tasks. The engine cannot be used afterwards.
    public func shutDown() async {
        guard !isShutDown else { return }
        dropVoices()
        isShutDown = true
        recorder = nil
        wake()
        await renderer?.value
        hub.finish()
    }

    func dropVoices() {
        for voice in [outgoing, current, upcoming].compactMap({ $0 }) { voice.abandon() }
        outgoing = nil
        current = nil
        upcoming = nil
        transitionTicks = nil
        isTransitionDecided = false
    }

    // MARK: - Notices

    func updateNotice() {
        let now = presentNotice()
        guard now != notice else { return }
        notice = now
        hub.send(.noticed(now))
    }

    private func presentNotice() -> PlaybackNotice? {
        let isWaiting: Bool
        switch phase {
        case .stopped(let stopped):
            if case .error(let error) = stopped.reason { return .failed(error) }
            return nil
        case .initialized, .stopping, .interrupting: return notice
        case .starting, .waitingForData, .buffering: isWaiting = true
        case .waitingForOutput, .playing, .paused: isWaiting = false
        }
        // Show no error while there is still audio to play.
        if isWaiting, let trouble = current?.trouble {
            return trouble.error.code == .noConnection
                ? .noConnection : .retrying(trouble.error, afterSeconds: trouble.delay)
        }
        if case .buffering = phase { return .buffering }
        guard let item = current?.entry.item, case .address = item.location else { return nil }
        return .streaming
    }
}
