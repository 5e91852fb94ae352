package import StreamClient
internal import Synchronization
internal import TestSupport

/// A player, a server and a user in simulated time.
package final class Scene: Sendable {
    package let clock: PlaybackClock
    package let server: SimulatedServer
    package let engine: PlaybackEngine
    private let log = Mutex<[(seconds: Double, event: PlaybackEvent)]>([])

    /// Runs a scene.
    package static func play(
        bitsPerSecond: Double = 5_000_000, sink: (@Sendable (PlaybackClock) -> any AudioSink)? = nil,
        planner: (any TransitionPlanner)? = FactsPlanner(),
        _ configure: @Sendable (inout PlaybackConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (Scene) async throws -> Void
    ) async throws {
        var made = PlaybackConfiguration()
        configure(&made)
        let configuration = made
        try await SimulatedTime.run { time in
            let clock = PlaybackClock(time)
            var configuration = configuration
            configuration.executor = time
            let scene = Scene(
                clock, SimulatedServer(clock: clock, bitsPerSecond: bitsPerSecond),
                sink?(clock) ?? NullSink(clock: clock), planner, configuration)
            let events = scene.engine.events()
            let listener = Task(executorPreference: time) {
                for await event in events { scene.log.withLock { $0.append((clock.seconds, event)) } }
            }
            do {
                try await body(scene)
            } catch {
                await scene.engine.shutDown()
                throw error
            }
            await scene.engine.shutDown()
            await listener.value
        }
    }

    private init(
        _ clock: PlaybackClock, _ server: SimulatedServer, _ sink: any AudioSink,
        _ planner: (any TransitionPlanner)?, _ configuration: PlaybackConfiguration
    ) {
        self.clock = clock
        self.server = server
        engine = PlaybackEngine(
            sink: sink, transport: server, configuration: configuration, planner: planner, clock: clock)
    }

    /// The events so far, with their times.
    package var events: [(seconds: Double, event: PlaybackEvent)] { log.withLock { $0 } }
    package var states: [PlayerState] {
        events.compactMap { if case .stateChanged(let state) = $0.event { state } else { nil } }
    }
    package var notices: [PlaybackNotice?] {
        events.compactMap { if case .noticed(let notice) = $0.event { .some(notice) } else { nil } }
    }

    /// Returns the time at which a state was first entered after the given time.
    package func time(of state: PlayerState, after seconds: Double = 0) -> Double? {
        events.first { $0.seconds >= seconds && $0.event == .stateChanged(state) }?.seconds
    }

    package func wait(_ seconds: Double) async { try? await clock.sleep(seconds: seconds) }

    /// Waits until a condition holds; returns false after the given simulated time.
    package func wait(upTo seconds: Double = 600, until holds: (Scene) async -> Bool) async -> Bool {
        let end = clock.seconds + seconds
        while clock.seconds < end {
            if await holds(self) { return true }
            await wait(0.01)
        }
        return false
    }

    package func wait(for state: PlayerState, upTo seconds: Double = 600) async -> Bool {
        await wait(upTo: seconds) { await $0.engine.state == state }
    }

    /// Waits until playback has stopped with an error, one with the code if there is one.
    package func waitForError(_ code: PlaybackError.Code? = nil, upTo seconds: Double) async -> Bool {
        await wait(upTo: seconds) {
            guard case .stopped(.error(let error)) = await $0.engine.state else { return false }
            return code.map { $0 == error.code } ?? true
        }
    }

    package var position: Double { get async { await engine.snapshot().positionSeconds } }
    /// Seconds buffered ahead of the playback position.
    package var ahead: Double {
        get async {
            let now = await engine.snapshot()
            return (now.bufferedSeconds?.upperBound ?? now.positionSeconds) - now.positionSeconds
        }
    }

    package func item(_ address: String) -> PlayableItem {
        PlayableItem(id: address, location: .address(address), title: address)
    }
}

/// Long recordings that are cheap to create: the frames of a short one, repeated.
package enum LongRecording {
    /// 128 kbit/s, 44.1 kHz, no tags. About 20 s of audio per repetition.
    package static let short = Task {
        try Encoders.lame(PCM.music(frameCount: 20 * 44_100), ["-t", "-b", "128"])
    }
    package static let lowShort = Task {
        try Encoders.lame(PCM.music(frameCount: 20 * 44_100), ["-t", "-b", "48", "--resample", "44.1"])
    }

    package static func bytes(repetitions: Int) async throws -> [UInt8] {
        let short = try await short.value
        return Array((0..<repetitions).map { _ in short }.joined())
    }
}
