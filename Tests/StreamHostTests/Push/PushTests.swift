import Companion
import Foundation
import HTTPServer
import MusicShared
import TestSupport
import Testing

@testable import StreamHost

/// The channel of events, heard by a client of its own.
@Suite("Push channel", .timeLimit(.minutes(30)))
struct PushTests {
    private static func piece(_ seed: UInt64) throws -> [UInt8] {
        try Encoders.lame(PCM.music(frameCount: 2 * 44_100, seed: seed), ["-b", "64"])
    }

    /// Hears so many messages.
    private func hear(_ count: Int, since: String? = nil, from served: ServedLibrary) async throws
        -> [PushMessage]
    {
        let path = "/ws/push" + (since.map { "?since=\($0)" } ?? "")
        let run = try await PythonClient.run(
            "websocket_talk.py",
            ["\(served.server.port)", path, served.authorization] + Array(repeating: "hear", count: count))
        return try run.text.split(separator: "\n").map {
            try JSONDecoder().decode(PushMessage.self, from: Data($0.utf8))
        }
    }

    /// Everything since a cursor, until a condition on all of it holds.
    private func events(
        since cursor: String, from served: ServedLibrary, until condition: ([PushEvent]) -> Bool
    ) async throws -> [PushEvent] {
        let store = try WorkStore(served.data)
        let start = try #require(EventCursor(cursor))
        return try await until {
            let events = try store.events(after: start, limit: 1000).messages.map(\.event)
            return condition(events) ? events : nil
        }
    }

    private func tracks(_ events: [PushEvent], _ type: String) -> [PushTrack] {
        events.filter { $0.type == type }.flatMap { event -> [PushTrack] in
            switch event {
            case .tracksAdded(let tracks), .tracksChanged(let tracks), .tracksRemoved(let tracks),
                .profilesReady(let tracks), .framesReady(let tracks):
                tracks
            default: []
            }
        }
    }

    @Test(
        "What a pass of another program, the watching host, and edits of the folder do is told; nothing is missed in between"
    )
    func changes() async throws {
        try await ServedLibrary.with([("1.mp3", Self.piece(1))], watches: true) { served in
            let welcome = try await hear(1, from: served)
            guard case .welcome(isResumed: false) = try #require(welcome.first).event else {
                Issue.record("\(welcome)")
                return
            }
            let start = try #require(welcome.first).id
            let id = try served.id("1.mp3")

            try Data(Self.piece(2)).write(to: URL(filePath: served.file("2.mp3")))
            try Data("no music".utf8).write(to: URL(filePath: served.file("bad.mp3")))
            var all = try await events(since: start, from: served) { events in
                tracks(events, "frames_ready").count == 1
                    && events.contains { $0.type == "analysis_failed" }
            }
            #expect(tracks(all, "tracks_added").map(\.relativePath) == ["2.mp3"])
            #expect(tracks(all, "profiles_ready") == tracks(all, "tracks_added"))
            let second = try served.id("2.mp3")
            #expect(tracks(all, "frames_ready").map(\.trackID) == [second])
            let failures = all.compactMap { event -> FileFailure? in
                if case .analysisFailed(let failure) = event { failure } else { nil }
            }
            #expect(failures.map(\.relativePath) == ["bad.mp3"])

            // Moved, a track stays itself.
            try FileManager.default.createDirectory(
                atPath: served.file("folder"), withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                atPath: served.file("1.mp3"), toPath: served.file("folder/one.mp3"))
            all = try await events(since: start, from: served) { !tracks($0, "tracks_changed").isEmpty }
            #expect(
                tracks(all, "tracks_changed") == [
                    PushTrack(trackID: id, relativePath: "folder/one.mp3", previousPath: "1.mp3")
                ])
            #expect(tracks(all, "tracks_removed").isEmpty)
            try FileManager.default.removeItem(atPath: served.file("2.mp3"))
            all = try await events(since: start, from: served) { !tracks($0, "tracks_removed").isEmpty }
            #expect(tracks(all, "tracks_removed").map(\.trackID) == [second])

            // Somebody who was away hears the same over the wire, in the same order.
            let heard = try await hear(all.count + 1, since: start, from: served)
            #expect(heard.first?.event == .welcome(isResumed: true))
            #expect(heard.dropFirst().map(\.event) == all)
            let middle = try #require(heard.dropFirst(3).first).id
            #expect(
                try await hear(all.count - 2, since: middle, from: served).dropFirst().map(\.event)
                    == Array(all.dropFirst(3)))
        }
    }

    @Test(
        "A cursor that is not known is answered with a clear word",
        arguments: ["nonsense", "ffff-3", "%00-1"])
    func unknownCursor(cursor: String) async throws {
        let served = try await ServedStreams.library.value
        let heard = try await hear(2, since: cursor, from: served)
        #expect(heard.map(\.event) == [.welcome(isResumed: false), .resync(reason: .unknownCursor)])
        // The cursor that it is given instead is a good one.
        let again = try await hear(1, since: try #require(heard.last).id, from: served)
        #expect(again.first?.event == .welcome(isResumed: true))
    }

    @Test("Without the key there is no channel")
    func key() async throws {
        let served = try await ServedStreams.library.value
        await #expect(throws: ProcessRun.Failure.self) {
            try await PythonClient.run(
                "websocket_talk.py",
                ["\(served.server.port)", "/ws/push", "Authorization: Bearer AAAA", "hear"])
        }
    }

    @Test(
        "A client that does not read is closed with a code, and little is kept for it; others hear all meanwhile"
    )
    func slowClient() async throws {
        let directory = try TemporaryDirectory()
        let store = try WorkStore(try DataFolder(path: directory.path))
        let feed = PushFeed(store)
        let router = Router()
        PushRoutes(feed: feed, patience: 1).add(to: router)
        var configuration = ServerConfiguration()
        configuration.port = 0
        let server = try HTTPServer(router.build(), configuration: configuration)
        let start = try store.latestCursor()
        // More than the system takes for a connection that nobody reads from: some 20 MB.
        let text = String(repeating: "x", count: 20_000)
        let count = 1_000
        for _ in 0..<count / 100 {
            feed.announce(Array(repeating: .warning(code: "c", message: text), count: 100))
        }
        let run = try await PythonClient.run(
            "push_sleeper.py", ["\(server.port)", "/ws/push?since=\(start)", "\(PushCloseCode.tooSlow)"])
        #expect(run.text.contains("closed as it should be"))
        let heard = try await PythonClient.run(
            "websocket_talk.py",
            ["\(server.port)", "/ws/push?since=\(start)", ""] + Array(repeating: "hear", count: count + 1))
        #expect(heard.text.split(separator: "\n").count == count + 1)
        await server.shutdown(withinSeconds: 2)
    }
}
