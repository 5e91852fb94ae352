import Companion
import Foundation
import HTTPServer
import MusicShared
import Subsonic
import Testing
import TestSupport
@testable import LibraryStore

@testable import StreamHost

@Suite("Navidrome", .timeLimit(.minutes(30)))
struct RescanFollowerTests {
    private func rescan(_ standIn: FakeSubsonicServer, delay: Double) throws -> LibraryRescan {
        let server = try SubsonicServer(
            url: standIn.url,
            credentials: SubsonicCredentials(user: "admin", password: "sesame", token: nil, salt: nil),
            timeoutSeconds: 30, program: "stream-host")
        return LibraryRescan(server, delaySeconds: delay) { _ in }
    }

    @Test("Track changes start a scan, whichever program announces them; other events do not")
    func events() async throws {
        let directory = try TemporaryDirectory()
        let store = try WorkStore(try DataFolder(path: directory.path))
        let track = PushTrack(trackID: 1, relativePath: "a.mp3")
        // Earlier events are ignored.
        try store.announce([.tracksAdded([track])])
        let standIn = try FakeSubsonicServer("ok")
        let rescan = try rescan(standIn, delay: 0.2)
        defer { rescan.stop() }
        let feed = PushFeed(store)
        let follower = RescanFollower(feed, rescan)
        feed.announce([.profilesReady([track]), .spectraReady([track]), .libraryChanged(revision: "x")])
        try await Task.sleep(for: .seconds(2))
        #expect(
            rescan.status.state == "idle" && rescan.status.scanCount == 0 && rescan.status.failureCount == 0)
        // By another program, which only writes to the log.
        try store.announce([.tracksChanged([track])])
        try await until { rescan.status.scanCount == 1 }
        // The follower is part of the host, so `/health` does not count it as a client.
        #expect(feed.clientCount == 0)
        for await _ in feed.wakeups(forClient: true) {
            #expect(feed.clientCount == 1)
            break
        }
        try await until { feed.clientCount == 0 }
        feed.announce(.tracksRemoved([track]))
        try await until { rescan.status.scanCount == 2 }
        #expect(try standIn.diary().allSatisfy { $0.right && $0.wrong.isEmpty })
        withExtendedLifetime(follower) {}
    }

    @Test("A Navidrome server that rejects scans is reported to clients, without secrets")
    func refusal() async throws {
        let directory = try TemporaryDirectory()
        let store = try WorkStore(try DataFolder(path: directory.path))
        let standIn = try FakeSubsonicServer("ok", password: "another")
        let rescan = try rescan(standIn, delay: 0)
        defer { rescan.stop() }
        let feed = PushFeed(store)
        let start = try store.latestCursor()
        let follower = RescanFollower(feed, rescan)
        feed.announce(.tracksRemoved([PushTrack(trackID: 1, relativePath: "a.mp3")]))
        try await until {
            try feed.replay(after: start).messages.contains {
                guard case .warning("navidrome_failed", let message) = $0.event else { return false }
                return message.contains("error 40") && !message.contains("sesame")
            }
        }
        // The follower's own announcement is not a change of files.
        #expect(try standIn.diary().count == 1)
        withExtendedLifetime(follower) {}
    }

    @Test("A scan can be requested; without Navidrome the request is rejected")
    func route() async throws {
        let directory = try TemporaryDirectory()
        let music = directory.file("music")
        try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
        let standIn = try FakeSubsonicServer("ok")
        let rescan = try rescan(standIn, delay: 3600)
        defer { rescan.stop() }
        let router = RescanRoutes(rescan: rescan)
        let none = RescanRoutes(rescan: nil)
        let asked = try await RouteRun.answer(router, .post, "/rescan")
        #expect(asked.status.rawValue == 202)
        let report = try JSONDecoder().decode(NavidromeReport.self, from: Data(asked.bytes))
        #expect(["waiting", "scanning"].contains(report.state))
        try await until { rescan.status.scanCount == 1 }
        #expect(try standIn.diary().contains { $0.method == "startScan.view" && $0.right })
        let refused = try await RouteRun.answer(none, .post, "/rescan")
        #expect(refused.status.rawValue == 409)
        #expect(String(decoding: refused.bytes, as: UTF8.self).contains("no_navidrome"))
    }
}
