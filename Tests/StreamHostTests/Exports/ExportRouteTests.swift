import Analyzer
import Companion
import Foundation
import LibraryStore
import Testing
import TestSupport

/// Albums, playlists and tracks in the formats of other systems.
@Suite("Exports for other systems", .timeLimit(.minutes(30)))
struct ExportRouteTests {
    private static let library = Task { try await aside { try make() } }
    private let served: ServedLibrary

    init() async throws { served = try await Self.library.value }

    private static func make() throws -> ServedLibrary {
        let files = try (1...2).map { number in
            let pcm = PCM.music(frameCount: 12 * 44_100, seed: UInt64(number))
            return (
                name: number == 1 ? "Folder/one \"&\".mp3" : "#two.mp3",
                bytes: try Encoders.lame(
                    pcm,
                    [
                        "-b", "128", "--tt", "Song \(number)", "--ta", "Band", "--tl", "Album \(number)",
                        "--tn", "\(number)",
                    ])
            )
        }
        return try ServedLibrary(files)
    }

    private func makePlaylist(_ name: String) async throws -> Int {
        let ids = try ["#two.mp3", "Folder/one \"&\".mp3"].map { try served.id($0) }
        let made = try await served.get(
            "/api/playlists",
            [
                "-X", "POST", "-H", "Content-Type: application/json", "-d",
                "{\"name\": \"\(name)\", \"track_ids\": \(ids)}",
            ])
        return try #require(try made.json("id") as? Int)
    }

    @Test("M3U8 has durations, names and albums, and ffmpeg can play it from the folder")
    func m3u8() async throws {
        let id = try await makePlaylist("Late \\\"night\\\"")
        let answer = try await served.get("/api/playlists/\(id)/export?prefix=music/")
        #expect(
            answer.text == """
                #EXTM3U
                #PLAYLIST:Late "night"
                #EXTALB:Album 2
                #EXTINF:12,Band - Song 2
                music/#two.mp3
                #EXTALB:Album 1
                #EXTINF:12,Band - Song 1
                music/Folder/one "&".mp3

                """)
        let bare = try await served.get("/api/playlists/\(id)/export?format=m3u8").text
        #expect(bare.contains("\n./#two.mp3\n"))
    }

    @Test(
        "A prefix without a trailing separator gets a slash; one with a separator is unchanged",
        arguments: [
            ("/srv/music", "/srv/music/#two.mp3"), ("/srv/music/", "/srv/music/#two.mp3"),
            ("http://h/f?path=", "http://h/f?path=#two.mp3"), ("music:", "music:#two.mp3"),
            ("D:%5CMusic", "D:\\Music/#two.mp3"), ("D:%5C", "D:\\#two.mp3"),
        ])
    func prefixes(prefix: String, address: String) async throws {
        let id = try served.id("#two.mp3")
        let answer = try await served.get("/api/tracks/\(id)/export?format=m3u8&prefix=\(prefix)")
        #expect(answer.text.hasSuffix("\n\(address)\n"), "\(answer.text)")
    }

    @Test("cue_file JSON and Liquidsoap annotations contain the same values")
    func autocue() async throws {
        let id = try served.id("#two.mp3")
        let track = try #require(try served.library.track(id: id))
        let profile = try #require(track.analysis?.profile)
        let json = try await served.get("/api/tracks/\(id)/export?format=cue_file&prefix=/m/")
        let fields = try #require(try json.json("/m/#two.mp3") as? [String: Any])
        #expect(abs((fields["liq_cue_in"] as? Double ?? -1) - profile.cue.cueInSeconds) < 0.001)
        #expect(abs((fields["duration"] as? Double ?? -1) - 12) < 0.001)
        #expect(fields["liq_longtail"] as? Bool == (profile.cue.ending == .longTail))
        #expect((fields["liq_loudness"] as? String)?.hasSuffix(" LUFS") == true)
        let line = try await served.get("/api/tracks/\(id)/export?format=liquidsoap&prefix=/m/").text
        #expect(line.hasPrefix("annotate:") && line.hasSuffix(":/m/#two.mp3\n"))
        let gain = try #require(line.firstMatch(of: /liq_amplify="([^"]+)"/)?.1)
        #expect(fields["liq_amplify"] as? String == String(gain))
    }

    @Test("AzuraCast fields are in seconds and decibels")
    func azuracast() async throws {
        let id = try await makePlaylist("radio")
        let json = try await served.get("/api/playlists/\(id)/export?format=azuracast")
        let file = try #require(try json.json("Folder/one \"&\".mp3") as? [String: Any])
        #expect(file["title"] as? String == "Song 1" && file["artist"] as? String == "Band")
        let extra = try #require(file["extra_metadata"] as? [String: Double])
        #expect(
            Set(extra.keys) == ["amplify", "cue_in", "cue_out", "cross_start_next", "fade_in", "fade_out"])
        let profile = try #require(
            try served.library.track(id: served.id("Folder/one \"&\".mp3"))?.analysis?.profile)
        let gain = try #require(profile.loudness.integratedLUFS).distance(to: -18)
        #expect(abs((extra["amplify"] ?? 0) - gain) <= 0.005)
        #expect((extra["cue_out"] ?? 0) > (extra["cross_start_next"] ?? 99) - 0.001)
    }

    @Test("MixRamp tags decrease from the track's level to silence")
    func mixramp() async throws {
        let album = try #require(try served.library.track(id: served.id("#two.mp3"))?.track.albumID)
        let json = try await served.get("/api/albums/\(album)/export?format=mixramp")
        let tags = try #require(try json.json("#two.mp3") as? [String: String])
        #expect(tags["MIXRAMP_REF"] == "89.00")
        for name in ["MIXRAMP_START", "MIXRAMP_END"] {
            let points = try #require(tags[name]).split(separator: ";").map {
                $0.split(separator: " ").compactMap { Double($0) }
            }
            #expect(points.count > 2 && points.allSatisfy { $0.count == 2 })
            // The louder the level, the farther from the end of the file.
            #expect(points == points.sorted { $0[0] < $1[0] })
            #expect(points.map { $0[1] } == points.map { $0[1] }.sorted())
        }
    }

    @Test("Missing items and unknown formats are rejected")
    func failures() async throws {
        let id = try served.id("#two.mp3")
        #expect(try await served.get("/api/albums/99999/export").status == 404)
        #expect(try await served.get("/api/playlists/99999/export").status == 404)
        #expect(try await served.get("/api/tracks/99999/export").status == 404)
        let answer = try await served.get("/api/tracks/\(id)/export?format=pls")
        #expect(answer.status == 422)
        #expect(try answer.json("error", "field") as? String == "format")
        #expect(try await served.get("/api/tracks/\(id)/export?prefix=a%0Ab").status == 422)
    }
}
