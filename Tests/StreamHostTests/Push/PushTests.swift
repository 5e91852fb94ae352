import Companion
import Foundation
import HTTPServer
import MusicShared
import Testing
import TestSupport
@testable import HostAccounts
@testable import LibraryStore

@testable import StreamHost

/// The event channel, tested with an independent WebSocket client.
@Suite("Push channel", .timeLimit(.minutes(30)))
struct PushTests {
    private static func piece(_ seed: UInt64) throws -> [UInt8] {
        try Encoders.lame(PCM.music(frameCount: 2 * 44_100, seed: seed), ["-b", "64"])
    }

    /// Receives a number of messages.
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

    /// Reads all events since a cursor, until a condition on them is met.
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
                .profilesReady(let tracks), .spectraReady(let tracks):
                tracks
            default: []
            }
        }
    }

    @Test(
        "Changes by scans of another program, the watcher and file operations are announced without gaps"
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

            // A moved track keeps its ID.
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

            // A client that was offline gets the same events over the WebSocket, in the same order.
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
        "An unknown cursor is answered with resync",
        arguments: ["nonsense", "ffff-3", "%00-1"])
    func unknownCursor(cursor: String) async throws {
        let served = try await ServedStreams.library.value
        let heard = try await hear(2, since: cursor, from: served)
        #expect(heard.map(\.event) == [.welcome(isResumed: false), .resync(reason: .unknownCursor)])
        // The new cursor is valid.
        let again = try await hear(1, since: try #require(heard.last).id, from: served)
        #expect(again.first?.event == .welcome(isResumed: true))
    }

    @Test("The channel requires the key")
    func key() async throws {
        let served = try await ServedStreams.library.value
        await #expect(throws: ProcessRun.Failure.self) {
            try await PythonClient.run(
                "websocket_talk.py",
                ["\(served.server.port)", "/ws/push", "Authorization: Bearer AAAA", "hear"])
        }
    }

    @Test(
        "A client that does not read is closed and uses little memory; others get all events"
    )
    func slowClient() async throws {
        let directory = try TemporaryDirectory()
        let store = try WorkStore(try DataFolder(path: directory.path))
        let feed = PushFeed(store)
        let router = Router()
        let secrets = CurrentSecrets(
            try HostSecrets(dataFolder: directory.path), dataFolder: directory.path
        ) { _ in }
        let access = AccessMiddleware(
            secrets: secrets, accounts: try Accounts(data: try DataFolder(path: directory.path)),
            limiter: FailureLimiter(allowed: 1), requiresNoKey: true)
        PushRoutes(access: access, feed: feed, sendTimeoutSeconds: 1).add(to: router)
        var configuration = ServerConfiguration()
        configuration.port = 0
        let server = try HTTPServer(router.build(), configuration: configuration)
        let start = try store.latestCursor()
        // More than the system buffers for a connection that is not read: about 20 MB.
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

    @Test("The revision in library_changed is valid for /api/changes")
    func revision() async throws {
        try await ServedLibrary.with([("0.mp3", try Self.piece(0))]) { served in
            let store = try AnalysisQueue(served.data).store
            let start = try store.latestCursor()
            let made = try await served.send("POST", "/api/playlists", ["name": "New", "track_ids": [Int]()])
            #expect(made.status == 201)
            let revision: String = try await until {
                for message in try store.events(after: start, limit: 100).messages {
                    if case .libraryChanged(let revision) = message.event { return revision }
                }
                return nil
            }
            let answer = try await served.get("/api/changes?since=\(revision)")
            #expect(answer.status == 200, "\(revision): \(answer.text)")
            #expect(try answer.json("is_reset") as? Bool == false)
        }
    }
}
