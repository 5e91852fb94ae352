import Foundation
import Tagging
import TestSupport
import Testing

/// Checks how edits change tags that are built byte by byte here.
@Suite("Tag rewrites")
struct TagRewriteTests {
    private func rewritten(_ bytes: [UInt8], _ change: (inout TagEdit) -> Void) throws -> [UInt8] {
        let folder = try TemporaryDirectory()
        let path = try folder.write(bytes, as: "file.mp3")
        let handle = try #require(FileHandle(forReadingAtPath: path))
        var edit = TagEdit()
        change(&edit)
        let state = try TagState(descriptor: handle.fileDescriptor)
        let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
        let result = rewrite.leading + bytes[rewrite.kept] + rewrite.trailing
        #expect(rewrite.byteCount == result.count && rewrite.isChanged == (result != bytes))
        let after = try folder.write(result, as: "after.mp3")
        let second = try #require(FileHandle(forReadingAtPath: after))
        let difference = try TagState(descriptor: second.fileDescriptor).firstDifference(
            after: try edit.checked(), of: state)
        #expect(difference == nil)
        return result
    }

    /// Returns frames that no edit changes: lyrics, timed lyrics, volume, chapter, private, an unknown one, an encrypted one, a
    /// back cover picture, a comment of iTunes and a user-defined text.
    /// picture of the back, a comment of iTunes, a text of a user.
    private func foreignFrames(_ version: UInt8) -> [[UInt8]] {
        [
            TagBytes.frame("USLT", [0] + Array("engwords\0la la".utf8), version: version),
            TagBytes.frame(
                "SYLT", [0] + Array("eng".utf8) + [2, 1, 0, 0x41, 0, 0, 0, 0, 9], version: version),
            TagBytes.frame(
                version == 4 ? "RVA2" : "RVAD", [0x61, 0, 1, 0xFF, 0, 0x10, 0x20], version: version),
            TagBytes.frame("CHAP", Array("one\0".utf8) + [UInt8](repeating: 7, count: 16), version: version),
            TagBytes.frame("PRIV", Array("me\0".utf8) + [0xFF, 0xE0, 0, 1, 2], version: version),
            TagBytes.frame("XQZ9", [UInt8](0...255), version: version),
            TagBytes.frame("TSIZ", [0] + Array("12345".utf8), version: version),
            TagBytes.frame(
                "TSO2", [9, 8, 7, 6, 5], version: version, flags: version == 4 ? [0, 0x04] : [0, 0x40]),
            TagBytes.frame("APIC", [0] + Array("image/png\0".utf8) + [4, 0, 1, 2, 3], version: version),
            TagBytes.frame("COMM", [0] + Array("engiTunNORM\0 000".utf8), version: version),
            TagBytes.frame("TXXX", [0] + Array("mood\0blue".utf8), version: version),
        ]
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(part)) != nil
    }

    @Test(
        "An edit keeps all other frames byte for byte, in the tag's own version",
        arguments: [3, 4] as [UInt8])
    func foreign(version: UInt8) throws {
        let frames = foreignFrames(version)
        let title = TagBytes.frame("TIT2", [0] + Array("old".utf8), version: version)
        let body = frames[0] + title + frames.dropFirst().flatMap { $0 } + [UInt8](repeating: 0, count: 100)
        let file = TagBytes.id3v2(body, version: version) + TagBytes.audio
        let result = try rewritten(file) {
            $0.title = .set("nouveau 🎺")
            $0.artist = .set("somebody")
            $0.comment = .set("text")
            $0.year = .set(1999)
        }
        for frame in frames { #expect(contains(result, frame)) }
        #expect(!contains(result, title) && result[3] == version)
        #expect(result.suffix(TagBytes.audio.count).elementsEqual(TagBytes.audio))
        #expect(contains(result, Array((version == 4 ? "TDRC" : "TYER").utf8)))
    }

    @Test("ID3v2.2 stays ID3v2.2")
    func version2() throws {
        func frame(_ id: String, _ content: [UInt8]) -> [UInt8] {
            Array(id.utf8) + TagBytes.bigEndian(content.count, count: 3) + content
        }
        let unknown = frame("ZZZ", [1, 2, 3])
        let body = frame("TT2", [0] + Array("old".utf8)) + unknown + [UInt8](repeating: 0, count: 64)
        let result = try rewritten(TagBytes.id3v2(body, version: 2) + TagBytes.audio) {
            $0.title = .set("Ελληνικά")
            $0.year = .set(2001)
            $0.comment = .set("a comment")
            $0.cover = .set(EmbeddedCover(data: [0xFF, 0xD8, 0xFF, 0xE0, 1], mimeType: ""))
        }
        #expect(result[3] == 2 && contains(result, unknown))
    }

    @Test("ID3v1 and APE are updated, keeping their other content; neither is added")
    func trailing() throws {
        let ape = TagBytes.ape([
            TagBytes.apeItem("Title", Array("old".utf8)), TagBytes.apeItem("Mood", Array("blue".utf8)),
            TagBytes.apeItem("Cover Art (Back)", [0x62, 0, 1, 2, 3], flags: 2),
        ])
        let id3v1 = TagBytes.id3v1(
            title: Array("old".utf8), artist: Array("who".utf8), year: "1990", track: 4, genre: 17)
        let result = try rewritten(TagBytes.audio + ape + id3v1) {
            $0.title = .set("Größe – x")
            $0.trackNumber = .set(5)
            $0.genre = .set("Jazz")
        }
        let newAPE = TagBytes.ape([
            TagBytes.apeItem("Title", Array("Größe – x".utf8)), TagBytes.apeItem("Mood", Array("blue".utf8)),
            TagBytes.apeItem("Cover Art (Back)", [0x62, 0, 1, 2, 3], flags: 2),
        ])
        // Latin-1; jazz is number 8 in ID3v1's list.
        let newID3v1 = TagBytes.id3v1(
            title: [0x47, 0x72, 0xF6, 0xDF, 0x65, 0x20, 0x3F, 0x20, 0x78], artist: Array("who".utf8),
            year: "1990",
            track: 5, genre: 8)
        #expect(result.suffix(newAPE.count + 128).elementsEqual(newAPE + newID3v1))
        #expect(result.starts(with: Array("ID3".utf8) + [4]))

        let removed = try rewritten(TagBytes.audio + ape + id3v1) { $0.title = .remove }
        #expect(removed.starts(with: TagBytes.audio))
        let plain = try rewritten(TagBytes.audio) { $0.title = .set("x") }
        #expect(plain.suffix(TagBytes.audio.count).elementsEqual(TagBytes.audio))
    }

    @Test("A completed edit writes all values of other tags, ReplayGain included, to a new ID3v2 tag")
    func completion() throws {
        let ape = TagBytes.ape([
            TagBytes.apeItem("Album", Array("Grüße".utf8)), TagBytes.apeItem("Disc", Array("1/2".utf8)),
            TagBytes.apeItem("REPLAYGAIN_TRACK_GAIN", Array("-6.50 dB".utf8)),
            TagBytes.apeItem("REPLAYGAIN_TRACK_PEAK", Array("0.988000".utf8)),
            TagBytes.apeItem("REPLAYGAIN_ALBUM_GAIN", Array("+1.25 dB".utf8)),
        ])
        let id3v1 = TagBytes.id3v1(title: Array("old".utf8), year: "1990", track: 4, genre: 17)
        let file = TagBytes.audio + ape + id3v1
        let folder = try TemporaryDirectory()
        let before = try TrackTags.read(from: folder.write(file, as: "before.mp3"))
        var edit = TagEdit()
        edit.title = .set("new")
        edit = edit.completed(by: before)
        let result = try rewritten(file) { $0 = edit }
        // Only the new tag and the audio.
        let end = try #require(Data(result).range(of: Data(TagBytes.audio))).upperBound
        let after = try TrackTags.read(from: folder.write(Array(result[..<end]), as: "after.mp3"))
        #expect(after.kinds == .id3v2)
        #expect(after.title == "new" && after.album == "Grüße" && after.year == 1990 && after.genre == "Rock")
        #expect(after.track.number == 4 && after.disc.number == 1 && after.disc.total == 2)
        #expect(after.replayGain.trackGainDB == -6.5 && after.replayGain.albumGainDB == 1.25)
        #expect(abs((after.replayGain.trackPeak ?? 0) - 0.988) < 1e-6 && after.replayGain.albumPeak == nil)
    }

    @Test("A full date of the same year stays; a date of another year is removed with its parts")
    func dates() throws {
        let date = TagBytes.text("TDRC", "2003-05-01")
        let file = TagBytes.id3v2(date) + TagBytes.audio
        #expect(try rewritten(file) { $0.year = .set(2003) } == file)
        #expect(!contains(try rewritten(file) { $0.year = .set(2004) }, Array("05-01".utf8)))
        let parts =
            TagBytes.frame("TYER", Array("\u{0}2003".utf8), version: 3)
            + TagBytes.frame("TDAT", Array("\u{0}0105".utf8), version: 3)
        let old = TagBytes.id3v2(parts, version: 3) + TagBytes.audio
        #expect(!contains(try rewritten(old) { $0.year = .set(2004) }, Array("TDAT".utf8)))
    }

    @Test("An unsynchronised tag is rewritten without unsynchronisation, with the same frames")
    func unsynchronised() throws {
        let content: [UInt8] = Array("me\0".utf8) + [0xFF, 0xE0, 0xFF, 0x00]
        let body = TagBytes.text("TIT2", "old", version: 3) + TagBytes.frame("PRIV", content, version: 3)
        var packed: [UInt8] = []
        for (index, byte) in body.enumerated() {
            packed.append(byte)
            let next = index + 1 < body.count ? body[index + 1] : 0
            if byte == 0xFF, next >= 0xE0 || next == 0 { packed.append(0) }
        }
        let result = try rewritten(TagBytes.id3v2(packed, version: 3, flags: 0x80) + TagBytes.audio) {
            $0.title = .set("new")
        }
        #expect(result[5] == 0 && contains(result, TagBytes.frame("PRIV", content, version: 3)))
    }

    @Test("In ID3v2.4, the tag's unsynchronisation flag is moved to its frames")
    func unsynchronisedFrame() throws {
        // ID3v2.4 §6.1: FF E0 is written as FF 00 E0.
        let content: [UInt8] = Array("me\0".utf8) + [0xFF, 0x00, 0xE0]
        let body = TagBytes.text("TIT2", "old") + TagBytes.frame("PRIV", content)
        let result = try rewritten(TagBytes.id3v2(body, flags: 0x80) + TagBytes.audio) {
            $0.title = .set("new")
        }
        #expect(result[5] == 0 && contains(result, TagBytes.frame("PRIV", content, flags: [0, 2])))
    }

    @Test("Comments in other languages and with descriptions", arguments: [3, 4] as [UInt8])
    func comments(version: UInt8) throws {
        func comment(_ text: String) -> [UInt8] {
            TagBytes.frame("COMM", [0] + Array(text.utf8), version: version)
        }
        let described = comment("deunote\0kept")
        let own = comment("engSongs-DB_Custom1\0mine")
        let file = TagBytes.id3v2(comment("deu\0old") + described + own, version: version) + TagBytes.audio
        let set = try rewritten(file) { $0.comment = .set("new") }
        #expect(contains(set, described) && contains(set, own) && contains(set, Array("deu\0new".utf8)))
        let removed = try rewritten(file) { $0.comment = .remove }
        #expect(!contains(removed, described) && contains(removed, own))
    }

    @Test("Nothing after a damaged frame is lost")
    func damaged() throws {
        let rest = TagBytes.frame("TALB", [0] + Array("cut".utf8), size: 5_000) + [1, 2, 3]
        let result = try rewritten(TagBytes.id3v2(TagBytes.text("TIT2", "old") + rest) + TagBytes.audio) {
            $0.title = .set("new")
        }
        #expect(contains(result, rest))
    }

    @Test("A truncated tag is rejected")
    func cutOff() throws {
        let error = #expect(throws: TaggingError.self) {
            try rewritten(TagBytes.id3v2(TagBytes.text("TIT2", "old"), size: 90_000)) {
                $0.title = .set("new")
            }
        }
        #expect(error?.code == .unsupportedTag)
    }

    @Test(
        "Damage anywhere leads to a clear error or to the file's own bytes with new tags", arguments: 0..<8
    )
    func damage(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryDirectory()
        let tag = TagBytes.id3v2(
            TagBytes.text("TIT2", "old") + foreignFrames(4).flatMap { $0 } + [UInt8](repeating: 0, count: 40))
        let whole =
            tag + TagBytes.audio + TagBytes.ape([TagBytes.apeItem("Title", Array("old".utf8))])
            + TagBytes.id3v1(title: Array("old".utf8))
        var edit = TagEdit()
        edit.title = .set("new")
        edit.comment = .remove
        edit.cover = .set(EmbeddedCover(data: [0xFF, 0xD8, 0xFF, 0xE0, 1], mimeType: ""))
        for _ in 0..<250 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] =
                    [
                        0, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &random),
                    ][Int.random(in: 0..<4, using: &random)]
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            let handle = try #require(FileHandle(forReadingAtPath: try folder.write(bytes, as: "file.mp3")))
            do throws(TaggingError) {
                let state = try TagState(descriptor: handle.fileDescriptor)
                let rewrite = try TagRewrite(of: edit, tags: state.tags, descriptor: handle.fileDescriptor)
                #expect(rewrite.kept.upperBound <= bytes.count)
            } catch {
                #expect(error.code == .unsupportedTag)
            }
        }
    }
}
