import Foundation
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import Scrobbling

/// Sends plays to a server that checks each request, and recomputes signatures with another implementation of MD5.
@Suite("Sending plays", .timeLimit(.minutes(10)))
struct SendingTests {
    private static let loop = TransferLoop(userAgent: "tests/1")
    private static let services = ["listenbrainz", "lastfm"]

    /// A queue in a folder of its own, and a server.
    private final class Setup: Sendable {
        let server: FakeScrobbleServer
        let directory: TemporaryDirectory
        let connection: ScrobbleQueue.Connection
        let reports = Mutex<[String]>([])

        init(_ service: String, _ behaviour: FakeScrobbleServer.Behaviour = .ok) throws {
            server = try FakeScrobbleServer(behaviour)
            directory = try TemporaryDirectory()
            connection = ScrobbleQueue.Connection(accountID: 1, service: service)
        }

        /// Opens the queue as a program that starts does.
        func queue() throws -> ScrobbleQueue { try ScrobbleQueue(path: directory.file("scrobbles.sqlite")) }

        func service(session: String = FakeScrobbleServer.session) -> any ScrobbleService {
            if connection.service == "listenbrainz" {
                return ListenBrainz(
                    address: server.listenBrainz, token: FakeScrobbleServer.token, program: ("tests", "1"),
                    loop: SendingTests.loop)
            }
            return LastFM(
                address: server.lastFM,
                application: LastFM.Application(
                    key: FakeScrobbleServer.apiKey, secret: FakeScrobbleServer.secret),
                session: LastFM.Session(user: "listener", key: session), loop: SendingTests.loop)
        }

        func sender(_ queue: ScrobbleQueue) -> ScrobbleSender {
            var delays = RetryDelays()
            delays.first = 0.02
            delays.longest = 0.1
            delays.postponed = 0.02
            return ScrobbleSender(service(), queue: queue, connection: connection, delays: delays) { line in
                self.reports.withLock { $0.append(line) }
            }
        }

        /// The requests that delivered plays.
        func deliveries() throws -> [FakeScrobbleServer.Entry] {
            try server.diary().filter { ["single", "import", "track.scrobble"].contains($0.method) }
        }
    }

    private static func listens(_ count: Int, title: (Int) -> String = { "Song \($0) & Söhne =%+" })
        -> [Listen]
    {
        (0..<count).map { number in
            var listen = Listen(
                artist: "Artist ünd \(number % 7)", title: title(number),
                listenedAt: 1_700_000_000 + number * 60)
            listen.durationSeconds = 180.25
            return listen
        }
    }

    @Test("A play that two senders have sent is counted once")
    func sentTwice() throws {
        let setup = try Setup("listenbrainz")
        let queues = [try setup.queue(), try setup.queue()]
        try queues[0].add(Self.listens(5), to: setup.connection)
        let entries = try queues.map { try $0.next(5, of: setup.connection).map(\.id) }
        try queues[0].remove(sent: entries[0], rejected: [], of: setup.connection)
        try queues[1].remove(
            sent: Array(entries[1].dropLast()), rejected: [entries[1][4]], of: setup.connection)
        let record = try queues[1].record(of: setup.connection)
        #expect(record.sentCount == 5 && record.rejectedCount == 0 && record.waitingCount == 0)
    }

    @Test(
        "1,000 plays are sent once each, in order, in as few requests as the service allows",
        arguments: services)
    func many(service: String) async throws {
        let setup = try Setup(service)
        let queue = try setup.queue()
        let sender = setup.sender(queue)
        let listens = Self.listens(1000)
        try sender.add(listens)
        try await until { try queue.record(of: setup.connection).waitingCount == 0 }
        let deliveries = try setup.deliveries()
        #expect(deliveries.count == (service == "lastfm" ? 20 : 10))
        #expect(deliveries.flatMap(\.titles) == listens.map(\.title))
        #expect(deliveries.allSatisfy { $0.wrong == [] && $0.repeated == 0 })
        let record = try queue.record(of: setup.connection)
        #expect(record.sentCount == 1000 && record.rejectedCount == 0 && record.error == nil)
        #expect(abs((record.lastSentAt ?? 0) - Date().timeIntervalSince1970) < 60)
    }

