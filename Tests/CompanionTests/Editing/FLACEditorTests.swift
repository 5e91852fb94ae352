import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicFiles
import MusicShared
import Tagging
import Testing
import TestSupport

/// Edits of whole FLAC files, verified with flac, metaflac, ffprobe and mutagen.
@Suite("Tag editor on FLAC files")
struct FLACEditorTests {
    private static let piece = Result {
        try IntegerSound.tones(frameCount: 44_100 * 2, bitDepth: 24).flac([
            "-T", "TITLE=first", "-T", "MOOD=blue",
        ])
    }

    private let directory: TemporaryDirectory
    private let music: MusicFolder
    private let editor: TagEditor
    private let track: RelativePath

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music/album"), withIntermediateDirectories: true)
        music = try MusicFolder(path: directory.file("music"))
        editor = TagEditor(music)
        track = try #require(RelativePath(text: "album/track.flac"))
        try directory.write(try Self.piece.get(), as: "music/album/track.flac")
    }

    private var file: String { directory.file("music/album/track.flac") }

    private func edit(_ change: (inout TagEdit) -> Void) -> TagEdit {
        var edit = TagEdit()
        change(&edit)
        return edit
    }

    private func hash() throws -> AudioHash {
        try AudioIdentity(of: MappedFile(path: Array(file.utf8))).audioHash
    }

    /// Decodes the file and compares the samples with the MD5 in STREAMINFO; returns this MD5.
    private func verifiedMD5() throws -> String {
        try ProcessRun.run("flac", ["-ts", file])
        return try ProcessRun.run("metaflac", ["--show-md5sum", file]).text
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.file("music/album"))
    }

    private func error(_ edit: TagEdit, _ path: String = "album/track.flac") -> TagEditError? {
        guard let path = RelativePath(text: path) else { return nil }
        do throws(TagEditError) {
            _ = try editor.apply(edit, to: path)
            return nil
        } catch {
            return error
        }
    }

    @Test("ffprobe reads all fields as they were set; audio, its hash and its MD5 are unchanged")
    func allFields() throws {
        let (before, md5) = (try hash(), try verifiedMD5())
        let edited = try editor.apply(
            edit {
                $0.title = .set("Tïtle 🎺 כותרת")
                $0.albumArtist = .set("Album Artist")
                $0.trackNumber = .set(3)
                $0.trackTotal = .set(12)
                $0.year = .set(1973)
                $0.comment = .set("first line\nsecond line")
            }, to: track)
        let run = try ProcessRun.run(
            "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "json", file])
        struct Answer: Decodable {
            struct Format: Decodable { var tags: [String: String] }
            var format: Format
        }
        let tags = try JSONDecoder().decode(Answer.self, from: run.output).format.tags
        #expect(tags["TITLE"] == "Tïtle 🎺 כותרת" && tags["album_artist"] == "Album Artist")
        #expect(tags["track"] == "3" && tags["TRACKTOTAL"] == "12" && tags["DATE"] == "1973")
        #expect(tags["MOOD"] == "blue" && tags["COMMENT"] ?? tags["comment"] == "first line\nsecond line")
        #expect(try hash() == before && edited.audioHash == before && verifiedMD5() == md5)
        #expect(edited.isChanged && edited.file != edited.previousFile && edited.tags.mood == "blue")
        #expect(try names() == ["track.flac"])
        // The same edit again changes nothing, not even the modification time.
        let again = try editor.apply(edit { $0.year = .set(1973) }, to: track, expecting: edited.file)
        #expect(!again.isChanged && again.file == edited.file)
        #expect(throws: TagEditError.self) {
            try editor.apply(edit { $0.year = .set(1) }, to: track, expecting: edited.previousFile)
        }
    }

    @Test("After an edit a pass decodes nothing")
    func library() throws {
        let data = try DataFolder(path: directory.file("data"))
        func pass() throws -> PassSummary {
            try LibraryPass(music: music, data: data, options: PassOptions()).run()
        }
        #expect(try pass().analyzedCount == 1)
        _ = try editor.apply(edit { $0.title = .set("one") }, to: track)
        let linked = try pass()
        #expect(linked.linkedCount == 1 && linked.analyzedCount == 0)
        let edited = try editor.apply(edit { $0.title = .set("two") }, to: track)
        #expect(try LibraryStore(data).record(edited: [edited]).count == 1)
        #expect(try pass().unchangedCount == 1)
    }

    @Test("A thousand edits in a row: each reads back, and blocks, comments and audio stay")
    func manyEdits() throws {
        let unknown = FLACMetadata.Block(2, Array("test".utf8) + [1, 2, 3])
        var metadata = try #require(FLACMetadata(try Self.piece.get()))
        metadata.blocks.insert(unknown, at: 1)
        metadata.blocks.append(FLACMetadata.pictureBlock(type: 4, [1, 2, 3]))
        try directory.write(metadata.bytes, as: "music/album/track.flac")
        let (before, md5) = (try hash(), try verifiedMD5())
        var random = SeededGenerator(seed: 5)
        func text() -> String {
            let letters = ["a", "ß", "長", "🎺", " ", "=", "\"", "/"]
            return "x"
                + (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    letters[Int.random(in: 0..<letters.count, using: &random)]
                }.joined() + "x"
        }
        func change(_ value: String) -> TagChange<String> {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .remove
            case 1: .set(value)
            default: .leave
            }
        }
        func number(_ limit: Int) -> TagChange<Int> {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .remove
            case 1: .set(Int.random(in: 1...limit, using: &random))
            default: .leave
            }
        }
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        for round in 0..<1_000 {
            var edit = TagEdit()
            edit.title = change(text())
            edit.artist = change(text())
            edit.album = change(text())
            edit.albumArtist = change(text())
            edit.genre = change(text())
            edit.comment = change(text())
            edit.trackNumber = number(99_999)
            edit.trackTotal = number(99_999)
            edit.discNumber = number(9)
            edit.discTotal = number(9)
            edit.year = number(9_999)
            edit.bpm = number(999)
            if round % 7 == 0 {
                let picture = jpeg + (0..<Int.random(in: 1...5_000, using: &random)).map { UInt8($0 & 255) }
                edit.cover = round % 3 == 0 ? .remove : .set(EmbeddedCover(data: picture, mimeType: ""))
            }
            let tags = try TrackTags.read(from: file)
            let edited = try editor.apply(edit, to: track)
            var expected = edit.applied(to: tags)
            expected.hasCover = edited.tags.hasCover
            #expect(edited.tags == expected && edited.audioHash == before, "round \(round)")
            let after = try #require(FLACMetadata(try directory.read("music/album/track.flac")))
            #expect(after.rest == metadata.rest && after.blocks.contains(unknown), "round \(round)")
            #expect(after.comments.contains("MOOD=blue"))
            if round % 50 == 0 { #expect(try verifiedMD5() == md5) }
        }
        #expect(try hash() == before && verifiedMD5() == md5)
        #expect(try names() == ["track.flac"])
    }

    @Test("Errors have the right codes, and the file is not changed")
    func errors() throws {
        let before = try directory.read("music/album/track.flac")
        let title = edit { $0.title = .set("new") }
        try directory.write(Array("fLaC and no music".utf8), as: "music/album/none.flac")
        #expect(error(title, "album/none.flac")?.code == .noAudio)
        let metadata = try #require(FLACMetadata(before))
        try directory.write(before.prefix(before.count - metadata.rest.count), as: "music/album/none.flac")
        #expect(error(title, "album/none.flac")?.code == .noAudio)
        // The tag states a wrong size, so only a search for the marker finds the audio behind it.
        let lying = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 90] + [UInt8](repeating: 0, count: 10)
        try directory.write(lying + before, as: "music/album/none.flac")
        let wrongSize = error(title, "album/none.flac")
        #expect(wrongSize?.code == .unsupportedTag && wrongSize?.message.contains("ID3v2") == true)
        #expect(try directory.read("music/album/none.flac") == lying + before)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
        #expect(error(title)?.code == .readOnly)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 1, count: (16 << 20) - 3)
        let large = error(edit { $0.cover = .set(EmbeddedCover(data: picture, mimeType: "")) })
        #expect(large?.code == .invalidValue && large?.field == .cover)
        #expect(try directory.read("music/album/track.flac") == before)
    }

    @Test("A FLAC file named .mp3 is edited as FLAC")
    func misnamed() throws {
        try directory.write(try Self.piece.get(), as: "music/odd.mp3")
        let path = try #require(RelativePath(text: "odd.mp3"))
        #expect(try editor.apply(edit { $0.title = .set("new") }, to: path).tags.kinds == .vorbis)
        #expect(
            try ProcessRun.run("metaflac", ["--show-tag=TITLE", directory.file("music/odd.mp3")]).text
                == "TITLE=new\n")
    }

    @Test("Lyrics are stored in LYRICS, plain or as LRC, as mutagen reads them")
    func lyrics() async throws {
        let library = LyricsLibrary(music)
        let code = """
            import sys, json
            from mutagen.flac import FLAC
            print(json.dumps([list(each) for each in FLAC(sys.argv[1]).tags if 'LYRICS' in each[0].upper()]))
            """
        func stored() async throws -> [[String]] {
            try JSONDecoder().decode(
                [[String]].self, from: Data(try await PythonTools.run(code, [file]).utf8))
        }
        let (before, md5) = (try hash(), try verifiedMD5())
        #expect(try library.find(track).all.isEmpty)
        let text = "[la:deu]\n[00:01.00]Größe\n[00:02.50]Zwei"
        let written = try library.update(track, LyricsUpdate(lrc: text), source: .comment)
        #expect(written.written?.isSynced == true && written.written?.source == .comment)
        #expect(written.written?.language == "deu")
        #expect(try await stored() == [["LYRICS", text]])
        // The existing place is the default, whatever the language.
        let moved = try library.update(track, LyricsUpdate(offsetSeconds: 0.5, language: "eng"))
        #expect(moved.source == .comment && moved.written?.offsetSeconds == 0.5)
        #expect(try await stored().count == 1 && library.find(track).all.count == 1)
        let plain = try library.update(track, LyricsUpdate(lines: [LyricsLine(text: "just words")]))
        #expect(plain.written?.isSynced == false)
        #expect(try await stored().map { $0[1].hasSuffix("\njust words\n") } == [true])

        // Comments under other names, as other programs write them.
        try ProcessRun.run(
            "metaflac",
            [
                "--remove-tag=LYRICS", "--set-tag=SYNCEDLYRICS=[00:01.00]timed",
                "--set-tag=UNSYNCEDLYRICS=plain", file,
            ])
        #expect(try library.find(track).all.map(\.isSynced) == [true, false])
        _ = try library.update(track, LyricsUpdate(lrc: "[00:03.00]later"))
        #expect(try await stored() == [["SYNCEDLYRICS", "[00:03.00]later"], ["UNSYNCEDLYRICS", "plain"]])
        _ = try library.remove(track)
        #expect(try await stored().isEmpty && library.find(track).all.isEmpty)
        #expect(try hash() == before && verifiedMD5() == md5)
        for source in [LyricsSource.uslt, .sylt] {
            let error = #expect(throws: LyricsError.self) {
                try library.update(track, LyricsUpdate(lrc: "[00:01.00]x"), source: source)
            }
            #expect(error?.code == .invalidLyrics && error?.field == "target")
        }
        try directory.write(
            try Encoders.lame(PCM.music(frameCount: 44_100), ["-b", "64"]), as: "music/a.mp3")
        let error = #expect(throws: LyricsError.self) {
            try library.update(
                try #require(RelativePath(text: "a.mp3")), LyricsUpdate(lrc: "x"), source: .comment)
        }
        #expect(error?.code == .invalidLyrics && error?.field == "target")
    }
}
