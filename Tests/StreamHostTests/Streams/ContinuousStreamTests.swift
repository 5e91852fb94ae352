import Analyzer
import Companion
import Foundation
import LibraryStore
import MPEGAudio
import MusicShared
import Testing
import TestSupport

/// Albums and playlists as one stream, as decoded by ffmpeg.
@Suite("Continuous streams", .timeLimit(.minutes(30)))
struct ContinuousStreamTests {
    private static let library = Task { try await aside { try make() } }
    private let served: ServedLibrary

    init() async throws { served = try await Self.library.value }

    private static let album = ["one.mp3", "two.mp3", "three.mp3"]

    private static func make() throws -> ServedLibrary {
        var files = try album.enumerated().map { number, name in
            let sound = PCM.music(frameCount: 10 * 44_100 + number * 1000, seed: UInt64(number + 1))
            let pcm = PCM(
                sampleRate: 44_100, channelCount: 2,
                samples: [Int16](repeating: 0, count: 88_200) + sound.samples
                    + [Int16](repeating: 0, count: 88_200))
            let scale = ["1", "0.3", "0.8"][number]
            return (
                name: name,
                bytes: try Encoders.lame(
                    pcm,
                    [
                        "-b", "128", "--tt", "Title\n\(number)", "--ta", "Artist", "--tl", "Album", "--tn",
                        "\(number + 1)",
                        "--scale", scale,
                    ])
            )
        }
        let other = PCM.music(frameCount: 8 * 22_050, sampleRate: 22_050, channelCount: 1, seed: 9)
        files.append(
            (name: "other.mp3", bytes: try Encoders.lame(other, ["-b", "48", "--resample", "22.05"])))
        let free = PCM.music(frameCount: 8 * 44_100, seed: 10)
        files.append((name: "free.mp3", bytes: try Encoders.lame(free, ["--freeformat", "-b", "320"])))
        return try ServedLibrary(files)
    }

    private func samples(_ path: String, key: Bool = true) async throws -> [Float] {
        try await samples(path, of: served, key: key)
    }

