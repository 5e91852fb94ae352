import ClientTestSupport
import Foundation
import MusicShared
import StreamClient
import StreamClientHost
import TestSupport
import Testing

@Suite struct HostConnectionTests {
    @Test("The API key is sent and the host name returned")
    func theKeyIsShownAndTheHostNamed() async throws {
        let server = try FaultyServer(try FakeHost.resources())
        let connection = FakeHost.connection([server])
        #expect(try await connection.connect().hostName == "Attic")
        #expect(server.requests.map(\.path) == ["/auth"])
        #expect(server.requests.first?.fields["authorization"] == "Bearer a-key")
        #expect(await connection.isHealthy())
    }

    @Test(
        arguments: [
            (.status(401), .unauthorized), (.status(403), .unauthorized), (.status(404), .notAHost),
            (.status(503), .refused), (.close, .noAnswer), (.nonsense, .noAnswer),
        ] as [(FaultyServer.Fault, ClientError.Code)])
    func whyItDoesNotConnect(fault: FaultyServer.Fault, code: ClientError.Code) async throws {
        let server = try FaultyServer(try FakeHost.resources()) { _ in fault }
        let connection = FakeHost.connection([server])
        let error = await failure { () async throws(ClientError) in try await connection.connect() }
        #expect(error?.code == code)
        #expect(error.map { "\($0)".contains(FakeHost.key) } == false)
    }

    @Test("Another protocol version is rejected")
    func anotherVersionIsRefused() async throws {
        let server = try FaultyServer(try FakeHost.resources(version: 99))
        let connection = FakeHost.connection([server])
        let error = await failure { () async throws(ClientError) in try await connection.connect() }
        #expect(error?.code == .versionMismatch)
        #expect(connection.address == nil)
    }

    @Test("A page of another server is not a host")
    func aPageOfAnotherServerIsNoHost() async throws {
        let server = try FaultyServer([
            "/auth": .init(Array("<html>Router</html>".utf8), mediaType: "text/html")
        ])
        let connection = FakeHost.connection([server])
        let error = await failure { () async throws(ClientError) in try await connection.connect() }
        #expect(error?.code == .notAHost)
    }

    @Test("The address that responds is used")
    func theAddressThatAnswersIsTaken() async throws {
        let away = try FaultyServer([:])
        away.goAway()
        let silent = try FaultyServer(try FakeHost.resources()) { _ in .stall(after: 0, seconds: 600) }
        let server = try FaultyServer(try FakeHost.resources())
        let connection = FakeHost.connection([away, silent, server])
        try await connection.connect()
        #expect(connection.address?.port == server.port)
        silent.end()
    }

    @Test("Requests are retried at another address")
    func requestsGoOnAtAnotherAddress() async throws {
        let list = FaultyServer.Resource(Array("[1,2]".utf8), mediaType: "application/json")
        let first = try FaultyServer(try FakeHost.resources().merging(["/list": list]) { $1 })
        let second = try FaultyServer(try FakeHost.resources().merging(["/list": list]) { $1 })
        let connection = FakeHost.connection([first, second])
        #expect(try await connection.value("/list") == [1, 2])
        #expect(connection.address?.port == first.port)
        first.goAway()
        #expect(try await connection.value("/list") == [1, 2])
        #expect(connection.address?.port == second.port)
        // Requests that change something are not sent twice.
        second.goAway()
        try first.comeBack()
        let count = first.requests.count
        let error = await failure { () async throws(ClientError) in
            try await connection.fetch("/list", base: TransportRequest("", method: "POST"))
        }
        #expect(error?.code == .noAnswer)
        #expect(first.requests.count == count)
    }

    @Test("Error messages of the host are passed on")
    func whatTheHostSaysOfAnErrorIsPassedOn() async throws {
        var refusal = FaultyServer.Resource(
            Array(#"{"error":{"code":"no_such_track","message":"There is no track 9."}}"#.utf8))
        refusal.status = 404
        let server = try FaultyServer(
            try FakeHost.resources().merging(["/api/tracks/9": refusal]) { $1 })
        let library = RemoteLibrary(FakeHost.connection([server]))
        let error = await failure { () async throws(ClientError) in try await library.track(id: 9) }
        #expect(error?.code == .notFound)
        #expect(error?.description == "There is no track 9.")
    }
}
