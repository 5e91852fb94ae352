import Companion
import Foundation
import HTTPServer
import MusicShared
import TestSupport
import Testing

@testable import StreamHost

@Suite("Remote channel", .timeLimit(.minutes(30)))
struct RemoteChannelTests {
    private static let greeting = #"{"protocolVersion":1,"appVersion":"test 1.0"}"#
    private let served: ServedLibrary

    private struct NotAState: Error {
        let event: HostEvent
    }

    init() async throws { served = try await ServedStreams.library.value }

    /// Talks as told, after the handshake, and returns what was heard after it.
    private func talk(_ steps: [String], to served: ServedLibrary, greeting: String = greeting) async throws
        -> [String]
    {
        let run = try await PythonClient.run(
            "websocket_talk.py",
            ["\(served.server.port)", "/ws", served.authorization, greeting, "hear"] + steps)
        return run.text.split(separator: "\n").dropFirst().map(String.init)
    }

    @Test("The handshake is answered, and another version refused with the reason")
    func handshake() async throws {
        let answer = try await PythonClient.run(
            "websocket_talk.py",
            ["\(served.server.port)", "/ws", served.authorization, Self.greeting, "hear"])
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
        #expect(object["protocolVersion"] as? Int == 1)
        #expect((object["appVersion"] as? String)?.isEmpty == false)
        let refused = try await talk(
            ["hush"], to: served, greeting: #"{"protocolVersion":99,"appVersion":"late 9.0"}"#)
        #expect(refused.first?.hasPrefix(#"{"error":{"message":"#) == true)
        #expect(refused.last?.hasPrefix("closed 4001") == true)
        #expect(refused.last?.contains("99") == true)
    }

    @Test(
        "What is no handshake is refused",
        arguments: ["hello", "{}", #"{"protocolVersion":"1","appVersion":"x"}"#, "hex:00"])
    func noHandshake(_ greeting: String) async throws {
        let run = try await PythonClient.run(
            "websocket_talk.py", ["\(served.server.port)", "/ws", served.authorization, greeting, "hush"])
        #expect(run.text.hasPrefix("closed 4002 "))
    }

    @Test("Without the key there is no channel")
    func key() async throws {
        await #expect(throws: ProcessRun.Failure.self) {
            try await PythonClient.run(
                "websocket_talk.py", ["\(served.server.port)", "/ws", "Authorization: Bearer AAAA", "hear"])
        }
    }

    @Test("Each command changes what the host takes the client to play")
    func commands() async throws {
        let ids = try ["cbr.mp3", "vbr.mp3", "mono.mp3"].map { try served.id($0) }
        let commands: [RemoteCommand] = [
            .play(trackId: ids[1], queueIds: ids), .pause, .seek(position: 3.5), .next, .previous, .previous,
            .previous, .play(trackId: ids[0], queueIds: ids), .setVolume(level: 0.25), .toggleShuffle, .next,
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
            heard.map(\.trackId)
                == [ids[1], ids[1], ids[1], ids[2], ids[1], ids[0], nil, ids[0], ids[0], ids[0], nil])
        #expect(
            heard.map(\.isPlaying)
                == [true, false, false, true, true, true, false, true, true, true, false])
        #expect(heard[2].position == 3.5)
        #expect(heard[8].volume == 0.25 && heard[9].isShuffled)
    }

    @Test("The JSON of commands is the one that is documented")
    func wireForm() throws {
        for (text, command) in [
            (#"{"play":{"trackId":17,"queueIds":[16,17,18]}}"#, .play(trackId: 17, queueIds: [16, 17, 18])),
            (#"{"pause":{}}"#, .pause), (#"{"resume":{}}"#, .resume), (#"{"next":{}}"#, .next),
            (#"{"previous":{}}"#, .previous), (#"{"seek":{"position":63.5}}"#, .seek(position: 63.5)),
            (#"{"setVolume":{"level":0.5}}"#, .setVolume(level: 0.5)),
            (#"{"toggleShuffle":{}}"#, .toggleShuffle), (#"{"refreshDB":{}}"#, .refreshDB),
        ] as [(String, RemoteCommand)] {
            #expect(try JSONDecoder().decode(RemoteCommand.self, from: Data(text.utf8)) == command)
        }
        let event = HostEvent.error(message: "a/b").message
        #expect(event == .text(#"{"error":{"message":"a/b"}}"#))
    }

    @Test("A command that cannot be is answered with an error, and the client stays")
    func impossible() async throws {
        let heard = try await talk(
            [
                #"{"play":{"trackId":999999,"queueIds":[]}}"#, "hear", #"{"resume":{}}"#, "hear",
                #"{"seek":{"position":-1}}"#, "hear", #"{"setVolume":{"level":1.5}}"#, "hear",
                #"{"refreshDB":{}}"#, "hear",
            ], to: served)
        #expect(heard.prefix(4).allSatisfy { $0.hasPrefix(#"{"error":{"message":"#) })
        #expect(heard.first?.contains("999999") == true)
        #expect(heard.last == #"{"dbReady":{}}"#)
    }

    @Test(
        "What is no command closes with the code that fits",
        arguments: [
            ("hex:7b7d", 1003), ("no json", 1007), (#"{"dance":{}}"#, 1008), (#"{"seek":{}}"#, 1008),
            ("[]", 1008),
        ])
    func malformed(_ step: String, code: Int) async throws {
        let heard = try await talk([step, "hush"], to: served)
        #expect(heard.last?.hasPrefix("closed \(code) ") == true)
    }

    @Test("All clients are told of a missing file, and of a library that has changed")
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
                #expect(lines.last == #"{"dbReady":{}}"#)
            }
            try await until { try await served.clients().isEmpty }
        }
    }

    @Test("A pass of another program is told of, too")
    func otherProgram() async throws {
        let piece = try Encoders.lame(PCM.music(frameCount: 6 * 44_100, seed: 10), ["-b", "96"])
        try await ServedLibrary.with([("one.mp3", piece)]) { served in
            async let heard = talk(["hear"], to: served)
            try await until { try await served.clients().count == 1 }
            try Data(piece + piece).write(to: URL(filePath: served.file("two.mp3")))
            _ = try LibraryPass(music: served.music, data: served.data, options: PassOptions()).run()
            #expect(try await heard == [#"{"dbReady":{}}"#])
        }
    }

    @Test("GET /clients shows who plays what")
    func clients() async throws {
        let piece = try Encoders.lame(PCM.music(frameCount: 6 * 44_100, seed: 9), ["-b", "96"])
        try await ServedLibrary.with([("one.mp3", piece), ("two.mp3", piece)]) { served in
            let id = try served.id("one.mp3")
            async let heard = talk(
                [#"{"play":{"trackId":\#(id),"queueIds":[\#(id)]}}"#, "hear", "hear"], to: served)
            var shown: ClientReport?
            try await until {
                shown = try await served.clients().first
                return shown?.playback.trackId != nil
            }
            let client = try #require(shown)
            #expect(client.appVersion == "test 1.0" && client.address == "127.0.0.1")
            #expect(client.playback.trackId == id && client.playback.isPlaying)
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
