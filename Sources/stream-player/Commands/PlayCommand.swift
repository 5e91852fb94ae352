import ConsoleProgram
import Foundation
import MusicShared
import StreamClient

/// `play` and `radio`.
struct PlayCommand {
    private let options: PlayOptions
    private let words: [String]
    private let isRadio: Bool

    /// - Throws: `UsageError`.
    init(_ arguments: ArgumentList, isRadio: Bool = false) throws {
        var arguments = arguments
        options = try PlayOptions(&arguments)
        words = try arguments.operands(
            1...(isRadio ? 1 : 100_000), named: isRadio ? "a station's address" : "what to play")
        self.isRadio = isRadio
        if isRadio, !words[0].hasPrefix("http://"), !words[0].hasPrefix("https://") {
            throw UsageError(message: "\(words[0]) is no address of a station")
        }
    }

    /// Plays, to the end or until the listener has had enough.
    func run() async throws -> Int32 {
        let transport = ClientFolder.transport()
        let sink = try options.sink()
        let played = try await PlayedItems(words, options)
        guard !played.items.isEmpty else { throw UsageError(message: "there is nothing in it to play") }
        let engine = PlaybackEngine(
            sink: sink, transport: transport, configuration: options.configuration,
            planner: planner(played.host),
            locator: played.host.map { HostLocator($0.connection, cache: $0.cache) })
        let events = engine.events()
        await engine.networkChanged(to: options.network)
        await engine.setVolume(options.volume)
        if let path = options.recordingPath { try await engine.startRecording(to: path) }
        let prefetch = prefetch(played.host, engine)
        defer { prefetch?.cancel() }
        await engine.play(played.items, from: options.startSeconds)
        let interruption = InterruptionHandler { Task { await engine.stop() } }
        defer { interruption.end() }
        let limit = options.limitSeconds.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                await engine.stop()
            }
        }
        defer { limit?.cancel() }
        let status =
            options.isPlain || !PlayerScreen.isPossible
            ? await PlainView().follow(events)
            : await PlayerScreen(
                engine, connection: played.host?.connection, recordingPath: options.recordingPath
            ).follow(events)
        await engine.shutDown()
        await played.host?.cache?.flush()
        return status
    }

    private func planner(_ host: PlayedHost?) -> any TransitionPlanner {
        let choices = CrossfadePlan.Options(targetLUFS: options.targetLUFS)
        guard let host else { return FactsPlanner(options: choices) }
        return HostPlanner(host.connection, options: choices)
    }

    /// Downloads what comes next, except where the network costs.
    private func prefetch(_ host: PlayedHost?, _ engine: PlaybackEngine) -> Task<Void, Never>? {
        guard options.network != .cellular, let cache = host?.cache else { return nil }
        return Task { await cache.prefetch(for: engine) }
    }
}
