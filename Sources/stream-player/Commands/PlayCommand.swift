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
        let transport = CurlTransport(userAgent: "stream-player/\(ProductVersion.text)")
        let sink = try options.sink()
        let items = try await PlayedItems(options: options, transport: transport).items(words)
        guard !items.isEmpty else { throw UsageError(message: "there is nothing in it to play") }
        let engine = PlaybackEngine(
            sink: sink, transport: transport, configuration: options.configuration,
            planner: planner(transport))
        let events = engine.events()
        await engine.networkChanged(to: options.network)
        await engine.setVolume(options.volume)
        if let path = options.recordingPath { try await engine.startRecording(to: path) }
        await engine.play(items, from: options.startSeconds)
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
            : await PlayerScreen(engine, transport: transport, recordingPath: options.recordingPath).follow(
                events)
        await engine.shutDown()
        return status
    }

    private func planner(_ transport: any Transport) -> any TransitionPlanner {
        guard let host = options.host else {
            return FactsPlanner(options: .init(targetLUFS: options.targetLUFS))
        }
        return HostPlanner(
            host: host, fields: options.fields, transport: transport,
            options: .init(targetLUFS: options.targetLUFS))
    }
}