    @Test("Plays survive an outage and a restart, and are then sent once", arguments: services)
    func outage(service: String) async throws {
        let setup = try Setup(service, .down)
        let listens = Self.listens(130)
        do {
            let queue = try setup.queue()
            let sender = setup.sender(queue)
            try sender.add(listens)
            // Several attempts, which report one line.
            try await until { try setup.server.diary().count >= 3 }
            let record = try queue.record(of: setup.connection)
            #expect(record.waitingCount == 130 && record.error?.contains("500") == true && !record.isRefused)
            sender.stop()
        }
        #expect(setup.reports.withLock(\.count) == 1)
        try setup.server.behave(.ok)
        let queue = try setup.queue()
        let sender = setup.sender(queue)
        try await until { try queue.record(of: setup.connection).waitingCount == 0 }
        let deliveries = try setup.deliveries()
        #expect(deliveries.flatMap(\.titles) == listens.map(\.title))
        #expect(deliveries.allSatisfy { $0.wrong == [] && $0.repeated == 0 })
        #expect(try queue.record(of: setup.connection).error == nil)
        sender.stop()
    }

    @Test("After 429 the next request waits as long as the service asks for", arguments: services)
    func limited(service: String) async throws {
        let setup = try Setup(service, .limit)
        let queue = try setup.queue()
        let sender = setup.sender(queue)
        try sender.add(Self.listens(3))
        try await until { sender.nextAttempt != nil }
        let next = try #require(sender.nextAttempt)
        // The server asks for one second; the delays of this test are at most 0.1 s. By the times of the server, because
        // this task may be late on a busy machine.
        let limited = try #require(try setup.server.diary().first)
        #expect(limited.method == "limit" && next.timeIntervalSince1970 >= limited.time + 0.99)
        try setup.server.behave(.ok)
        try await until { try queue.record(of: setup.connection).waitingCount == 0 }
        let deliveries = try setup.deliveries()
        #expect(deliveries.map(\.count) == [3])
        #expect(deliveries[0].time >= next.timeIntervalSince1970 - 0.01)
    }

    @Test(
        "A refused access stops sending, also after a restart, until the service is connected again",
        arguments: services)
    func refused(service: String) async throws {
        let setup = try Setup(service, .refuse)
        let queue = try setup.queue()
        let first = setup.sender(queue)
        try first.add(Self.listens(5))
        try await until { try queue.record(of: setup.connection).isRefused }
        first.stop()
        let count = try setup.server.diary().count
        try setup.server.behave(.ok)
        // The second sender of the same queue shows that the refusal is stored: it sends nothing, while one of another
        // connection, which starts later, has sent all of its plays.
        let second = setup.sender(queue)
        try second.add(Self.listens(1, title: { _ in "Later" }))
        let other = ScrobbleQueue.Connection(accountID: 2, service: service)
        let third = ScrobbleSender(setup.service(), queue: queue, connection: other) { _ in }
        try third.add(Self.listens(1, title: { _ in "Other" }))
        try await until { try queue.record(of: other).sentCount == 1 }
        #expect(try setup.server.diary().count == count + 1)
        #expect(try queue.record(of: setup.connection).waitingCount == 6)
        second.stop()
        try queue.reset(setup.connection)
        let fourth = setup.sender(queue)
        try await until { try queue.record(of: setup.connection).waitingCount == 0 }
        #expect(try setup.deliveries().last?.titles.last == "Later")
        fourth.stop()
        third.stop()
    }

    @Test("Plays whose answer was lost are sent again, and the service recognises them", arguments: services)
    func lost(service: String) async throws {
        let setup = try Setup(service, .lost)
        let queue = try setup.queue()
        let sender = setup.sender(queue)
        try sender.add(Self.listens(4))
        try await until { try setup.deliveries().count >= 2 }
        try setup.server.behave(.ok)
        try await until { try queue.record(of: setup.connection).waitingCount == 0 }
        let deliveries = try setup.deliveries()
        #expect(deliveries.first?.repeated == 0)
        // The same plays with the same times, so that no request after the first adds any.
        #expect(deliveries.dropFirst().allSatisfy { $0.repeated == $0.count })
    }

