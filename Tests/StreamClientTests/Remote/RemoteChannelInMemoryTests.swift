import ClientTestSupport
import Foundation
import MusicShared
import StreamClient
import StreamClientHost
import Synchronization
import Testing

/// The remote channel over connections in memory.
@Suite("Remote channel in memory", .timeLimit(.minutes(5)))
struct RemoteChannelInMemoryTests {
    private static var quick: RemoteChannel.Pace {
        var pace = RemoteChannel.Pace()
        pace.firstRetrySeconds = 0.01
        return pace
    }

    private static func greet(_ connection: MemoryWebSockets.Connection) {
        connection.deliver(.text("{\"protocol_version\":1,\"app_version\":\"host 1\"}"))
    }

    private static func channel(
        _ sockets: MemoryWebSockets, _ pace: RemoteChannel.Pace = quick
    ) throws -> RemoteChannel {
        let (_, connection) = try SimulatedServer.host()
        return RemoteChannel(connection, connector: sockets, appVersion: "test 1", pace: pace)
    }

    @Test("Commands arrive after the handshake, and events come back")
    func conversation() async throws {
        let request = Mutex<TransportRequest?>(nil)
        let (connections, sink) = AsyncStream.makeStream(of: MemoryWebSockets.Connection.self)
        let channel = try Self.channel(
            MemoryWebSockets { _, asked, connection in
                request.withLock { $0 = asked }
                Self.greet(connection)
                connection.deliver(.text("{\"event_of_a_later_version\":{}}"))
                connection.deliver(.text("{\"db_ready\":{}}"))
                sink.yield(connection)
            })
        let run = Task { try await channel.run() }
        var events = channel.events.makeAsyncIterator()
        #expect(await events.next() == .connected(HandshakeMessage(appVersion: "host 1")))
        #expect(await events.next() == .host(.dbReady))
        try await channel.send(.seek(position: 63.5))
        var accepted = connections.makeAsyncIterator()
        let connection = try #require(await accepted.next())
        var texts = connection.texts.makeAsyncIterator()
        let greeting = try #require(await texts.next())
        #expect(
            try JSONDecoder().decode(HandshakeMessage.self, from: Data(greeting.utf8))
                == HandshakeMessage(appVersion: "test 1"))
        let command = try #require(await texts.next())
        #expect(
            try JSONDecoder().decode(RemoteCommand.self, from: Data(command.utf8)) == .seek(position: 63.5))
        #expect(request.withLock { $0?.fields["authorization"] } == "Bearer a-key")
        run.cancel()
        try await run.value
        #expect(connection.closeCodes == [1000])
    }

    @Test("A lost connection is replaced; a command in between fails")
    func reconnection() async throws {
        let (connections, sink) = AsyncStream.makeStream(of: MemoryWebSockets.Connection.self)
        let sockets = MemoryWebSockets { number, _, connection throws(WebSocketError) in
            // The second attempt meets a server that is busy.
            if number == 1 { throw .rejected(status: 503) }
            Self.greet(connection)
            sink.yield(connection)
        }
        let channel = try Self.channel(sockets)
        let run = Task { try await channel.run() }
        var events = channel.events.makeAsyncIterator()
        var accepted = connections.makeAsyncIterator()
        #expect(await events.next() == .connected(HandshakeMessage(appVersion: "host 1")))
        await accepted.next()?.fail(.disconnected(TransportError(.connectionLost, "cut")))
        guard case .disconnected(let lost, _) = await events.next(),
            case .disconnected(let busy, _) = await events.next()
        else {
            Issue.record("no disconnected event")
            return
        }
        #expect(lost == "cut")
        #expect(busy == "The host returned status 503.")
        #expect(await events.next() == .connected(HandshakeMessage(appVersion: "host 1")))
        #expect(sockets.attemptCount == 3)
        run.cancel()
        try await run.value
        let error = await failure { () async throws(ClientError) in try await channel.send(.pause) }
        #expect(error?.code == .noAnswer)
    }

    @Test("A host that answers no ping is treated as lost")
    func silence() async throws {
        var pace = Self.quick
        pace.pingSeconds = 0.05
        let channel = try Self.channel(
            MemoryWebSockets(answersPings: false) { _, _, connection in Self.greet(connection) }, pace)
        let run = Task { try await channel.run() }
        var events = channel.events.makeAsyncIterator()
        #expect(await events.next() == .connected(HandshakeMessage(appVersion: "host 1")))
        guard case .disconnected(let reason, _) = await events.next() else {
            Issue.record("no disconnected event")
            return
        }
        #expect(reason == "The host stopped responding.")
        run.cancel()
        try await run.value
    }

    @Test("A host that answers pings stays connected", arguments: [0, 3600])
    func pings(secondsAsleep: Int) async throws {
        var pace = Self.quick
        pace.pingSeconds = 0.05
        let channel = try Self.channel(
            MemoryWebSockets { _, _, connection in
                Self.greet(connection)
                // After a pause of this machine, the host has had no ping to answer.
                connection.age(by: .seconds(secondsAsleep))
                connection.onPing { count in
                    // Three pings without an answer would have ended the connection.
                    if count == 4 { connection.deliver(.text("{\"db_ready\":{}}")) }
                }
            }, pace)
        let run = Task { try await channel.run() }
        var events = channel.events.makeAsyncIterator()
        #expect(await events.next() == .connected(HandshakeMessage(appVersion: "host 1")))
        #expect(await events.next() == .host(.dbReady))
        run.cancel()
        try await run.value
    }

    @Test(
        "Errors that no retry helps against end the channel",
        arguments: [
            (.rejected(status: 401), .unauthorized), (.rejected(status: 200), .notAHost),
            (.rejected(status: nil), .notAHost), (.violation("protocol error"), .notAHost),
        ] as [(WebSocketError, ClientError.Code)])
    func permanent(_ error: WebSocketError, _ code: ClientError.Code) async throws {
        let channel = try Self.channel(MemoryWebSockets { _, _, _ throws(WebSocketError) in throw error })
        let thrown = await failure { () async throws(ClientError) in try await channel.run() }
        #expect(thrown?.code == code)
    }

    @Test("A host that closes with another version ends the channel")
    func versionMismatch() async throws {
        let channel = try Self.channel(
            MemoryWebSockets { _, _, connection in
                connection.deliver(.closed(code: RemoteCloseCode.versionMismatch, reason: "version 2"))
            })
        let thrown = await failure { () async throws(ClientError) in try await channel.run() }
        #expect(thrown?.code == .versionMismatch)
        #expect(thrown?.description == "version 2")
    }
}
