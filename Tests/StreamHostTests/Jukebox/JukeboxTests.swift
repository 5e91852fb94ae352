import Catalogue
import Foundation
import HTTPServer
import Jukebox
import LibraryStore
import MusicShared
import StreamClient
import Testing
import TestSupport
@testable import HostAccounts

@testable import StreamHost

/// The jukebox, controlled over HTTP.
@Suite("Jukebox", .timeLimit(.minutes(30)))
struct JukeboxTests {
    /// Settings that leave the samples as they are.
    private static func untouched(_ output: JukeboxSettings.Output) -> JukeboxSettings {
        var settings = JukeboxSettings(output: output)
        settings.playback.normalization = .off
        return settings
    }

    private static func send(
        _ method: String, _ path: String, _ body: String = "", to served: ServedLibrary, key: String? = nil
    ) async throws -> ServedLibrary.Answer {
        let content = body.isEmpty ? [] : ["-H", "Content-Type: application/json", "-d", body]
        return try await served.get(path, ["-X", method] + content, key: key)
    }

    private static func state(_ served: ServedLibrary) async throws -> JukeboxReport {
        let answer = try await served.get("/jukebox")
        return try JSONDecoder().decode(JukeboxReport.self, from: Data(answer.body))
    }

    /// Plays files through a FIFO, and returns the bytes that a reader gets.
    private static func piped(
        _ files: [(name: String, bytes: [UInt8])], byteCount: Int
    ) async throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let fifo = directory.file("fifo")
        var output: [UInt8] = []
        try await ServedLibrary.with(
            files, settings: { $0.jukebox = untouched(.pipe(path: fifo, sampleRate: 44_100)) }
        ) { served in
            try await ProcessRun.aside("mkfifo", [fifo])
            // Waits for the host to open the FIFO.
            async let reader = ProcessRun.aside("head", ["-c", "\(byteCount)", fifo])
            let ids = try files.map { try served.id($0.name) }
            let answer = try await send(
                "PUT", "/jukebox/queue", #"{"track_ids":\#(ids),"index":0,"is_playing":true}"#, to: served)
            #expect(answer.status == 200, "\(answer.text)")
            output = [UInt8](try await reader.output)
            // Nothing follows.
            try await until { try await state(served).isPlaying == false }
        }
        return output
    }

    @Test("An album of FLAC files reaches the FIFO bit for bit, without gaps")
    func album() async throws {
        // Lengths that are no multiple of a block; what flac has encoded is the truth.
        let sounds = [(1, 300_001), (2, 44_100), (3, 123_457)].map {
            IntegerSound.tones(frameCount: $0.1, seed: UInt64($0.0))
        }
        let files = try await aside {
            try sounds.enumerated().map { (name: "\($0.offset).flac", bytes: try $0.element.flac()) }
        }
        let truth = sounds.flatMap(\.bytes)
        let heard = try await Self.piped(files, byteCount: truth.count)
        #expect(heard.count == truth.count)
        #expect(heard == truth)
    }

    @Test("MP3 files reach the FIFO as mpg123 decodes them, rounded to 16 bits, without gaps")
    func compressed() async throws {
        let directory = try TemporaryDirectory()
        let (files, truth) = try await aside { () -> ([(name: String, bytes: [UInt8])], [UInt8]) in
            var files: [(name: String, bytes: [UInt8])] = []
            var truth: [UInt8] = []
            for (number, length) in [100_017, 61_000].enumerated() {
                let pcm = PCM.music(frameCount: length, seed: UInt64(number + 7))
                let bytes = try Encoders.lame(pcm, ["-b", "192"])
                let path = try directory.write(bytes, as: "\(number).mp3")
                let decoded = try ProcessRun.run("mpg123", ["-q", "-e", "f32", "-s", path]).output
                for sample in Self.floats(decoded) {
                    let value = Int(max(-32_768, min(32_767, (sample * 32_768).rounded())))
                    truth += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
                }
                files.append(("\(number).mp3", bytes))
            }
            return (files, truth)
        }
        let heard = try await Self.piped(files, byteCount: truth.count)
        #expect(heard == truth)
    }

