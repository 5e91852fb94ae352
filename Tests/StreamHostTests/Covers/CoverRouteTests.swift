import CoverImage
import Foundation
import MusicShared
import TestSupport
import Testing

/// Covers created with ffmpeg, embedded or as files; served pictures are checked with ffprobe.
@Suite("Covers over HTTP", .timeLimit(.minutes(30)))
struct CoverRouteTests {
    private static let pictures = Task { try await aside { try Pictures() } }

    /// A library with all kinds of covers.
    private struct Pictures: Sendable {
        let served: ServedLibrary
        let large: [UInt8]
        let png: [UInt8]
        let small: [UInt8]

        init() throws {
            let directory = try TemporaryDirectory()
            func picture(
                _ name: String, _ size: String, _ source: String = "testsrc=", _ options: [String] = []
            ) throws -> [UInt8] {
                try ProcessRun.run(
                    "ffmpeg",
                    [
                        "-v", "error", "-f", "lavfi", "-i", "\(source)size=\(size):rate=1", "-frames:v", "1",
                    ] + options + [directory.file(name)])
                return try directory.read(name)
            }
            large = try picture("large.jpg", "1200x900")
            png = try picture("other.png", "700x700", "rgbtestsrc=")
            small = try picture("small.png", "100x60")
            let plain = { (seed: UInt64) in
                try Encoders.lame(PCM.music(frameCount: 44_100, seed: seed), ["-b", "64"])
            }
            func tagged(_ seed: UInt64, _ picture: String, _ options: [String] = []) throws -> [UInt8] {
                let bare = try directory.write(try plain(seed), as: "bare.mp3")
                let output = directory.file("tagged\(seed).mp3")
                try ProcessRun.run(
                    "ffmpeg",
                    [
                        "-v", "error", "-y", "-i", bare, "-i", directory.file(picture), "-map", "0", "-map",
                        "1",
                        "-c", "copy", "-id3v2_version", "3", "-metadata", "album=Embedded",
                    ] + options + [output])
                return try directory.read("tagged\(seed).mp3")
            }
            // An ID3v2.3 tag whose picture is an HTML page with a JPEG MIME type.
            let page = Array("image/jpeg".utf8) + [0, 3, 0] + Array("<html><script>alert(1)</script>".utf8)
            let frame = Array("APIC".utf8) + [0, 0, 0, UInt8(page.count + 1), 0, 0, 0] + page
            let fake = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
            var files: [(name: String, bytes: [UInt8])] = [
                ("embedded/1.mp3", try tagged(1, "large.jpg")), ("embedded/cover.png", small),
                ("embedded/2.mp3", try plain(2)),
                ("folder/1.mp3", try plain(3)), ("folder/Front.JPG", large), ("folder/FOLDER.Png", png),
                ("none/1.mp3", try plain(4)), ("none/cover.txt", png), ("none/discover.jpg", png),
                ("broken/1.mp3", try plain(5)), ("broken/cover.jpg", Array(large.prefix(large.count / 2))),
                ("page/1.mp3", fake + (try plain(6))), ("junk/1.mp3", try plain(7)),
                ("junk/cover.jpg", Array("<html>".utf8)), ("linked/1.mp3", try plain(8)),
                ("inside/1.mp3", try plain(9)), ("top.mp3", try plain(10)), ("folder.jpeg", large),
                ("bomb/1.mp3", try plain(11)),
                (
                    "bomb/cover.png",
                    try picture("bomb.png", "8000x7000", "color=gray:", ["-pix_fmt", "gray"])
                ),
                ("fifo/1.mp3", try plain(12)), ("small/1.mp3", try plain(13)), ("small/album.png", small),
                ("swap/1.mp3", try plain(14)), ("swap/album.png", small),
            ]
            // A file outside of the music folder, and links to it.
            let outside = try TemporaryDirectory()
            files.append(("linked/readme.txt", Array("x".utf8)))
            served = try ServedLibrary(files) { folder in
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/linked/cover.jpg",
                    withDestinationPath: try outside.write(try directory.read("large.jpg"), as: "secret.jpg"))
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/inside/cover.jpg", withDestinationPath: "../folder/Front.JPG")
                mkfifo("\(folder)/fifo/cover.jpg", 0o644)
            }
            // The link target must exist while the tests run.
            kept = outside
        }

