import Foundation
import Tagging
import TestSupport
import Testing

/// Reads tags built byte by byte.
@Suite struct TagBytesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func read(_ bytes: [UInt8]) throws -> TrackTags {
        try TrackTags.read(from: folder.write(bytes, as: "file.mp3"))
    }

    @Test func versionTwoWithThreeLetters() throws {
        func frame(_ id: String, _ text: String) -> [UInt8] {
            Array(id.utf8) + TagBytes.bigEndian(text.utf8.count + 1, count: 3) + [0] + Array(text.utf8)
        }
        let body =
            frame("TT2", "Old") + frame("TP1", "Artist") + frame("TYE", "1991") + frame("TRK", "5/9")
            + frame("TCO", "(8)") + frame("TCP", "1")
        let tags = try read(TagBytes.id3v2(body, version: 2) + TagBytes.audio)
        #expect(tags.title == "Old" && tags.artist == "Artist" && tags.year == 1991)
        #expect(tags.track == NumberInSet(number: 5, total: 9))
        #expect(tags.genre == "Jazz" && tags.isCompilation)
    }

    @Test(
        arguments: [
            (0, [0xC9, 0x74, 0xE9]),  // Latin-1
            (1, [0xFF, 0xFE, 0xC9, 0, 0x74, 0, 0xE9, 0]),  // UTF-16 with a mark, little-endian
            (1, [0xFE, 0xFF, 0, 0xC9, 0, 0x74, 0, 0xE9]),  // UTF-16 with a mark, big-endian
            (2, [0, 0xC9, 0, 0x74, 0, 0xE9]),  // UTF-16 big-endian
            (3, [0xC3, 0x89, 0x74, 0xC3, 0xA9]),  // UTF-8
        ] as [(UInt8, [UInt8])])
    func allEncodings(encoding: UInt8, text: [UInt8]) throws {
        let body = TagBytes.frame("TIT2", [encoding] + text)
        #expect(try read(TagBytes.id3v2(body) + TagBytes.audio).title == "Été")
    }

    @Test func severalValuesAndControlCharacters() throws {
        let body =
            TagBytes.text("TPE1", "One\0Two")
            + TagBytes.text("TIT2", "  \u{FEFF}a\u{7}b\r\nc\u{1B}[31m\u{85}\0")
            + TagBytes.text("TALB", " \0 ")
            + TagBytes.frame("COMM", [3] + Array("eng\0line 1\r\nline 2\tx".utf8))
        let tags = try read(TagBytes.id3v2(body))
        #expect(tags.artist == "One; Two")
        #expect(tags.title == "a b c [31m")
        #expect(tags.album == nil)
        #expect(tags.comment == "line 1\nline 2 x")
    }

    @Test func invalidUTF8IsReplaced() throws {
        let tags = try read(TagBytes.id3v2(TagBytes.frame("TIT2", [3, 0x41, 0xC3, 0x28, 0xFF, 0x42])))
        #expect(tags.title == "A\u{FFFD}(\u{FFFD}B")
    }

    @Test func commentsOfITunesAreNotComments() throws {
        let norm = TagBytes.frame("COMM", [0] + Array("engiTunNORM\0 000001A4".utf8))
        let real = TagBytes.frame("COMM", [0] + Array("eng\0real".utf8))
        let described = TagBytes.frame("COMM", [0] + Array("engnote\0described".utf8))
        #expect(try read(TagBytes.id3v2(norm)).comment == nil)
        #expect(try read(TagBytes.id3v2(norm + described)).comment == "described")
        #expect(try read(TagBytes.id3v2(norm + described + real)).comment == "real")
    }

    @Test func theOrderOfTrust() throws {
        let v2 = TagBytes.id3v2(TagBytes.text("TIT2", "from v2"))
        let ape = TagBytes.ape([
            TagBytes.apeItem("TITLE", Array("from ape".utf8)), TagBytes.apeItem("Artist", Array("A\0B".utf8)),
            TagBytes.apeItem("Track", Array("4/8".utf8)), TagBytes.apeItem("Disc", Array("2".utf8)),
            TagBytes.apeItem("Album Artist", Array("Группа".utf8)),
            TagBytes.apeItem("Year", Array("2001".utf8)),
            TagBytes.apeItem("replaygain_album_peak", Array("1.02".utf8)),
        ])
        let v1 = TagBytes.id3v1(
            title: Array("from v1".utf8), artist: Array("v1 artist".utf8), album: Array("v1 album".utf8))
        let tags = try read(v2 + TagBytes.audio + ape + v1)
        #expect(tags.kinds == [.id3v2, .ape, .id3v1])
        #expect(tags.title == "from v2")
        #expect(tags.artist == "A; B")
        #expect(tags.album == "v1 album")
        #expect(tags.albumArtist == "Группа")
        #expect(tags.track == NumberInSet(number: 4, total: 8) && tags.disc == NumberInSet(number: 2))
        #expect(tags.year == 2001 && tags.replayGain.albumPeak == 1.02)
    }

    @Test func anAPETagBeforeLyrics() throws {
        let lyrics = Array("LYRICSBEGINLYR00005abcde".utf8)
        let footer = Array(String(repeating: "0", count: 4).utf8) + Array("\(lyrics.count)LYRICS200".utf8)
        let ape = TagBytes.ape([TagBytes.apeItem("Title", Array("found".utf8))])
        #expect(try read(TagBytes.audio + ape + lyrics + footer + TagBytes.id3v1()).title == "found")
        #expect(try read(TagBytes.audio + ape).title == "found")
    }

    @Test(
        arguments: [
            ("Café".utf8.map { $0 }, "Café"),  // UTF-8
            ([0x43, 0x61, 0x66, 0xE9], "Café"),  // Latin-1
            // Not UTF-8, and the field is not full, so nothing was cut off: Latin-1.
            ([0xC3, 0xA9, 0xE9], "Ã©é"),
            // UTF-8 whose last character is cut by the field's end.
            (Array("日本語日本語日本語日".utf8) + Array("é".utf8), "日本語日本語日本語日"),
            (
                Array(String(repeating: "é", count: 14).utf8) + [0x61, 0xC3, 0xA9],
                String(repeating: "é", count: 14) + "a"
            ),
            ([UInt8](repeating: 0x61, count: 29) + [0xE9], String(repeating: "a", count: 29) + "é"),
        ] as [([UInt8], String)])
    func encodingsOfID3v1(title: [UInt8], expected: String) throws {
        #expect(try read(TagBytes.audio + TagBytes.id3v1(title: title, track: 9)).title == expected)
    }

    @Test func stackedTagsCompleteEachOther() throws {
        let first = TagBytes.id3v2(TagBytes.text("TIT2", "first"))
        let second = TagBytes.id3v2(TagBytes.text("TIT2", "second") + TagBytes.text("TALB", "album"))
        let tags = try read(first + second + TagBytes.audio)
        #expect(tags.title == "first" && tags.album == "album")
    }

    @Test func unsynchronisationAndExtendedHeader() throws {
        // ID3v2.3: in the whole tag, FF 00 means FF; the extended header of 6 bytes follows its size.
        let frame = TagBytes.frame("TIT2", [0, 0xFF, 0x00, 0x41], version: 3, size: 3)
        let extended = TagBytes.bigEndian(6) + [0, 0, 0, 0, 0, 0]
        let three = TagBytes.id3v2(extended + frame, version: 3, flags: 0x80 | 0x40)
        #expect(try read(three).title == "ÿA")
        // ID3v2.4: per frame, with a data length indicator; the extended header's size includes itself.
        let four = TagBytes.id3v2(
            TagBytes.synchSafe(6) + [1, 0]
                + TagBytes.frame("TIT2", TagBytes.synchSafe(3) + [0, 0xFF, 0x00, 0x41], flags: [0, 0x03]),
            flags: 0x40)
        #expect(try read(four).title == "ÿA")
    }

    /// Sizes as iTunes wrote them: 200 as 00 00 00 C8, which is not a valid synch-safe number, and 336 as 00 00 01 50, which
    /// would be 208.
    @Test(arguments: [200, 336])
    func plainSizesInVersionFour(size: Int) throws {
        let long = String(repeating: "x", count: size - 1)
        let body =
            Array("TIT2".utf8) + TagBytes.bigEndian(size) + [0, 0, 3] + Array(long.utf8)
            + TagBytes.text("TALB", "after")
        let tags = try read(TagBytes.id3v2(body))
        #expect(tags.title == long && tags.album == "after")
    }

    @Test func theFrontCoverIsPreferred() throws {
        let body =
            TagBytes.picture([1, 2, 3], type: 4)
            + TagBytes.picture([0xFF, 0xD8, 0xFF, 9], mimeType: "image/x")
        let path = try folder.write(TagBytes.id3v2(body) + TagBytes.audio, as: "file.mp3")
        #expect(
            try EmbeddedCover.read(from: path)
                == EmbeddedCover(data: [0xFF, 0xD8, 0xFF, 9], mimeType: "image/jpeg"))
    }

    @Test(arguments: [
        ("image/x-odd", "image/x-odd"), ("IMAGE/PNG", "image/png"), ("text/html", "application/octet-stream"),
        ("image/a\r\nX: y", "application/octet-stream"), ("image/svg+xml", "application/octet-stream"),
        ("", "application/octet-stream"),
    ])
    func statedTypesAreNotTrustedFar(stated: String, expected: String) throws {
        let path = try folder.write(
            TagBytes.id3v2(TagBytes.picture([1, 2, 3], mimeType: stated)), as: "file.mp3")
        #expect(try EmbeddedCover.read(from: path)?.mimeType == expected)
    }

    @Test func theCoverOfAnAPETag() throws {
        let item = TagBytes.apeItem(
            "Cover Art (Front)", Array("a.jpg\0".utf8) + [0xFF, 0xD8, 0xFF, 0], flags: 2)
        let path = try folder.write(TagBytes.audio + TagBytes.ape([item]), as: "file.mp3")
        #expect(try TrackTags.read(from: path).hasCover)
        #expect(try EmbeddedCover.read(from: path)?.data == [0xFF, 0xD8, 0xFF, 0])
        let address = TagBytes.picture(Array("http://x/".utf8), mimeType: "-->")
        #expect(try !read(TagBytes.id3v2(address)).hasCover)
    }
}

func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
