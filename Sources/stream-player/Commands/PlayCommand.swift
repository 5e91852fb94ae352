import CommandLineProgram
import Foundation
import MusicShared
import StreamClient

/// The commands `play` and `radio`.
struct PlayCommand {
    private let options: PlayOptions
    private let words: [String]
    private let isRadio: Bool

    /// - Throws: `UsageError`.
    init(_ arguments: ArgumentList, isRadio: Bool = false) throws {
        var arguments = arguments
        options = try PlayOptions(&arguments)
        words = try arguments.operands(
            1...(isRadio ? 1 : 100_000), named: isRadio ? "the URL of a station" : "the tracks to play")
        self.isRadio = isRadio
        if isRadio, !words[0].hasPrefix("http://"), !words[0].hasPrefix("https://") {
            throw UsageError(message: "'\(words[0])' is not a station URL")
        }
    }

    /// Plays until the end of the queue or until the user quits.
    func run() async throws -> Int32 {
        let transport = ClientFolder.transport()
        let sink = try options.sink()
        let played = try await PlayedItems(words, options)
        guard !played.items.isEmpty else { throw UsageError(message: "nothing to play: no tracks found") }
        let engine = PlaybackEngine(
            sink: sink, transport: transport, configuration: options.configuration,
            planner: planner(played.host),
            locator: played.host.map { HostLocator($0.connection, cache: $0.cache) })
        let events = engine.events()
        await engine.networkChanged(to: options.network)
        await engine.setVolume(options.volume)
        if let path = options.recordingPath { try await engine.startRecording(to: path) }
        let isPlain = options.isPlain || !PlayerScreen.isPossible
        let link = played.host.map { HostLink($0, engine, showsErrors: isPlain) }
        let prefetch = prefetch(played.host, engine)
        defer { prefetch?.cancel() }
        let feed = played.radio.map { radio in
            let events = engine.events()
            return Task { await radio.run(engine, events) }
        }
        defer { feed?.cancel() }
        await engine.play(played.items, from: options.startSeconds)
        let interruption = InterruptionHandler { Task { await Self.end(engine) } }
        defer { interruption.end() }
        let limit = options.limitSeconds.map { seconds in
            Task {
                try await Task.sleep(for: .seconds(seconds))
                await Self.end(engine)
            }
        }
        defer { limit?.cancel() }
        let status =
            isPlain
            ? await PlainView(engine, reporter: link?.reporter).follow(events)
            : await PlayerScreen(
                engine, connection: played.host?.connection, recordingPath: options.recordingPath
            ).follow(events)
        await engine.shutDown()
        await link?.end()
        await played.host?.cache?.flush()
        return status
    }

    /// Stops playback. Also ends the program if playback has already stopped and is waiting for the user or the host.
    private static func end(_ engine: PlaybackEngine) async {
        let state = await engine.state
        await engine.stop()
        if case .stopped = state { await engine.shutDown() }
    }

    private func planner(_ host: PlayedHost?) -> any TransitionPlanner {
        var choices = options.planning
        choices.targetLUFS = options.targetLUFS
        guard let host else { return FactsPlanner(options: choices) }
        return HostPlanner(host.connection, options: choices)
    }

    /// Prefetches upcoming tracks, except on metered networks.
    private func prefetch(_ host: PlayedHost?, _ engine: PlaybackEngine) -> Task<Void, Never>? {
        guard options.network != .cellular, let cache = host?.cache else { return nil }
        return Task { await cache.prefetch(for: engine) }
    }
}
