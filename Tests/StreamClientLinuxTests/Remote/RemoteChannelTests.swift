import ClientTestSupport
import StreamClientLinux
import Crypto
import Foundation
import HTTPServer
import MusicShared
import Synchronization
import Testing
import TestSupport

@testable import StreamClient
@testable import StreamClientHost

@Suite(.serialized) struct RemoteChannelTests {
    /// The host's end of the channel: records what it receives, and responds as configured.
    final class HostEnd: Sendable {
        struct State {
            var heard: [String] = []
            var sockets: [WebSocket] = []
        }

        let state = Mutex(State())
        let version: Int

        init(version: Int = StreamingConstants.protocolVersion) { self.version = version }

        var heard: [String] { state.withLock { $0.heard } }

        func serve(_ socket: WebSocket) async throws {
            state.withLock { $0.sockets.append(socket) }
            for try await message in socket.messages {
                guard case .text(let text) = message else { continue }
                state.withLock { $0.heard.append(text) }
                if text.contains("protocol_version") {
                    try await socket.send("{\"protocol_version\":\(version),\"app_version\":\"host 1\"}")
                    try await socket.send("{\"eventOfLaterVersions\":{}}")
                    try await socket.send("{\"db_ready\":{}}")
                    if version != StreamingConstants.protocolVersion {
                        socket.close(WebSocketCloseCode(rawValue: RemoteCloseCode.versionMismatch))
                    }
                }
            }
        }

        func closeAll() { for socket in state.withLock({ $0.sockets }) { socket.close(.goingAway) } }
    }

    private func withHost(
        _ end: HostEnd, key: String = FakeHost.key,
        _ body: (HostConnection) async throws -> Void
    ) async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.threadCount = 2
        let router = Router()
        router.get("/auth") { request in
            guard request.fields[.authorization] == "Bearer \(key)" else {
                throw HTTPError(.unauthorized, code: "unauthorized", message: "no")
            }
            return .text("{\"host_name\":\"Attic\",\"protocol_version\":1}")
        }
        router.webSocket("/ws") { request, socket in
            #expect(request.fields[.authorization] == "Bearer \(key)")
            try await end.serve(socket)
        }
        let server = try HTTPServer(router.build(), configuration: configuration)
        let host = KnownHost(
            id: "a", name: "A", addresses: [HostAddress(name: "127.0.0.1", port: UInt16(server.port))],
            key: FakeHost.key)
        do {
            try await body(HostConnection(host, transport: CurlTransport(userAgent: "test")))
        } catch {
            await server.shutdown(withinSeconds: 0)
            throw error
        }
        await server.shutdown(withinSeconds: 1)
    }

    private static let quick = {
        var pace = RemoteChannel.Pace()
        pace.firstRetrySeconds = 0.05
        return pace
    }()

    /// Returns the first event that is not a failed attempt.
    private static func connection(
        _ events: inout AsyncStream<RemoteChannel.Event>.AsyncIterator
    ) async -> RemoteChannel.Event? {
        while let event = await events.next() {
            if case .disconnected = event { continue }
            return event
        }
        return nil
    }

    @Test("Handshake, commands, events and reconnection")
    func greetsTellsAndHears() async throws {
        let end = HostEnd()
        try await withHost(end) { connection in
            let channel = RemoteChannel(connection, appVersion: "test 1", pace: Self.quick)
            let run = Task { try await channel.run() }
            var events = channel.events.makeAsyncIterator()
            // A busy machine may need more than one attempt.
            #expect(await Self.connection(&events) == .connected(HandshakeMessage(appVersion: "host 1")))
            #expect(await events.next() == .host(.dbReady))
            let commands: [RemoteCommand] = [
                .play(trackID: 17, queueIDs: [16, 17, 18]), .pause, .resume, .next, .previous,
                .seek(position: 63.5), .setVolume(level: 0.5), .toggleShuffle, .refreshDB,
            ]
            for command in commands { try await channel.send(command) }
            while end.heard.count < 10 { try await Task.sleep(for: .milliseconds(10)) }
            let heard = try end.heard.dropFirst().map {
                try JSONDecoder().decode(RemoteCommand.self, from: Data($0.utf8))
            }
            #expect(heard == commands)

            // It reconnects and repeats the handshake automatically.
            end.closeAll()
            guard case .disconnected = await events.next() else {
                Issue.record("no disconnected event")
                return
            }
            #expect(await Self.connection(&events) == .connected(HandshakeMessage(appVersion: "host 1")))
            run.cancel()
            try await run.value
            let error = await failure { () async throws(ClientError) in try await channel.send(.pause) }
            #expect(error?.code == .noAnswer)
        }
    }

    @Test("A version mismatch ends the channel")
    func anotherVersionEndsIt() async throws {
        try await withHost(HostEnd(version: 2)) { connection in
            let channel = RemoteChannel(connection, appVersion: "test 1", pace: Self.quick)
            let error = await failure { () async throws(ClientError) in try await channel.run() }
            #expect(error?.code == .versionMismatch)
        }
    }

    @Test("An invalid key ends the channel")
    func aWrongKeyEndsIt() async throws {
        try await withHost(HostEnd(), key: "another") { connection in
            let channel = RemoteChannel(connection, appVersion: "test 1", pace: Self.quick)
            let error = await failure { () async throws(ClientError) in try await channel.run() }
            #expect(error?.code == .unauthorized)
        }
    }

    /// A server that accepts the socket but never sends anything, not even pongs.
    @Test("An unresponsive host is detected")
    func silenceIsNoticed() async throws {
        let held = Mutex<FaultyServer?>(nil)
        let server = try FaultyServer(try FakeHost.resources()) { request in
            guard request.path == "/ws", let key = request.fields["sec-websocket-key"] else { return .none }
            var upgrade = FaultyServer.Resource(
                [],
                fields: [
                    "Upgrade: websocket", "Connection: Upgrade",
                    "Sec-WebSocket-Accept: \(WebSocketHandshake.acceptance(of: key))",
                ])
            upgrade.status = 101
            held.withLock { $0 }?.serve(upgrade, at: "/ws")
            return .stall(after: 0, seconds: 20)
        }
        held.withLock { $0 = server }
        var pace = Self.quick
        pace.pingSeconds = 0.1
        let channel = RemoteChannel(FakeHost.connection([server]), appVersion: "test 1", pace: pace)
        let run = Task { try? await channel.run() }
        var events = channel.events.makeAsyncIterator()
        guard case .disconnected(let reason, _) = await events.next() else {
            Issue.record("no disconnected event")
            return
        }
        #expect(reason == "The host stopped responding.")
        run.cancel()
        _ = await run.value
        held.withLock { $0 = nil }
        server.end()
    }

    @Test("Retry delays grow up to a limit")
    func waitsGrowUpToALimit() {
        let pace = RemoteChannel.Pace()
        #expect(
            (1...8).map { pace.retrySeconds(after: $0) } == [0.5, 1, 2, 4, 8, 16, 30, 30])
    }
}
