import Foundation
import HostAccounts
import HTTPServer
import MusicShared
import Testing
import TestSupport

@testable import StreamHost

/// Compares the WebSocket descriptions with the Swift types that are sent.
@Suite("Channel description", .timeLimit(.minutes(30)))
struct ChannelDescriptionTests {
    /// Returns a command's name. Exhaustive, so that a new command does not compile without a name here.
    private static func name(of command: RemoteCommand) -> String {
        switch command {
        case .play: "play"
        case .pause: "pause"
        case .resume: "resume"
        case .next: "next"
        case .previous: "previous"
        case .seek: "seek"
        case .setVolume: "set_volume"
        case .toggleShuffle: "toggle_shuffle"
        case .refreshDB: "refresh_db"
        }
    }

    private static func name(of event: HostEvent) -> String {
        switch event {
        case .dbReady: "db_ready"
        case .error: "error"
        case .playbackState: "playback_state"
        case .tunnel: "tunnel"
        case .jukeboxChanged: "jukebox_changed"
        }
    }

    private static func name(of event: PushEvent) -> String {
        switch event {
        case .welcome: "welcome"
        case .resync: "resync"
        case .tracksAdded: "tracks_added"
        case .tracksChanged: "tracks_changed"
        case .tracksRemoved: "tracks_removed"
        case .profilesReady: "profiles_ready"
        case .spectraReady: "frames_ready"
        case .analysisFailed: "analysis_failed"
        case .jobProgress: "job_progress"
        case .libraryChanged: "library_changed"
        case .listeningChanged: "listening_changed"
        case .warning: "warning"
        // The host never sends this event.
        case .unknown: "unknown"
        }
    }

    private static let pushEvents: [PushEvent] = {
        let tracks = [
            PushTrack(trackID: 17, relativePath: "Low/Was.mp3"),
            PushTrack(trackID: 18, relativePath: "b.mp3", previousPath: "a.mp3"),
        ]
        var job = JobReport(
            id: 3, kind: "precompute", state: .running, parts: ["profile", "frames"],
            createdAt: 1_700_000_000.5)
        job.total = 100
        job.done = 12
        var ended = job
        ended.state = .finished
        ended.finishedAt = 1_700_000_001
        return [
            .welcome(isResumed: false), .resync(reason: .tooOld), .resync(reason: .unknownCursor),
            .tracksAdded(tracks), .tracksChanged(tracks), .tracksRemoved([]), .profilesReady(tracks),
            .spectraReady(tracks),
            .analysisFailed(FileFailure(relativePath: "bad.mp3", code: "no_audio", message: "no audio")),
            .jobProgress(job), .jobProgress(ended), .libraryChanged(revision: "r1"), .listeningChanged,
            .warning(code: "rescan", message: "Navidrome does not answer"),
        ]
    }()

    private static let commands: [RemoteCommand] = [
        .play(trackID: 17, queueIDs: [16, 17, 18]), .play(trackID: 1, queueIDs: []), .pause, .resume, .next,
        .previous, .seek(position: 0), .seek(position: 63.5), .setVolume(level: 1), .setVolume(level: 0.25),
        .toggleShuffle, .refreshDB,
    ]
    private static let events: [HostEvent] = [
        .dbReady, .error(message: "“no” such\nfile"), .playbackState(PlaybackState()),
        .playbackState(
            PlaybackState(trackID: 3, position: 1.25, isPlaying: true, volume: 0.5, isShuffled: true)),
        .tunnel(url: nil), .tunnel(url: "https://music.example.com"),
        .jukeboxChanged,
    ]
    private static let handshakes: [String: [HandshakeMessage]] = [
        "clientHandshake": [HandshakeMessage(appVersion: "Music 2.1")],
        "hostHandshake": [
            HandshakeMessage(appVersion: "stream-host 1"),
            HandshakeMessage(appVersion: "stream-host 1", tunnelURL: "https://music.example.com"),
        ],
    ]

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// All messages as encoded by the types, keyed by message name.
    private static func messages() throws -> String {
        var lists: [String: [String]] = [:]
        for command in commands { lists[name(of: command), default: []].append(try json(command)) }
        for event in events { lists[name(of: event), default: []].append(try json(event)) }
        for event in pushEvents {
            let message = PushMessage(id: "e-17", at: 1_700_000_000.25, event: event)
            lists[name(of: event), default: []].append(try json(message))
        }
        for (name, values) in handshakes { lists[name] = try values.map { try json($0) } }
        return "{" + lists.map { "\"\($0)\":[\($1.joined(separator: ","))]" }.joined(separator: ",") + "}"
    }

    @Test("The document is valid, and describes exactly the messages that the types encode")
    func document() async throws {
        let served = try await ServedStreams.library.value
        let directory = try TemporaryDirectory()
        // It contains no secrets, so it needs no key.
        let answer = try await served.get(Routes.asyncAPI, key: "")
        #expect(answer.status == 200 && answer.field("Content-Type") == "application/json")
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Clients/asyncapi_cases.py").standardizedFileURL.path(percentEncoded: false)
        let run = try await ProcessRun.aside(
            try await PythonTools.program("python3"),
            [
                "-B", script, try directory.write(answer.body, as: "asyncapi.json"),
                try directory.write(Array(try Self.messages().utf8), as: "messages.json"),
            ], mustSucceed: false)
        #expect(run.status == 0, "\(String(decoding: run.errors.suffix(3000), as: UTF8.self))")
    }

    @Test("Encoded messages decode to the same values")
    func codable() throws {
        for form in [RemoteMessageForm.snakeCase, .derived] {
            let encoder = JSONEncoder()
            encoder.userInfo[.remoteMessageForm] = form
            for command in Self.commands {
                let data = try encoder.encode(command)
                #expect(try JSONDecoder().decode(RemoteCommand.self, from: data) == command)
            }
            for event in Self.events {
                let data = try encoder.encode(event)
                #expect(try JSONDecoder().decode(HostEvent.self, from: data) == event)
            }
        }
        for event in Self.pushEvents {
            let message = PushMessage(id: "e-17", at: 1_700_000_000.25, event: event)
            let read = try JSONDecoder().decode(PushMessage.self, from: Data(try Self.json(message).utf8))
            #expect(read == message)
        }
    }

    @Test("Every WebSocket is described")
    func routes() async throws {
        let served = try await ServedStreams.library.value
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(try await served.get(Routes.asyncAPI).body))
                as? [String: Any])
        let channels = try #require(document["channels"] as? [String: [String: Any]])
        let described = Set(channels.values.compactMap { $0["address"] as? String })
        var found: Set<String> = []
        for route in served.responder.routes where route.method == .get && !route.path.contains(":") {
            let response = await served.responder.respond(
                to: HTTPRequest(
                    .get, route.path, fields: [.authorization: "Bearer \(served.secrets.apiKeyText)"]))
            if response.status == .upgradeRequired { found.insert(route.path) }
        }
        #expect(found.contains(Routes.remoteChannel) && found == described)
    }
}
