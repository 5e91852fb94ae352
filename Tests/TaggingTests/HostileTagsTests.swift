import Foundation
import Tagging
import TestSupport
import Testing

/// Checks that damaged and malicious files give a result quickly and with little memory, never a crash.
@Suite(.serialized) struct HostileTagsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func read(_ bytes: [UInt8]) throws -> TrackTags {
        try TrackTags.read(from: folder.write(bytes, as: "file.mp3"))
    }

    @Test(arguments: [
        [], [0], Array("ID3".utf8), Array("TAG".utf8), Array("APETAGEX".utf8),
        Array("This is a letter and not music.".utf8),
        [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 9_000),
        TagBytes.audio,
    ])
    func filesWithoutTags(content: [UInt8]) throws {
        #expect(try read(content) == TrackTags())
        #expect(try EmbeddedCover.read(from: folder.write(content, as: "file.mp3")) == nil)
    }

    @Test func sizesThatLie() throws {
        let title = TagBytes.text("TIT2", "kept")
        // The tag's size exceeds the file; a frame's size exceeds the tag.
        #expect(try read(TagBytes.id3v2(title, size: 0x0FFF_FFFF)).title == "kept")
        #expect(
            try read(TagBytes.id3v2(title + TagBytes.frame("TALB", [3, 65], size: 0x0FFF_FFFF))).title
                == "kept")
        #expect(
            try read(TagBytes.id3v2(title + TagBytes.frame("TALB", [], version: 3, size: 0xFFFF_FFFF))).album
                == nil)
        let item = TagBytes.apeItem("Title", Array("kept".utf8))
        let lying = TagBytes.apeItem("Album", [65], size: 0xFFFF_FFFF)
        #expect(try read(TagBytes.audio + TagBytes.ape([item, lying])).title == "kept")
        for size in [0, 31, 0xFFFF_FFFF] {
            #expect(try read(TagBytes.audio + TagBytes.ape([item], size: size)) == TrackTags())
        }
        // An indicator that exceeds its frame must not swallow the frames after it.
        let reaching = TagBytes.frame(
            "TIT2", TagBytes.synchSafe(0xFFFFF) + Array("\u{3}title".utf8), flags: [0, 1])
        let tags = try read(TagBytes.id3v2(reaching + TagBytes.text("TALB", "album")))
        #expect(tags.title == "title" && tags.album == "album")
    }

    @Test func everyCutOfAFile() throws {
        let body =
            TagBytes.text("TIT2", "title") + TagBytes.picture([1, 2, 3]) + TagBytes.text("TALB", "album")
        let whole =
            TagBytes.id3v2(body) + TagBytes.audio
            + TagBytes.ape([TagBytes.apeItem("Title", Array("t".utf8))]) + TagBytes.id3v1(title: [65])
        for count in stride(from: 0, to: whole.count, by: 3) {
            _ = try read(Array(whole.prefix(count)))
            _ = try read(Array(whole.suffix(count)))
        }
    }

    @Test func seededDamage() throws {
        var seed: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let body =
            TagBytes.text("TIT2", "title") + TagBytes.frame("COMM", [1] + Array("eng\0\0x".utf8))
            + TagBytes.text("TXXX", "replaygain_track_gain\0-1 dB") + TagBytes.picture([1, 2, 3])
            + TagBytes.frame(
                "CHAP", Array("c\0".utf8) + [UInt8](repeating: 0, count: 16) + TagBytes.text("TIT2", "x"))
        let base =
            TagBytes.id3v2(body) + TagBytes.audio
            + TagBytes.ape([
                TagBytes.apeItem("Title", Array("t".utf8)),
                TagBytes.apeItem("Cover Art (Front)", [65, 0, 1], flags: 2),
            ])
            + TagBytes.id3v1(title: [65])
        for _ in 0..<2_000 {
            var damaged = base
            for _ in 0...next(6) { damaged[next(damaged.count)] = UInt8(truncatingIfNeeded: next(256)) }
            if next(4) == 0 { damaged.removeSubrange(next(damaged.count)...) }
            let tags = try read(damaged)
            #expect((tags.title?.count ?? 0) <= 10_000)
        }
    }

    @Test func chaptersInsideChaptersDoNotEndTheStack() throws {
        // 200,000 levels: TagLib's own reader would recurse as often.
        var nested: [UInt8] = []
        let levels = 200_000
        var size = levels * 28
        for _ in 0..<levels {
            size -= 10
            nested += Array("CHAP".utf8) + TagBytes.bigEndian(size) + [0, 0] + Array("c\0".utf8)
            nested += [UInt8](repeating: 0, count: 16)
            size -= 18
        }
        let tags = try read(TagBytes.id3v2(TagBytes.text("TIT2", "kept", version: 3) + nested, version: 3))
        #expect(tags.title == "kept")
    }

    @Test func bombsAreNotUnpacked() throws {
        // A title of a million letters, compressed by zlib to a kilobyte.
        let raw = folder.file("letters")
        let title = [3] + [UInt8](repeating: 0x41, count: 1_000_000)
        try Data(title).write(to: URL(fileURLWithPath: raw))
        try ProcessRun.run("gzip", ["-n9", raw])
        // The same stream between zlib's header and checksum (Adler-32, RFC 1950) instead of gzip's.
        let deflated = try bytes(of: raw + ".gz").dropFirst(10).dropLast(8)
        var sums = (a: 1, b: 0)
        for byte in title {
            sums.a = (sums.a + Int(byte)) % 65_521
            sums.b = (sums.b + sums.a) % 65_521
        }
        let packed = [0x78, 0x9C] + deflated + TagBytes.bigEndian(sums.b << 16 | sums.a)
        let content = TagBytes.synchSafe(title.count) + packed
        let bomb = TagBytes.frame("TIT2", content, flags: [0, 0x09])
        let tags = try read(TagBytes.id3v2(bomb.repeated(50) + TagBytes.text("TALB", "after")))
        #expect(tags.title == nil && tags.album == "after")
    }

    @Test func hugeTextsAndCountsAreBounded() throws {
        let nuls = TagBytes.frame("TIT2", [3] + [UInt8](repeating: 0, count: 4_000_000))
        let many = TagBytes.text("TPE1", "x").repeated(200_000)
        let taken = try ProcessorTime.measure {
            let tags = try read(TagBytes.id3v2(nuls + TagBytes.text("TALB", "after") + many))
            #expect(tags.title == nil && tags.album == "after" && tags.artist == "x")
            let item = TagBytes.apeItem("Title", [UInt8](repeating: 0, count: 4_000_000))
            #expect(try read(TagBytes.audio + TagBytes.ape([item])).title == nil)
        }
        #expect(taken < .seconds(20))
    }

    @Test func aLongTextIsCut() throws {
        let long = String(repeating: "é", count: 30_000)
        let tags = try read(TagBytes.id3v2(TagBytes.text("TIT2", long)))
        #expect(tags.title == String(repeating: "é", count: 10_000))
    }

    @Test func picturesBeyondTheLimitAreIgnored() throws {
        let path = folder.file("big.mp3")
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        let size = 70 << 20
        let start = TagBytes.text("TIT2", "kept") + Array("APIC".utf8) + TagBytes.synchSafe(size) + [0, 0]
        try file.write(contentsOf: TagBytes.id3v2(start, size: start.count + size))
        // The rest is a hole in the file.
        try file.truncate(atOffset: UInt64(10 + start.count + size))
        try file.close()
        let tags = try TrackTags.read(from: path)
        #expect(tags.title == "kept" && !tags.hasCover)
        #expect(try EmbeddedCover.read(from: path) == nil)
    }

    @Test func thingsThatAreNoFiles() throws {
        #expect(error(folder.file("absent.mp3"))?.code == .cannotOpen)
        #expect(error(folder.file("absent.mp3"))?.message.contains("No such file") == true)
        #expect(error(folder.path)?.code == .notARegularFile)
        #expect(error("/dev/zero")?.code == .notARegularFile)
        #expect(error("")?.code == .cannotOpen)
        #expect(error("a\0b")?.code == .cannotOpen)
        let pipe = folder.file("pipe.mp3")
        try ProcessRun.run("mkfifo", [pipe])
        // No process writes to it: opening it normally would block forever.
        #expect(error(pipe)?.code == .notARegularFile)
    }

    @Test func namesThatAreNotUTF8() throws {
        let source = try folder.write(TagBytes.id3v2(TagBytes.text("TIT2", "named")), as: "a.mp3")
        try ProcessRun.run("sh", ["-c", "cp '\(source)' \"$(printf '%s/b\\377\\n.mp3' '\(folder.path)')\""])
        let path = Array(folder.path.utf8) + [0x2F, 0x62, 0xFF, 0x0A] + Array(".mp3".utf8)
        #expect(try TrackTags.read(from: path).title == "named")
    }

    private func error(_ path: String) -> TaggingError? {
        do throws(TaggingError) {
            _ = try TrackTags.read(from: path)
            return nil
        } catch {
            return error
        }
    }
}