    @Test(
        "A play that the service does not accept is found and left out; the others are sent",
        arguments: services)
    func malformed(service: String) async throws {
        let setup = try Setup(service)
        let queue = try setup.queue()
        let sender = setup.sender(queue)
        let listens = Self.listens(60) { $0 == 37 ? "Bad" : "Song \($0)" }
        try sender.add(listens)
        try await until { try queue.record(of: setup.connection).waitingCount == 0 }
        let record = try queue.record(of: setup.connection)
        #expect(record.sentCount == 59 && record.rejectedCount == 1)
        let delivered = try setup.deliveries().filter { !$0.titles.contains("Bad") }
        #expect(delivered.flatMap(\.titles) == listens.map(\.title).filter { $0 != "Bad" })
        #expect(delivered.allSatisfy { $0.repeated == 0 })
    }

    @Test("Last.fm: filtered plays are dropped, those beyond the daily limit are sent later")
    func ignored() async throws {
        let setup = try Setup("lastfm", .daily)
        let queue = try setup.queue()
        let sender = setup.sender(queue)
        try sender.add(Self.listens(4) { $0 == 1 ? "Filtered" : "Song \($0)" })
        try await until { try queue.record(of: setup.connection).waitingCount == 0 }
        let record = try queue.record(of: setup.connection)
        #expect(record.sentCount == 3 && record.rejectedCount == 1)
        #expect(try setup.deliveries().map(\.count) == [4, 2, 1])
    }

    @Test("Tracks of up to 30 s go to ListenBrainz only")
    func short() async throws {
        for (service, expected) in [("listenbrainz", ["Short", "Long"]), ("lastfm", ["Long"])] {
            let setup = try Setup(service)
            let queue = try setup.queue()
            let sender = setup.sender(queue)
            var listens = Self.listens(2) { $0 == 0 ? "Short" : "Long" }
            listens[0].durationSeconds = 30
            listens[1].durationSeconds = 30.5
            try sender.add(listens)
            try await until { try queue.record(of: setup.connection).waitingCount == 0 }
            #expect(try setup.deliveries().flatMap(\.titles) == expected)
        }
    }

    @Test("A track that is being played is shown, and not while the service fails", arguments: services)
    func announced(service: String) async throws {
        let setup = try Setup(service)
        let queue = try setup.queue()
        let sender = setup.sender(queue)
        sender.announce(Self.listens(1)[0])
        try await until { try setup.server.diary().count == 1 }
        let entry = try #require(try setup.server.diary().first)
        #expect(entry.method == (service == "lastfm" ? "track.updateNowPlaying" : "playing_now"))
        #expect(entry.wrong == [])
        #expect(try queue.record(of: setup.connection).sentCount == 0)
    }

    @Test("Everything that is known of a track is sent")
    func content() async throws {
        var listen = Listen(artist: "A", title: "T", listenedAt: 1_700_000_000)
        listen.album = "L"
        listen.albumArtist = "Various"
        listen.trackNumber = 7
        listen.durationSeconds = 241.4567
        listen.recordingID = "189002e7-3285-4e2e-92a3-7f6c30d407a2"
        listen.releaseID = "a1b2c3d4-3285-4e2e-92a3-7f6c30d407a2"
        listen.isrc = "USSM18300073"
        let brainz = try Setup("listenbrainz")
        #expect(await brainz.service().submit([listen]) == .accepted())
        let sent = try #require(try brainz.server.contents().first)
        let payload = try #require((sent["payload"] as? [[String: Any]])?.first)
        let data = try #require(payload["track_metadata"] as? [String: Any])
        let info = try #require(data["additional_info"] as? [String: Any])
        #expect(sent["listen_type"] as? String == "single" && payload["listened_at"] as? Int == 1_700_000_000)
        #expect(data["release_name"] as? String == "L")
        #expect(info["duration_ms"] as? Int == 241_457 && info["tracknumber"] as? Int == 7)
        #expect(
            info["recording_mbid"] as? String == listen.recordingID
                && info["isrc"] as? String == "USSM18300073")
        let fm = try Setup("lastfm")
        #expect(await fm.service().submit([listen]) == .accepted())
        let form = try #require(try fm.server.contents().first as? [String: String])
        #expect(form["timestamp[0]"] == "1700000000" && form["duration[0]"] == "241")
        #expect(form["mbid[0]"] == listen.recordingID && form["albumArtist[0]"] == "Various")
        #expect(form["trackNumber[0]"] == "7" && form["album[0]"] == "L")
    }
}
