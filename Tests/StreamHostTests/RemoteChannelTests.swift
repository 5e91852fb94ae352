import Analyzer
import Companion
import Foundation
import HTTPServer
import LibraryStore
import MusicShared
import Testing
import TestSupport

@testable import StreamHost

@Suite("Remote channel", .timeLimit(.minutes(30)))
struct RemoteChannelTests {
    private static let greeting = #"{"protocol_version":1,"app_version":"test 1.0"}"#
    private let served: ServedLibrary

    private struct NotAState: Error {
        let event: HostEvent
    }

    init() async throws { served = try await ServedStreams.library.value }

    /// Performs the handshake and some steps, and returns the messages received afterwards.
    private func talk(_ steps: [String], to served: ServedLibrary, greeting: String = greeting) async throws
        -> [String]
    {
        let run = try await PythonClient.run(
            "websocket_talk.py",
            ["\(served.server.port)", "/ws", served.authorization, greeting, "hear"] + steps)
        return run.text.split(separator: "\n").dropFirst().map(String.init)
    }

    @Test("The handshake is answered, and a different version is rejected with a reason")
    func handshake() async throws {
        let answer = try await PythonClient.run(
            "websocket_talk.py",
            ["\(served.server.port)", "/ws", served.authorization, Self.greeting, "hear"])
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
        #expect(object["protocol_version"] as? Int == 1)
        #expect((object["app_version"] as? String)?.isEmpty == false)
        let refused = try await talk(
            ["hush"], to: served, greeting: #"{"protocol_version":99,"app_version":"late 9.0"}"#)
        #expect(refused.first?.hasPrefix(#"{"error":{"message":"#) == true)
        #expect(refused.last?.hasPrefix("closed 4001") == true)
        #expect(refused.last?.contains("99") == true)
    }

    @Test(
        "Anything other than a handshake is rejected",
        arguments: ["hello", "{}", #"{"protocol_version":"1","app_version":"x"}"#, "hex:00"])
    func noHandshake(_ greeting: String) async throws {
        let run = try await PythonClient.run(
            "websocket_talk.py", ["\(served.server.port)", "/ws", served.authorization, greeting, "hush"])
        #expect(run.text.hasPrefix("closed 4002 "))
    }

    @Test("The channel requires the key")
    func key() async throws {
        await #expect(throws: ProcessRun.Failure.self) {
            try await PythonClient.run(
                "websocket_talk.py", ["\(served.server.port)", "/ws", "Authorization: Bearer AAAA", "hear"])
        }
    }

    @Test("Each command updates the playback state that the host derives")
    func commands() async throws {
        let ids = try ["cbr.mp3", "vbr.mp3", "mono.mp3"].map { try served.id($0) }
        let commands: [RemoteCommand] = [
            .play(trackID: ids[1], queueIDs: ids), .pause, .seek(position: 3.5), .next, .previous, .previous,
            .previous, .play(trackID: ids[0], queueIDs: ids), .setVolume(level: 0.25), .toggleShuffle, .next,
        ]
        let steps = try commands.flatMap { command in
            [String(decoding: try JSONEncoder().encode(command), as: UTF8.self), "hear"]
        }
        let lines = try await talk(steps, to: served)
        let heard = try lines.map { line -> PlaybackState in
            let event = try JSONDecoder().decode(HostEvent.self, from: Data(line.utf8))
            guard case .playbackState(let state) = event else { throw NotAState(event: event) }
            return state
        }
        #expect(
            heard.map(\.trackID)
                == [ids[1], ids[1], ids[1], ids[2], ids[1], ids[0], nil, ids[0], ids[0], ids[0], nil])
        #expect(
            heard.map(\.isPlaying)
                == [true, false, false, true, true, true, false, true, true, true, false])
        #expect(heard[2].position == 3.5)
        #expect(heard[8].volume == 0.25 && heard[9].isShuffled)
    }

