import ClientTestSupport
import Foundation
import MusicShared
import TestSupport
import Testing

@testable import StreamClient

/// Stations, in simulated time.
@Suite("Stations", .timeLimit(.minutes(30)))
struct StationTests {
    private static let address = "http://radio/live"

    private static func scene(
        _ titles: [Int: String] = [:], _ body: @escaping @Sendable (Scene, [UInt8]) async throws -> Void
    ) async throws {
        let sound = try await LongRecording.bytes(repetitions: 60)
        let bytes = StationBytes.interleave(sound, 8192, titles: titles)
        // Slightly faster than real time.
        try await Scene.play(bitsPerSecond: 134_000) { scene in
            var resource = SimulatedServer.Resource(bytes: bytes)
            resource.isEndless = true
            resource.fields = [
                "icy-metaint": "8192", "icy-name": "Radio Test", "icy-genre": "Tests", "icy-br": "128",
            ]
            scene.server.serve(address, resource)
            try await body(scene, sound)
        }
    }

    @Test("Plays, and reports its name and titles")
    func titles() async throws {
        let titles = [
            1: "StreamTitle='A - It's one';StreamUrl='http://a';", 30: "StreamTitle='B - Two';StreamUrl='';",
        ]
        try await Self.scene(titles) { scene, _ in
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 10))
            await scene.wait(60)
            let facts = await scene.engine.snapshot().facts
            #expect(facts.isLive && facts.durationSeconds == nil)
            #expect(facts.station?.name == "Radio Test" && facts.station?.bitRate == 128_000)
            let told = scene.events.compactMap { entry -> StationTitle? in
                if case .titleChanged(let title) = entry.event { title } else { nil }
            }
            #expect(
                told == [
                    StationTitle(text: "A - It's one", address: "http://a"),
                    StationTitle(text: "B - Two"),
                ])
            #expect(!scene.states.contains(.buffering))
        }
    }

    @Test("A repeated title is reported once, even after a reconnection")
    func repeatedTitles() async throws {
        let titles = [
            1: "StreamTitle='A';", 2: "StreamTitle='A';", 7: "StreamTitle='A';", 30: "StreamTitle='B';",
        ]
        try await Self.scene(titles) { scene, _ in
            scene.server.fail(.cut(afterBytes: 200_000))
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 10))
            await scene.wait(60)
            let told = scene.events.compactMap { entry -> String? in
                if case .titleChanged(let title) = entry.event { title.text } else { nil }
            }
            #expect(told == ["A", "B"])
        }
    }

    @Test("A paused station is buffered: playback resumes where it stopped, and can seek back")
    func timeshift() async throws {
        try await Self.scene { scene, _ in
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 10))
            await scene.wait(60)
            await scene.engine.pause()
            let paused = await scene.position
            await scene.wait(120)
            await scene.engine.resume()
            #expect(await scene.wait(for: .playing, upTo: 1))
            let resumed = await scene.position
            #expect(abs(resumed - paused) < 0.2)
            let ahead = await scene.ahead
            #expect(ahead > 115)
            // Back to the start, and to the present again, without a new request.
            await scene.engine.seek(to: 5)
            #expect(await scene.wait(for: .playing, upTo: 1))
            let early = await scene.position
            #expect(abs(early - 5) < 0.2)
            await scene.engine.seek(to: 170)
            #expect(await scene.wait(for: .playing, upTo: 1))
            await scene.wait(20)
            await scene.engine.seek(to: 7)
            #expect(await scene.wait(for: .playing, upTo: 1))
            let again = await scene.position
            #expect(abs(again - 7) < 0.2)
            #expect(scene.server.requests.count == 1)
        }
    }

    @Test("A recording contains only whole frames, exactly as sent")
    func recording() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("recording.mp3")
        try await Self.scene { scene, sound in
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 10))
            try await scene.engine.startRecording(to: path)
            await scene.wait(30.01)
            await scene.engine.stopRecording()
            await scene.wait(5)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let frames = try #require(FrameLength.count(bytes))
            #expect(abs(Double(frames * 1152) / 44_100 - 30) < 2)
            var position = 0
            while let length = FrameLength.of(bytes, at: position) { position += length }
            #expect(position == bytes.count)
            #expect(sound.firstRange(of: bytes.prefix(5000)) != nil)
            // An existing file is not overwritten.
            await #expect(throws: PlaybackError.self) { try await scene.engine.startRecording(to: path) }
        }
    }

    @Test("A station that disconnects is reconnected, and the timeline continues")
    func reconnection() async throws {
        try await Self.scene { scene, _ in
            scene.server.fail(.cut(afterBytes: 400_000), .status(503))
            await scene.engine.play([scene.item(Self.address)])
            #expect(await scene.wait(for: .playing, upTo: 10))
            await scene.wait(90)
            #expect(scene.server.requests.count == 3)
            #expect(await scene.engine.state == .playing)
            let position = await scene.position
            #expect((60...91).contains(position))
        }
    }

    @Test(
        "The first station of a list is played",
        arguments: [
            (
                "audio/x-scpls",
                "[playlist]\nNumberOfEntries=2\nFile2=http://radio/other\nFile1=http://radio/live\n"
            ),
            ("audio/x-mpegurl", "#EXTM3U\r\n#EXTINF:-1,Radio\r\nhttp://radio/live\r\n"),
            ("audio/mpegurl", "live\n"),
            (
                "video/x-ms-asf",
                "<ASX version=\"3.0\"><entry><REF HREF = 'http://radio/live' /></entry></ASX>"
            ),
        ])
    func lists(_ type: String, _ text: String) async throws {
        try await Self.scene { scene, _ in
            scene.server.serve("http://radio/list", text: text, type: type)
            await scene.engine.play([scene.item("http://radio/list")])
            #expect(await scene.wait(for: .playing, upTo: 10))
            #expect(scene.server.requests.map(\.address) == ["http://radio/list", Self.address])
        }
    }

    @Test("A list that refers to itself and an empty list are errors")
    func badLists() async throws {
        try await Self.scene { scene, _ in
            for text in ["http://radio/list\n", "#EXTM3U\n"] {
                scene.server.serve("http://radio/list", text: text, type: "audio/x-mpegurl")
                await scene.engine.play([scene.item("http://radio/list")])
                #expect(await scene.waitForError(.badPlaylist, upTo: 10))
            }
        }
    }

    @Test("Titles are extracted completely, however the bytes are split", arguments: [1, 7, 1000])
    func pieces(_ size: Int) {
        let sound = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = StationBytes.interleave(
            sound, 512, titles: [2: "StreamTitle='x';", 5: "StreamTitle='\u{FC}';"])
        var taken: [UInt8] = []
        var titles: [String] = []
        var places: [Int] = []
        var interleave = TitleInterleave(interval: 512)
        for start in stride(from: 0, to: bytes.count, by: size) {
            for part in interleave.take(Array(bytes[start..<min(start + size, bytes.count)])) {
                switch part {
                case .sound(let sound): taken += sound
                case .title(let title):
                    titles.append(title.text)
                    places.append(taken.count)
                }
            }
        }
        #expect(taken == sound)
        #expect(titles == ["x", "\u{FC}"])
        // Each title belongs to the audio after it.
        #expect(places.allSatisfy { $0.isMultiple(of: 512) } && places[1] - places[0] == 3 * 512)
        #expect(
            TitleInterleave.title(Array("StreamTitle='".utf8) + [0xFC] + Array("';".utf8))?.text == "\u{FC}")
    }
}
