import ClientTestSupport
import StreamClientLinux
import Foundation
import HTTPServer
import MusicShared
import StreamClient
import StreamClientHost
import Synchronization
import TestSupport
import Testing

/// Reports of a player to its host during playback, over real sockets.
@Suite("Reporting playback", .serialized, .timeLimit(.minutes(10)))
struct PlaybackReporterTests {
    /// A host that records what it receives, and can be made to reject actions.
    private final class Host: Sendable {
        struct Heard {
            var commands: [RemoteCommand] = []
            var actions: [ListeningAction] = []
            var handshakes = 0
            var sockets: [WebSocket] = []
            var refusesActions = false
            var isDisguised = false
        }

        let heard = Mutex(Heard())

        func router() -> Router {
            let router = Router()
            router.get("/auth") { _ in
                if self.heard.withLock({ $0.isDisguised }) { return .text("<html>Sign in</html>") }
                return .text("{\"host_name\":\"Attic\",\"protocol_version\":1}")
            }
            router.webSocket("/ws") { _, socket in
                for try await message in socket.messages {
                    guard case .text(let text) = message else { continue }
                    if let command = try? JSONDecoder().decode(RemoteCommand.self, from: Data(text.utf8)) {
                        self.heard.withLock { $0.commands.append(command) }
                        continue
                    }
                    let isFirst = self.heard.withLock { heard in
                        heard.handshakes += 1
                        heard.sockets.append(socket)
                        return heard.handshakes == 1
                    }
                    let answer = try JSONEncoder().encode(HandshakeMessage(appVersion: "host 1"))
                    try await socket.send(String(decoding: answer, as: UTF8.self))
                    if isFirst {
                        try await socket.send(
                            "{\"error\":{\"code\":\"unknown_command\",\"message\":\"What?\"}}")
                    }
                }
            }
            router.post("/listening/actions") { request in
                struct Content: Decodable { var actions: [ListeningAction] }
                guard !self.heard.withLock({ $0.refusesActions }) else {
                    throw HTTPError(.serviceUnavailable, code: "busy", message: "busy")
                }
                var bytes: [UInt8] = []
                for try await piece in request.body { bytes += piece }
                let content = try JSONDecoder().decode(Content.self, from: Data(bytes))
                self.heard.withLock { $0.actions += content.actions }
                return .text("{\"results\":[]}")
            }
            return router
        }