    @Test("Commands have the documented JSON form")
    func wireForm() throws {
        for (text, command) in [
            (
                #"{"play":{"track_id":17,"queue_ids":[16,17,18]}}"#,
                .play(trackID: 17, queueIDs: [16, 17, 18])
            ),
            (#"{"pause":{}}"#, .pause), (#"{"resume":{}}"#, .resume), (#"{"next":{}}"#, .next),
            (#"{"previous":{}}"#, .previous), (#"{"seek":{"position_seconds":63.5}}"#, .seek(position: 63.5)),
            (#"{"set_volume":{"level":0.5}}"#, .setVolume(level: 0.5)),
            (#"{"toggle_shuffle":{}}"#, .toggleShuffle), (#"{"refresh_db":{}}"#, .refreshDB),
        ] as [(String, RemoteCommand)] {
            #expect(try JSONDecoder().decode(RemoteCommand.self, from: Data(text.utf8)) == command)
        }
        let event = HostEvent.error(message: "a/b").message(.snakeCase)
        #expect(event == .text(#"{"error":{"message":"a/b"}}"#))
    }

    @Test("A client with a handshake in the form that Swift derives gets responses in that form")
    func derivedForm() async throws {
        let id = try served.id("cbr.mp3")
        let run = try await PythonClient.run(
            "websocket_talk.py",
            [
                "\(served.server.port)", "/ws", served.authorization,
                #"{"protocolVersion":1,"appVersion":"seed 1"}"#, "hear",
                #"{"play":{"trackId":\#(id),"queueIds":[\#(id)]}}"#, "hear", #"{"pause":{}}"#, "hear",
                #"{"seek":{"position":1.5}}"#, "hear", #"{"setVolume":{"level":0.5}}"#, "hear",
                #"{"toggleShuffle":{}}"#, "hear", #"{"refreshDB":{}}"#, "hear",
            ])
        let lines = run.text.split(separator: "\n").map(String.init)
        try #require(lines.count == 7)
        #expect(lines[0].contains(#""protocolVersion":1"#) && lines[0].contains(#""appVersion":"#))
        let last = try JSONSerialization.jsonObject(with: Data(lines[5].utf8)) as? [String: Any]
        let wrapped = try #require((last?["playbackState"] as? [String: Any])?["_0"] as? [String: Any])
        #expect(Set(wrapped.keys) == ["trackId", "position", "isPlaying", "volume", "isShuffled"])
        #expect(wrapped["trackId"] as? Int == id && wrapped["position"] as? Double == 1.5)
        #expect(wrapped["isPlaying"] as? Bool == false && wrapped["isShuffled"] as? Bool == true)
        #expect(lines[6] == #"{"dbReady":{}}"#)
    }

    @Test("An invalid command is answered with an error, and the client stays connected")
    func impossible() async throws {
        let heard = try await talk(
            [
                #"{"play":{"track_id":999999,"queue_ids":[]}}"#, "hear", #"{"resume":{}}"#, "hear",
                #"{"seek":{"position_seconds":-1}}"#, "hear", #"{"set_volume":{"level":1.5}}"#, "hear",
                #"{"refresh_db":{}}"#, "hear",
            ], to: served)
        #expect(heard.prefix(4).allSatisfy { $0.hasPrefix(#"{"error":{"message":"#) })
        #expect(heard.first?.contains("999999") == true)
        #expect(heard.last == #"{"db_ready":{}}"#)
    }

    @Test(
        "An unknown command is answered with an error, and the client stays connected",
        arguments: [
            (#"{"dance":{}}"#, "dance"), (#"{"seek":{}}"#, "seek"),
            (#"{"seek":{"position_seconds":"1"}}"#, "seek"),
            ("[]", "object"), ("17", "object"), ("{}", "object"),
        ])
    func unknownCommand(_ step: String, word: String) async throws {
        let heard = try await talk([step, "hear", #"{"refresh_db":{}}"#, "hear"], to: served)
        #expect(heard.count == 2)
        #expect(heard.first?.hasPrefix(#"{"error":{"message":"#) == true)
        #expect(heard.first?.contains(word) == true)
        #expect(heard.last == #"{"db_ready":{}}"#)
    }

    @Test("A seek beyond the track's end is an error and changes nothing")
    func seekBeyondTheEnd() async throws {
        let id = try served.id("cbr.mp3")
        let duration = try #require(try served.library.track(id: id)?.analysis?.stream.durationSeconds)
        let heard = try await talk(
            [
                #"{"play":{"track_id":\#(id),"queue_ids":[\#(id)]}}"#, "hear", #"{"pause":{}}"#, "hear",
                #"{"seek":{"position_seconds":1.5}}"#, "hear",
                #"{"seek":{"position_seconds":\#(duration + 1)}}"#, "hear",
                #"{"seek":{"position_seconds":1e300}}"#, "hear", #"{"set_volume":{"level":1}}"#, "hear",
                #"{"seek":{"position_seconds":\#(duration)}}"#, "hear",
            ], to: served)
        #expect(heard.count == 7)
        for line in heard[3...4] { #expect(line.hasPrefix(#"{"error":{"message":"#)) }
        let states = try [heard[2], heard[5], heard[6]].map {
            try JSONDecoder().decode(HostEvent.self, from: Data($0.utf8))
        }
        let positions = states.map { state -> Double? in
            guard case .playbackState(let playback) = state else { return nil }
            return playback.position
        }
        #expect(positions == [1.5, 1.5, duration])
    }

    @Test("RemoteCommand.names lists the encoded names of all commands")
    func commandNames() throws {
        let commands: [RemoteCommand] = [
            .play(trackID: 1, queueIDs: []), .pause, .resume, .next, .previous, .seek(position: 0),
            .setVolume(level: 0), .toggleShuffle, .refreshDB,
        ]
        let names = try commands.flatMap { command in
            let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(command))
            return try #require(object as? [String: Any]).keys
        }
        #expect(Set(names) == RemoteCommand.names)
    }

    @Test(
        "A message that is not JSON closes the channel with the appropriate code",
        arguments: [("hex:7b7d", 1003), ("no json", 1007), (#"{"dance":"#, 1007)])
    func malformed(_ step: String, code: Int) async throws {
        let heard = try await talk([step, "hush"], to: served)
        #expect(heard.last?.hasPrefix("closed \(code) ") == true)
    }

    @Test("All clients are notified of missing files and of library changes")
    func events() async throws {
        let piece = try Encoders.lame(PCM.music(frameCount: 6 * 44_100, seed: 8), ["-b", "96"])
        try await ServedLibrary.with([("one.mp3", piece), ("two.mp3", piece)]) { served in
            let id = try served.id("one.mp3")
            async let heard = (0..<2).concurrentMap { _ in
                try await talk(["hear", "hear"], to: served)
            }
            try await until { try await served.clients().count == 2 }
            try FileManager.default.removeItem(atPath: served.file("one.mp3"))
            #expect(try await served.get("/tracks/\(id)/stream.m3u8").status == 404)
            for lines in try await heard {
                #expect(lines.count == 2)
                #expect(lines.first?.contains("one.mp3") == true)
                #expect(lines.last == #"{"db_ready":{}}"#)
            }
            try await until { try await served.clients().isEmpty }
        }
    }

    @Test("Clients are notified of scans by other programs")
    func otherProgram() async throws {
        let piece = try Encoders.lame(PCM.music(frameCount: 6 * 44_100, seed: 10), ["-b", "96"])
        try await ServedLibrary.with([("one.mp3", piece)]) { served in
            async let heard = talk(["hear"], to: served)
            try await until { try await served.clients().count == 1 }
            try Data(piece + piece).write(to: URL(filePath: served.file("two.mp3")))
            _ = try LibraryPass(music: served.music, data: served.data, options: PassOptions()).run()
            #expect(try await heard == [#"{"db_ready":{}}"#])
        }
    }

    @Test("GET /clients lists clients and what they play")
    func clients() async throws {
        let piece = try Encoders.lame(PCM.music(frameCount: 6 * 44_100, seed: 9), ["-b", "96"])
        try await ServedLibrary.with([("one.mp3", piece), ("two.mp3", piece)]) { served in
            let id = try served.id("one.mp3")
            async let heard = talk(
                [#"{"play":{"track_id":\#(id),"queue_ids":[\#(id)]}}"#, "hear", "hear"], to: served)
            var shown: ClientReport?
            try await until {
                shown = try await served.clients().first
                return shown?.playback.trackID != nil
            }
            let client = try #require(shown)
            #expect(client.appVersion == "test 1.0" && client.address == "127.0.0.1")
            #expect(client.playback.trackID == id && client.playback.isPlaying)
            try FileManager.default.removeItem(atPath: served.file("one.mp3"))
            _ = try await served.get("/tracks/\(id)/stream.m3u8")
            #expect(try await heard.count == 2)
        }
    }
}

extension ServedLibrary {
    fileprivate func clients() async throws -> [ClientReport] {
        try JSONDecoder().decode(ClientList.self, from: Data(try await get("/clients").body)).clients
    }
}

extension Range<Int> {
    fileprivate func concurrentMap<Value: Sendable>(
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for element in self { group.addTask { try await body(element) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
