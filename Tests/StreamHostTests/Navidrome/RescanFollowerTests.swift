import Companion
import Foundation
import HTTPServer
import MusicShared
import Subsonic
import TestSupport
import Testing

@testable import StreamHost

@Suite("Navidrome", .timeLimit(.minutes(30)))
struct RescanFollowerTests {
    private func rescan(_ standIn: StandInSubsonic, delay: Double) throws -> LibraryRescan {
        let server = try SubsonicServer(
            url: standIn.url,
            credentials: SubsonicCredentials(user: "admin", password: "sesame", token: nil, salt: nil),
            timeoutSeconds: 30, program: "stream-host")
        return LibraryRescan(server, delaySeconds: delay) { _ in }
    }

    @Test("Changes of tracks make a scan, whoever announces them; other events make none")
    func events() async throws {
        let directory = try TemporaryDirectory()
        let store = try WorkStore(try DataFolder(path: directory.path))
        let track = PushTrack(trackID: 1, relativePath: "a.mp3")
        // What happened before is no news.
        try store.announce([.tracksAdded([track])])
        let standIn = try StandInSubsonic("ok")
        let rescan = try rescan(standIn, delay: 0.2)
        defer { rescan.stop() }
        let feed = PushFeed(store)
        let follower = RescanFollower(feed, rescan)
        feed.announce([.profilesReady([track]), .framesReady([track]), .libraryChanged(revision: "x")])
        try await Task.sleep(for: .seconds(2))
        #expect(
            rescan.status.state == "idle" && rescan.status.scanCount == 0 && rescan.status.failureCount == 0)
        // By another program: into the log only.
        try store.announce([.tracksChanged([track])])
        try await until { rescan.status.scanCount == 1 }
        feed.announce(.tracksRemoved([track]))
        try await until { rescan.status.scanCount == 2 }
        #expect(try standIn.diary().allSatisfy { $0.right && $0.wrong.isEmpty })
        withExtendedLifetime(follower) {}
    }

    @Test("A Navidrome that refuses is announced to clients, without secrets")
    func refusal() async throws {
        let directory = try TemporaryDirectory()
        let store = try WorkStore(try DataFolder(path: directory.path))
        let standIn = try StandInSubsonic("ok", password: "another")
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
        // Its own announcement is no change of files.
        #expect(try standIn.diary().count == 1)
        withExtendedLifetime(follower) {}
    }

    @Test("Asked to, the host has Navidrome scan at once, and tells how it stands; without one it says so")
    func route() async throws {
        let directory = try TemporaryDirectory()
        let music = directory.file("music")
        try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
        let standIn = try StandInSubsonic("ok")
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
