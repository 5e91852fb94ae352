import HTTPClient
import TestSupport
import Testing

@testable import Scrobbling

@Suite("Connecting to services", .timeLimit(.minutes(10)))
struct ConnectingTests {
    private let loop = TransferLoop(userAgent: "tests/1")

    private func lastFM(_ server: FakeScrobbleServer, secret: String = FakeScrobbleServer.secret) -> LastFM {
        LastFM(
            address: server.lastFM,
            application: LastFM.Application(key: FakeScrobbleServer.apiKey, secret: secret),
            session: nil, loop: loop)
    }

    private func code(_ body: () async throws -> Void) async throws -> ScrobbleError.Code? {
        do {
            try await body()
            return nil
        } catch let error as ScrobbleError {
            #expect(
                !error.description.contains(FakeScrobbleServer.secret)
                    && !error.description.contains("token-of")
            )
            return error.code
        }
    }

    @Test("ListenBrainz names the token's user, and an unknown token is refused")
    func listenBrainz() async throws {
        let server = try FakeScrobbleServer()
        func client(_ token: String) -> ListenBrainz {
            ListenBrainz(address: server.listenBrainz, token: token, program: ("tests", "1"), loop: loop)
        }
        #expect(try await client(FakeScrobbleServer.token).userName() == "listener")
        #expect(try await code { _ = try await client("unknown-token").userName() } == .refused)
    }

    @Test("Last.fm hands out a session after the user has allowed it")
    func session() async throws {
        let server = try FakeScrobbleServer(.unallowed)
        let client = lastFM(server)
        let token = try await client.token()
        #expect(
            client.authorizationURL(page: LastFM.standardPage, token: token)
                == "https://www.last.fm/api/auth/?api_key=app-key&token=request-token")
        #expect(try await code { _ = try await client.session(token: token) } == .notAuthorized)
        try server.behave(.ok)
        let session = try await client.session(token: token)
        #expect(session.user == "listener" && session.key == FakeScrobbleServer.session)
        #expect(try server.diary().allSatisfy { $0.wrong == [] })
    }

    @Test("A wrong secret is refused, and a server that does not answer is reported as such")
    func failures() async throws {
        let server = try FakeScrobbleServer()
        #expect(try await code { _ = try await lastFM(server, secret: "other").token() } == .refused)
        try server.behave(.down)
        #expect(try await code { _ = try await lastFM(server).token() } == .unavailable)
        let nobody = ListenBrainz(
            address: "http://127.0.0.1:9", token: "unknown-token", program: ("tests", "1"), loop: loop)
        #expect(try await code { _ = try await nobody.userName() } == .unavailable)
    }

    @Test("Delays double up to the longest, shortened by at most half")
    func delays() {
        let delays = RetryDelays()
        for (count, full) in [(1, 5.0), (2, 10), (5, 80), (11, 3600), (1000, 3600)] {
            let seconds = delays.seconds(afterFailures: count)
            #expect((full / 2...full).contains(seconds), "\(count)")
        }
        #expect(Set((0..<20).map { _ in delays.seconds(afterFailures: 3) }).count > 1)
    }
}