        /// Waits until a condition on the received data holds.
        func until(_ holds: @Sendable (borrowing Heard) -> Bool) async throws {
            for _ in 0..<3000 {
                if heard.withLock({ holds($0) }) { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            Issue.record("never came: \(heard.withLock { "\($0.commands) \($0.actions)" })")
        }
    }

    private static func scene(
        _ directory: TemporaryDirectory,
        _ body: (Host, PlaybackEngine, ListeningOutbox, [PlayableItem]) async throws -> Void
    ) async throws {
        let host = Host()
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.threadCount = 2
        let server = try HTTPServer(host.router().build(), configuration: configuration)
        let connection = HostConnection(
            KnownHost(
                id: "a", name: "A", addresses: [HostAddress(name: "127.0.0.1", port: UInt16(server.port))],
                key: "k"), transport: CurlTransport(userAgent: "test"))
        var pace = RemoteChannel.Pace()
        pace.firstRetrySeconds = 0.05
        pace.longestRetrySeconds = 0.1
        let channel = RemoteChannel(connection, appVersion: "test 1", pace: pace)
        let outbox = ListeningOutbox(connection, client: "test", path: directory.file("listening.json"))
        let engine = PlaybackEngine(sink: NullSink(), transport: NoTransport())
        await engine.setVolume(0.5)
        let complaints = Mutex<[String]>([])
        let reporter = PlaybackReporter(engine, to: channel, outbox: outbox) { text in
            complaints.withLock { $0.append(text) }
        }
        let run = Task { await reporter.run() }
        let items = try [4.0, 30, 30].enumerated().map { number, seconds in
            let sound = PCM.music(frameCount: Int(44_100 * seconds), seed: UInt64(number + 1))
            let path = try directory.write(try Encoders.lame(sound, ["-b", "64"]), as: "\(number).mp3")
            var item = PlayableItem(file: path)
            item.trackID = 11 + number
            item.durationSeconds = seconds
            return item
        }
        do { try await body(host, engine, outbox, items) } catch { Issue.record(error) }
        #expect(complaints.withLock { $0 } == ["What?"])
        await engine.shutDown()
        await run.value
        await server.shutdown(withinSeconds: 1)
    }

    @Test(
        "Playback, pauses, seeks and volume are reported, and all of them again after a lost connection"
    )
    func channel() async throws {
        let directory = try TemporaryDirectory()
        try await Self.scene(directory) { host, engine, _, items in
            await engine.play(items, startingAt: 1)
            let play = RemoteCommand.play(trackID: 12, queueIDs: [11, 12, 13])
            try await host.until {
                $0.commands.contains(play) && $0.commands.contains(.setVolume(level: 0.5))
            }
            await engine.pause()
            try await host.until { $0.commands.contains(.pause) }
            await engine.resume()
            try await host.until { $0.commands.contains(.resume) }
            await engine.seek(to: 20)
            try await host.until { heard in
                heard.commands.contains {
                    if case .seek(let position) = $0 { (19.5...21).contains(position) } else { false }
                }
            }
            await engine.setVolume(0.25)
            try await host.until { $0.commands.contains(.setVolume(level: 0.25)) }
            await engine.next()
            try await host.until { $0.commands.contains(.play(trackID: 13, queueIDs: [11, 12, 13])) }
            // A temporary sign-in page in place of the host does not end the reporting.
            let sockets = host.heard.withLock { heard in
                heard.isDisguised = true
                heard.commands = []
                return heard.sockets
            }
            for socket in sockets { socket.close(.goingAway) }
            try await Task.sleep(for: .milliseconds(500))
            host.heard.withLock { $0.isDisguised = false }
            try await host.until { heard in
                heard.commands.contains(.play(trackID: 13, queueIDs: [11, 12, 13]))
                    && heard.commands.contains(.setVolume(level: 0.25))
            }
            host.heard.withLock { $0.commands = [] }
            await engine.stop()
            try await host.until { $0.commands.contains(.pause) }
        }
    }

    @Test(
        "A track counts after half its length, without seeks; actions the host rejects stay queued"
    )
    func history() async throws {
        let directory = try TemporaryDirectory()
        try await Self.scene(directory) { host, engine, outbox, items in
            host.heard.withLock { $0.refusesActions = true }
            await engine.play(items)
            while await outbox.pending.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            let pending = try #require(await outbox.pending.first)
            #expect(pending.trackID == 11 && pending.action == .play && pending.client == "test")
            #expect((1.9...4.1).contains(try #require(pending.secondsPlayed)))
            // It survives the end of the program.
            let kept = try String(contentsOfFile: directory.file("listening.json"), encoding: .utf8)
            #expect(kept.contains(try #require(pending.actionID)))
            host.heard.withLock { $0.refusesActions = false }
            // The first of these may join an attempt that the host rejected.
            while await !outbox.pending.isEmpty { await outbox.flush() }
            #expect(host.heard.withLock { $0.actions.map(\.actionID) }.contains(pending.actionID))
            // The second track is skipped through: 28 of its 30 s were not heard.
            try await host.until { $0.actions.contains { $0.action == .nowPlaying && $0.trackID == 12 } }
            await engine.seek(to: 28)
            try await host.until { $0.actions.contains { $0.action == .nowPlaying && $0.trackID == 13 } }
            let plays = host.heard.withLock { $0.actions.filter { $0.action == .play }.map(\.trackID) }
            #expect(plays == [11])
        }
    }
}