    /// Little-endian numbers of 32 bits.
    private static func floats(_ bytes: Data) -> [Float] {
        let bytes = [UInt8](bytes)
        return stride(from: 0, to: bytes.count - 3, by: 4).map { place in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * $1) })
        }
    }

    /// Four songs of 20 seconds.
    private static func songs() async throws -> [(name: String, bytes: [UInt8])] {
        try await aside {
            try (1...4).map { number in
                (
                    name: "\(number).mp3",
                    bytes: try Encoders.lame(
                        PCM.music(frameCount: 20 * 44_100, seed: UInt64(number)), ["-b", "64"])
                )
            }
        }
    }

    @Test("It pauses, skips, seeks, changes the volume, and edits the queue while playing")
    func control() async throws {
        try await ServedLibrary.with(
            try await Self.songs(), settings: { $0.jukebox = JukeboxSettings(output: .null) }
        ) { served in
            let ids = try (1...4).map { try served.id("\($0).mp3") }
            func act(_ method: String, _ path: String, _ body: String = "") async throws -> JukeboxReport {
                let answer = try await Self.send(method, path, body, to: served)
                #expect(answer.status == 200, "\(method) \(path) \(body): \(answer.text)")
                return try JSONDecoder().decode(JukeboxReport.self, from: Data(answer.body))
            }
            var now = try await act("PUT", "/jukebox/queue", #"{"track_ids":\#(ids[0...2].map(\.self))}"#)
            #expect(now.index == 0 && !now.isPlaying && now.trackIDs == Array(ids[0...2]))
            now = try await act("PATCH", "/jukebox", #"{"is_playing":true}"#)
            #expect(now.isPlaying)
            try await until { try await Self.state(served).positionSeconds > 0.2 }
            now = try await act("PATCH", "/jukebox", #"{"is_playing":false,"volume":0.5}"#)
            #expect(!now.isPlaying && now.volume == 0.5)
            now = try await act("PATCH", "/jukebox", #"{"position_seconds":7.5}"#)
            #expect(!now.isPlaying && abs(now.positionSeconds - 7.5) < 0.1 && now.index == 0)
            now = try await act("PATCH", "/jukebox", #"{"index":1,"position_seconds":3,"is_playing":false}"#)
            #expect(now.index == 1 && abs(now.positionSeconds - 3) < 0.1)
            // Paused, so that the current track stays the same however long the steps take.
            now = try await act("POST", "/jukebox/queue/entries", #"{"track_ids":[\#(ids[3])],"position":0}"#)
            #expect(now.trackIDs == [ids[3], ids[0], ids[1], ids[2]] && now.index == 2)
            #expect(abs(now.positionSeconds - 3) < 0.1)
            let revision = now.revision
            now = try await act("PATCH", "/jukebox/queue/entries/0?revision=\(revision)", #"{"position":3}"#)
            #expect(now.trackIDs == ids && now.index == 1 && now.revision > revision)
            let late = try await Self.send(
                "DELETE", "/jukebox/queue/entries/0?revision=\(revision)", to: served)
            #expect(late.status == 412)
            now = try await act("DELETE", "/jukebox/queue/entries/1")
            #expect(now.trackIDs == [ids[0], ids[2], ids[3]] && now.index == 1 && now.positionSeconds == 0)
            now = try await act("POST", "/jukebox/queue/shuffle")
            #expect(now.index == 0 && now.trackID == ids[2] && Set(now.trackIDs) == [ids[0], ids[2], ids[3]])
            now = try await act("PATCH", "/jukebox", #"{"is_playing":true,"position_seconds":19.5}"#)
            // At its end, the next track follows by itself.
            try await until { try await Self.state(served).index == 1 }
            now = try await act("PUT", "/jukebox/queue", #"{"track_ids":[]}"#)
            #expect(now.trackIDs == [] && now.index == nil && !now.isPlaying)
        }
    }

    @Test("Invalid commands are rejected with the field, and change nothing")
    func invalid() async throws {
        try await ServedLibrary.with(
            try await Self.songs(), settings: { $0.jukebox = JukeboxSettings(output: .null) }
        ) { served in
            let id = try served.id("1.mp3")
            _ = try await Self.send("PUT", "/jukebox/queue", #"{"track_ids":[\#(id)]}"#, to: served)
            let before = try await Self.state(served)
            for (method, path, body, status, field) in [
                ("PATCH", "", #"{"volume":1.5}"#, 422, "volume"),
                ("PATCH", "", #"{"position_seconds":-1}"#, 422, "position_seconds"),
                ("PATCH", "", #"{"index":1}"#, 422, "position"),
                ("PATCH", "", #"{"speed":2}"#, 400, "speed"),
                ("PUT", "/queue", #"{"track_ids":[999999]}"#, 422, "track_ids"),
                ("POST", "/queue/entries", #"{"track_ids":[\#(id)],"position":5}"#, 422, "position"),
                ("DELETE", "/queue/entries/1", "", 422, "position"),
            ] {
                let answer = try await Self.send(method, "/jukebox\(path)", body, to: served)
                #expect(answer.status == status, "\(method) \(path) \(body): \(answer.text)")
                #expect(answer.text.contains("\"\(field)\""), "\(answer.text)")
            }
            #expect(try await Self.state(served) == before)
        }
    }

    @Test("Only accounts of the role control it; it is one of the clients for them")
    func roles() async throws {
        let settings: @Sendable (inout StreamHost.Host.Settings) -> Void = {
            var jukebox = JukeboxSettings(output: .null)
            jukebox.role = .editor
            $0.jukebox = jukebox
        }
        try await ServedLibrary.with(try await Self.songs(), settings: settings) { served in
            let accounts = try Accounts(data: served.data)
            _ = try accounts.add(name: "anna", role: .listener)
            let password = try accounts.appPasswords.add(account: "anna", name: "test")
            let refused = try await Self.send("GET", "/jukebox", to: served, key: password)
            #expect(refused.status == 403 && refused.text.contains("editor"))
            let theirs = try await served.get("/clients", key: password)
            #expect(!theirs.text.contains("Jukebox"))
            let ours = try await served.get("/clients")
            let clients = try JSONDecoder().decode(ClientList.self, from: Data(ours.body)).clients
            #expect(clients.first?.id == ClientReport.jukeboxID && clients.first?.address == "null")
        }
    }

    @Test("A host without a jukebox answers 404")
    func absent() async throws {
        let served = try await ServedStreams.library.value
        let answer = try await served.get("/jukebox")
        #expect(answer.status == 404 && answer.text.contains("no_jukebox"))
    }

    @Test("A restart keeps the queue, the position and the volume, paused; missing tracks are left out")
    func restart() async throws {
        try await ServedLibrary.with(try await Self.songs()) { served in
            let ids = try (1...3).map { try served.id("\($0).mp3") }
            let missing = ids[0]
            let library = served.library
            func jukebox(without absent: Int?) -> Jukebox {
                Jukebox(
                    JukeboxSettings(output: .null),
                    library: Jukebox.Library(
                        id: "library",
                        tracks: { wanted in
                            try library.catalogue { try $0.tracks(ids: wanted) }.filter { $0.id != absent }
                        },
                        path: { served.file("\($0).mp3") },
                        plan: { _, _ in throw CancellationError() }),
                    path: served.directory.file("jukebox.json"),
                    observer: Jukebox.Observer(changed: {}, heard: { _, _, _ in }, report: { _ in }))
            }
            let first = jukebox(without: nil)
            try await first.setQueue(
                JukeboxQueue(trackIDs: ids, index: 1, positionSeconds: 4.25, isPlaying: false), by: 1)
            try await first.change(JukeboxPatch(volume: 0.3), by: 1)
            await first.close()
            let second = jukebox(without: missing)
            let now = await second.report()
            #expect(now.trackIDs == [ids[1], ids[2]] && now.index == 0 && !now.isPlaying)
            #expect(abs(now.positionSeconds - 4.25) < 0.1 && now.volume == 0.3)
            await second.close()
        }
    }
}