    private func samples(_ path: String, of served: ServedLibrary, key: Bool = true) async throws -> [Float] {
        let input =
            (key ? ["-headers", served.authorization + "\r\n"] : []) + ["-i", "\(served.base)\(path)"]
        let run = try await ProcessRun.aside(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + input + ["-ar", "44100", "-ac", "2", "-f", "f32le", "-"])
        return run.output.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    private func albumID() throws -> Int {
        let id = try served.id(Self.album[0])
        return try #require(try served.library.track(id: id)?.track.albumID)
    }

    private func makePlaylist(_ name: String, _ tracks: [String]) async throws -> Int {
        let ids = try tracks.map { try served.id($0) }
        let made = try await served.get(
            "/api/playlists",
            [
                "-X", "POST", "-H", "Content-Type: application/json", "-d",
                "{\"name\": \"\(name)\", \"track_ids\": \(ids)}",
            ])
        return try #require(try made.json("id") as? Int)
    }

    @Test("An album stream contains its tracks one after the other")
    func wholeAlbum() async throws {
        let id = try albumID()
        let heard = try await samples("/albums/\(id)/stream.m3u8")
        var expected: [Float] = []
        for name in Self.album { expected += try await samples("/tracks/\(try served.id(name))/stream.m3u8") }
        #expect(heard.count == expected.count)
        // A decoder that continues into the next track still outputs the end of the previous one, which is
        // silent here.
        #expect(zip(heard, expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) } < 1e-3)
        let playlist = try await served.get("/albums/\(id)/stream.m3u8")
        #expect(playlist.field("Content-Type") == "application/vnd.apple.mpegurl")
        #expect(playlist.text.matches(of: /#EXT-X-DISCONTINUITY\n/).count == 2)
        #expect(playlist.text.contains("#EXTINF:5.982041,Artist - Title 0\n"))
        let seconds = playlist.text.matches(of: /#EXTINF:([\d.]+),/).compactMap { Double($0.output.1) }
            .reduce(0, +)
        #expect(abs(seconds - Double(expected.count) / 2 / 44_100) < 1e-4)
        let tag = try #require(playlist.field("ETag"))
        let again = try await served.get("/albums/\(id)/stream.m3u8", ["-H", "If-None-Match: \(tag)"])
        #expect(again.status == 304)
    }

    @Test("Whole frames of padding are omitted at joints, without losing a sample of music")
    func joints() async throws {
        // LAME encodes these to 176 frames: 576 samples of delay and 1,700 of padding, of which 1,171 follow
        // the music.
        let count = 200_476
        let sound = PCM.music(frameCount: 2 * count, seed: 31).samples
        let files = try (0..<2).map { number in
            let part = PCM(
                sampleRate: 44_100, channelCount: 2,
                samples: Array(sound[number * count * 2..<(number + 1) * count * 2]))
            return (
                name: "\(number).mp3",
                bytes: try Encoders.lame(
                    part, ["-b", "128", "--tl", "Joined", "--ta", "Artist", "--tn", "\(number + 1)"])
            )
        }
        try await ServedLibrary.with(files) { own in
            let ids = try files.map { try own.id($0.name) }
            let track = try #require(try own.library.track(id: ids[0]))
            let stream = try #require(track.analysis?.stream)
            try #require(stream.encoderDelaySamples == 576 && stream.encoderPaddingSamples == 1700)
            let album = try #require(track.track.albumID)
            let heard = try await samples("/albums/\(album)/stream.m3u8", of: own)
            let (frames, lead) = (175 * 1152, 576 + 529)
            #expect(heard.count == 2 * 2 * frames)
            for (number, id) in ids.enumerated() {
                let alone = try await samples("/tracks/\(id)/stream.m3u8", of: own)
                #expect(alone.count == 2 * 176 * 1152)
                let start = number * frames + lead
                try #require(heard.count >= 2 * (start + count))
                let worst = (0..<2 * count).reduce(Float(0)) {
                    max($0, abs(heard[2 * start + $1] - alone[2 * lead + $1]))
                }
                #expect(worst < 1e-5, "track \(number) is off by \(worst)")
            }
            // 1,124 samples between the music of both tracks; with all frames it would be 2,276.
            #expect(frames + lead - (lead + count) == 1124)
            let playlist = try await own.get("/albums/\(album)/stream.m3u8").text
            let seconds = playlist.matches(of: /#EXTINF:([\d.]+),/).compactMap { Double($0.output.1) }.reduce(
                0, +)
            #expect(abs(seconds - Double(2 * frames) / 44_100) < 1e-4)
        }
    }

    @Test("Timestamps continue through all tracks")
    func timestamps() async throws {
        let id = try albumID()
        let playlist = try await served.get("/albums/\(id)/stream.m3u8").text
        var time = 0.0
        let entries = playlist.matches(of: /#EXTINF:([\d.]+),.*\n(\S+)/)
        try #require(entries.count > 6)
        for entry in entries {
            let path = "/albums/\(id)/\(entry.output.2)".replacing("/albums/\(id)/../..", with: "")
            let segment = try await served.get(path)
            #expect(segment.status == 200 && segment.field("Cache-Control")?.contains("immutable") == true)
            let timestamp = segment.body[65..<73].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            #expect(abs(Double(timestamp) - time * 90_000) <= 2)
            time += try #require(Double(entry.output.1))
        }
    }

    @Test("Options apply to all tracks; albums use album loudness")
    func options() async throws {
        let id = try albumID()
        let plain = try await samples("/albums/\(id)/stream.m3u8")
        let trimmed = try await samples("/albums/\(id)/stream.m3u8?trim=silence&normalize=-23")
        // Two seconds of silence per track, minus what the decoder needs beforehand.
        #expect(plain.count - trimmed.count > 2 * 44_100 * 5)
        func gains(_ path: String) async throws -> Set<String> {
            Set(try await served.get(path).text.matches(of: /gain=(-?\d+)/).map { String($0.output.1) })
        }
        let together = try await gains("/albums/\(id)/stream.m3u8?normalize=-33")
        #expect(together.count == 1)
        var apart: Set<String> = []
        for name in Self.album {
            apart.formUnion(try await gains("/tracks/\(try served.id(name))/stream.m3u8?normalize=-33"))
        }
        #expect(apart.count > 1)
        #expect(try await gains("/albums/\(id)/stream.m3u8?normalize=-33&loudness=track") == apart)
        #expect(try await served.get("/albums/\(id)/stream.m3u8?normalize=x").status == 422)
    }

    @Test(
        "A playlist of different kinds of tracks plays in order; tracks that cannot be segmented are omitted")
    func playlist() async throws {
        let id = try await makePlaylist("mixed", ["other.mp3", "free.mp3", "three.mp3"])
        let text = try await served.get("/playlists/\(id)/stream.m3u8").text
        #expect(text.contains("# Track \(try served.id("free.mp3")) is omitted: "))
        let heard = try await samples("/playlists/\(id)/stream.m3u8")
        let one = try await samples("/tracks/\(try served.id("other.mp3"))/stream.m3u8")
        let two = try await samples("/tracks/\(try served.id("three.mp3"))/stream.m3u8")
        // ffmpeg resamples the first track, and drops a little where the rate changes.
        #expect(abs(heard.count - one.count - two.count) < 2 * 4410)
        #expect(try await served.get("/playlists/999999/stream.m3u8").status == 404)
        #expect(try await served.get("/albums/999999/stream.m3u8").status == 404)
    }

    @Test("An album token plays the album and nothing else")
    func token() async throws {
        let id = try albumID()
        let made = try await served.get("/auth/token?album_id=\(id)", ["-X", "POST"])
        let token = try #require(try made.json("token") as? String)
        let heard = try await samples("/albums/\(id)/stream.m3u8?token=\(token)", key: false)
        #expect(heard.count == (try await samples("/albums/\(id)/stream.m3u8")).count)
        for path in [
            "/albums/\(id + 1)/stream.m3u8", "/tracks/\(id)/stream.m3u8", "/api/albums/\(id)", "/db",
        ] {
            #expect(try await served.get("\(path)?token=\(token)", key: "").status == 401, "\(path)")
        }
        #expect(try await served.get("/auth/token?album_id=99999", ["-X", "POST"]).status == 404)
        #expect(try await served.get("/auth/token", ["-X", "POST"]).status == 422)
    }
}