        private let kept: TemporaryDirectory
    }

    private let pictures: Pictures
    private var served: ServedLibrary { pictures.served }

    init() async throws { pictures = try await Self.pictures.value }

    private func cover(_ name: String, _ query: String = "", _ options: [String] = []) async throws
        -> ServedLibrary.Answer
    { try await served.get("/tracks/\(try served.id(name))/cover\(query)", options) }

    /// Returns codec, width and height as reported by ffprobe.
    private func look(_ bytes: [UInt8]) async throws -> String {
        let directory = try TemporaryDirectory()
        return try await ProcessRun.aside(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
                try directory.write(bytes, as: "picture"),
            ]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("Originals are served unchanged: embedded covers first, then folder pictures by name")
    func originals() async throws {
        for (name, bytes, type) in [
            ("embedded/1.mp3", pictures.large, "image/jpeg"), ("embedded/2.mp3", pictures.small, "image/png"),
            ("folder/1.mp3", pictures.png, "image/png"), ("top.mp3", pictures.large, "image/jpeg"),
            ("inside/1.mp3", pictures.large, "image/jpeg"),
        ] {
            let answer = try await cover(name)
            #expect(answer.status == 200 && answer.body == bytes, "\(name)")
            #expect(
                answer.field("Content-Type") == type && answer.field("X-Content-Type-Options") == "nosniff")
        }
    }

    @Test(
        "Sizes are rounded up to the next step and never enlarged",
        arguments: [
            (16, "mjpeg,64,48"), (64, "mjpeg,64,48"), (65, "mjpeg,128,96"), (300, "mjpeg,384,288"),
            (1024, "mjpeg,1024,768"), (1025, "mjpeg,1200,900"), (1600, "mjpeg,1200,900"),
        ])
    func sizes(size: Int, expected: String) async throws {
        let first = try await cover("embedded/1.mp3", "?size=\(size)")
        #expect(first.status == 200)
        #expect(try await look(first.body) == expected)
        #expect(first.field("Content-Type") == "image/jpeg")
        // The same again, from the cache.
        let second = try await cover("embedded/1.mp3", "?size=\(size)")
        #expect(second.body == first.body && second.field("ETag") == first.field("ETag"))
        #expect(second.field("Content-Type") == "image/jpeg")
        let head = try await cover("embedded/1.mp3", "?size=\(size)", ["-I"])
        #expect(head.field("Content-Length") == "\(first.body.count)")
    }

    @Test("Covers support conditional requests, and versioned URLs allow long-term caching")
    func caching() async throws {
        var tags: Set<String> = []
        for query in ["", "?size=64", "?size=128"] {
            let answer = try await cover("folder/1.mp3", query)
            let tag = try #require(answer.field("ETag"))
            #expect(tags.insert(tag).inserted && !tag.hasPrefix("W/"))
            let again = try await cover("folder/1.mp3", query, ["-H", "If-None-Match: \(tag)"])
            #expect(again.status == 304 && again.field("ETag") == tag)
            #expect(answer.field("Cache-Control") == "private, no-cache")
        }
        let range = try await cover("folder/1.mp3", "", ["-r", "1-3"])
        #expect(range.status == 206 && range.text == "PNG")
        let track = try await served.get("/api/tracks/\(try served.id("folder/1.mp3"))")
        let url = try #require(try track.json("cover_url") as? String)
        #expect(try await served.get(url).field("Cache-Control") == "private, max-age=604800, immutable")
    }

    @Test(
        "Invalid, damaged and oversized pictures are 422 with a JSON error",
        arguments: [
            ("broken/1.mp3", "?size=64", "cover_corrupt"), ("page/1.mp3", "", "cover_not_a_picture"),
            ("page/1.mp3", "?size=64", "cover_not_a_picture"), ("junk/1.mp3", "", "cover_not_a_picture"),
            ("bomb/1.mp3", "?size=64", "cover_too_large"),
        ])
    func refused(name: String, query: String, code: String) async throws {
        for _ in 0..<2 {
            let answer = try await cover(name, query)
            #expect(answer.status == 422)
            #expect(try answer.json("error", "code") as? String == code)
        }
    }

    @Test(
        "Missing covers and pictures outside of the music folder are 404",
        arguments: ["none/1.mp3", "linked/1.mp3", "fifo/1.mp3"])
    func none(name: String) async throws {
        for query in ["", "?size=64", "?v=1"] {
            let answer = try await cover(name, query)
            #expect(answer.status == 404)
            #expect(try answer.json("error", "code") as? String == "no_cover")
            // Web pages request an empty response, because browsers log every 404 as an error.
            let empty = try await cover(name, query + (query.isEmpty ? "?" : "&") + "missing=empty")
            #expect(empty.status == 204 && empty.body.isEmpty)
            #expect(
                empty.field("Cache-Control")
                    == (query == "?v=1" ? "private, max-age=3600" : "private, no-cache"))
        }
    }

    @Test("Small pictures are served unchanged")
    func small() async throws {
        for _ in 0..<2 {
            #expect(try await cover("small/1.mp3", "?size=128").body == pictures.small)
        }
        #expect(try await look(try await cover("small/1.mp3", "?size=64").body) == "mjpeg,64,38")
    }

    @Test("An album uses the cover of any track that has one")
    func album() async throws {
        let albums = try await served.get("/api/albums?q=embedded")
        let page = try JSONDecoder().decode(CataloguePage<AlbumItem>.self, from: Data(albums.body))
        let album = try #require(page.items.first)
        #expect(album.hasCover)
        #expect(try await served.get(album.coverURL).body == pictures.large)
        let small = try await served.get("/api/albums/\(album.id)/cover?size=64")
        #expect(try await look(small.body) == "mjpeg,64,48")
        // The same picture is cached once.
        #expect(small.field("ETag") == (try await cover("embedded/1.mp3", "?size=64").field("ETag")))
    }

    @Test("A replaced picture is noticed at once")
    func replaced() async throws {
        let path = served.file("swap/album.png")
        let before = try await cover("swap/1.mp3", "?size=1600")
        let spare = served.file("swap/spare")
        try Data(pictures.png).write(to: URL(filePath: spare))
        #expect(rename(spare, path) == 0)
        let after = try await cover("swap/1.mp3", "?size=1600")
        #expect(after.body == pictures.png && after.field("ETag") != before.field("ETag"))
        try Data(pictures.small).write(to: URL(filePath: spare))
        #expect(rename(spare, path) == 0)
        #expect(try await cover("swap/1.mp3", "?size=1600").field("ETag") == before.field("ETag"))
    }

    @Test("Concurrent requests return the same cover")
    func atOnce() async throws {
        let path = "\(served.base)/tracks/\(try served.id("top.mp3"))/cover?size=192"
        let directory = try TemporaryDirectory()
        var options = ["-sS", "-Z", "-m", "240", "-H", served.authorization]
        for number in 0..<16 { options += ["-o", directory.file("\(number)"), path] }
        _ = try await ProcessRun.aside("curl", options)
        let first = try directory.read("0")
        #expect(try await look(first) == "mjpeg,192,144")
        for number in 1..<16 { #expect(try directory.read("\(number)") == first) }
    }
}
