internal import Foundation
internal import MPEGAudio
internal import MusicShared

/// Plays a queue: loads, decodes, mixes and hands sound to an output.
///
/// All state belongs to this actor; there are no locks that one could wait for inside another, and nothing is waited for while
/// state is half changed. Commands change state and return; one task renders, and one task a track loads.
public actor PlaybackEngine {
    let configuration: PlaybackConfiguration
    let clock: PlaybackClock
    let sink: any AudioSink
    let planner: (any TransitionPlanner)?
    let sources: SourceMaker
    let traffic: TrafficMeter
    let governor: QualityGovernor
    nonisolated let hub = Listeners<PlaybackEvent>(capacity: 4096)

    var phase = PlaybackPhase.start
    var queue: [QueueEntry] = []
    var index: Int?
    /// What is heard.
    var current: Voice?
    /// What is fading out under it.
    var outgoing: Voice?
    /// What comes next, once it is being loaded.
    var upcoming: Voice?
    /// Where in the current track the next one begins, in ticks; nil for its end.
    var transitionTicks: Int?
    /// Whether it is known how the next track begins.
    var isTransitionDecided = false

    var format: AudioFormat?
    /// The format that the output was asked for.
    var askedFormat: AudioFormat?
    var mixer: Mixer?
    var volume = 1.0
    /// What is still to be written although playback has been interrupted: the ramp to silence.
    var tail: [Float]?
    var notice: PlaybackNotice?
    var lastMeasured: Double?
    /// Where to go on after an error.
    var lastPosition = 0.0
    var recorder: StationRecorder?
    var isShutDown = false

    private var nextID = 0
    private let wakeups: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    private var renderer: Task<Void, Never>?

    /// Puts an engine together. It holds on to its task until ``shutDown()``.
    /// - Parameters:
    ///   - sink: where sound goes.
    ///   - transport: how servers are asked.
    ///   - planner: plans transitions where they are to be planned.
    ///   - locator: says where items are when their turn comes; without one they are where they say.
    ///   - clock: what is waited and measured by.
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
        sources = SourceMaker(
            transport: transport, timeouts: configuration.timeouts, traffic: traffic, governor: governor,
            clock: clock, locator: locator)
        (wakeups, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What happens from now on. Ends when the engine is shut down.
    public nonisolated func events() -> AsyncStream<PlaybackEvent> { hub.stream() }

    /// The state.
    public var state: PlayerState { phase.state }

    /// Where playback stands.
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
            recordingPath: recorder?.path)
    }

    // MARK: - Phases

    func enter(_ next: PlaybackPhase) {
        phase = next
        hub.send(.stateChanged(next.state))
        updateNotice()
        wake()
    }

    func wake() { waker.yield() }

    func makeID() -> Int {
        nextID += 1
        return nextID
    }

    /// Starts the task that renders, if it is not there.
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

    /// Ends all tasks. The engine cannot be used again.
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

    // MARK: - What is told

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
        if let trouble = current?.trouble {
            if trouble.error.code != .noConnection {
                return .retrying(trouble.error, afterSeconds: trouble.delay)
            }
            // Nothing is said as long as there is something to hear.
            if isWaiting { return .noConnection }
        }
        if case .buffering = phase { return .buffering }
        guard let item = current?.entry.item, case .address = item.location else { return nil }
        return .streaming
    }
}
