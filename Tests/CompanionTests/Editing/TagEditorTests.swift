import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicFiles
import Tagging
import Testing
import TestSupport

/// Edits of whole files, verified with independent programs.
@Suite("Tag editor")
struct TagEditorTests {
    private static let piece = Result { try Encoders.lame(PCM.music(frameCount: 44_100 * 2), ["-b", "128"]) }

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
        track = try #require(RelativePath(text: "album/track.mp3"))
        try directory.write(try Self.piece.get(), as: "music/album/track.mp3")
    }

    private var file: String { directory.file("music/album/track.mp3") }

    private func edit(_ change: (inout TagEdit) -> Void) -> TagEdit {
        var edit = TagEdit()
        change(&edit)
        return edit
    }

    private func decoded() throws -> Data { try ProcessRun.run("mpg123", ["-q", "-s", file]).output }

    private func ffprobe() throws -> [String: String] {
        struct Answer: Decodable {
            struct Format: Decodable { var tags: [String: String]? }
            var format: Format
        }
        let run = try ProcessRun.run("ffprobe", ["-v", "error", "-show_format", "-of", "json", file])
        return try JSONDecoder().decode(Answer.self, from: run.output).format.tags ?? [:]
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.file("music/album"))
    }

    private func errorCode(_ edit: TagEdit, _ path: String = "album/track.mp3") -> TagEditError.Code? {
        guard let path = RelativePath(text: path) else { return nil }
        do throws(TagEditError) {
            _ = try editor.apply(edit, to: path)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("ffprobe reads all fields as they were set, and the decoded audio is bit-identical")
    func allFields() throws {
        let before = try decoded()
        let frames = try ProcessRun.run("ffmpeg", ["-v", "error", "-i", file, "-f", "md5", "-"]).text
        let edited = try editor.apply(
            edit {
                $0.title = .set("Tïtle 🎺 כותרת")
                $0.artist = .set("Artist")
                $0.album = .set("Album")
                $0.albumArtist = .set("Album Artist")
                $0.trackNumber = .set(3)
                $0.trackTotal = .set(12)
                $0.discNumber = .set(1)
                $0.discTotal = .set(2)
                $0.year = .set(1973)
                $0.genre = .set("Jazz")
                $0.comment = .set("first line\nsecond line")
                $0.composer = .set("作曲家")
            }, to: track)
        let tags = try ffprobe()
        #expect(tags["title"] == "Tïtle 🎺 כותרת" && tags["artist"] == "Artist" && tags["album"] == "Album")
        #expect(tags["album_artist"] == "Album Artist" && tags["track"] == "3/12" && tags["disc"] == "1/2")
        #expect(tags["date"] == "1973" && tags["genre"] == "Jazz" && tags["composer"] == "作曲家")
        #expect(tags["comment"] == "first line\nsecond line")
        #expect(try decoded() == before && !before.isEmpty)
        #expect(try ProcessRun.run("ffmpeg", ["-v", "error", "-i", file, "-f", "md5", "-"]).text == frames)
        #expect(edited.isChanged && edited.file != edited.previousFile && edited.payloadOffset > 0)
        #expect(try names() == ["track.mp3"])

        // The same edit again changes nothing, not even the modification time.
        let again = try editor.apply(edit { $0.title = .set("Tïtle 🎺 כותרת") }, to: track)
        #expect(!again.isChanged && again.file == edited.file && again.previousFile == edited.file)

        let removed = try editor.apply(
            edit {
                $0.title = .remove
                $0.trackTotal = .remove
                $0.year = .remove
                $0.comment = .remove
            }, to: track, expecting: edited.file)
        let left = try ffprobe()
        #expect(left["title"] == nil && left["date"] == nil && left["comment"] == nil)
        #expect(left["track"] == "3" && left["artist"] == "Artist")
        #expect(removed.tags.track == NumberInSet(number: 3))
        #expect(try decoded() == before)
    }

    @Test(
        "A cover can be set, replaced and removed, verified with ffmpeg",
        arguments: [[], ["--id3v2-only", "--tt", "x"]])
    func covers(options: [String]) throws {
        try directory.write(
            try Encoders.lame(PCM.music(frameCount: 44_100), ["-b", "64"] + options),
            as: "music/album/track.mp3")
        let before = try decoded()
        for format in ["png", "mjpeg"] {
            let picture = directory.file("cover.\(format)")
            try ProcessRun.run(
                "ffmpeg",
                [
                    "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=64x64", "-frames:v", "1", "-c:v",
                    format,
                ]
                    + ["-f", "image2", picture])
            let data = try directory.read("cover.\(format)")
            _ = try editor.apply(edit { $0.cover = .set(EmbeddedCover(data: data, mimeType: "")) }, to: track)
            try ProcessRun.run(
                "ffmpeg",
                [
                    "-v", "error", "-y", "-i", file, "-map", "0:v", "-c", "copy", "-f", "image2",
                    directory.file("out"),
                ])
            #expect(try directory.read("out") == data)
            #expect(
                try EmbeddedCover.read(from: file)?.mimeType == (format == "png" ? "image/png" : "image/jpeg")
            )
        }
        let edited = try editor.apply(edit { $0.cover = .remove }, to: track)
        #expect(!edited.tags.hasCover)
        #expect(try decoded() == before)
    }

    @Test("After an edit a pass decodes nothing; if the edit was recorded, it has nothing to do")
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
        let known = try pass()
        #expect(known.unchangedCount == 1 && known.linkedCount == 0)
        let title = try ProcessRun.run(
            "sqlite3", [directory.file("data/library.sqlite"), "SELECT title FROM tracks"]
        ).text
        #expect(title == "two\n")
    }

    @Test("Errors have the right codes, and the file is not changed")
    func errors() throws {
        let before = try directory.read("music/album/track.mp3")
        let title = edit { $0.title = .set("new") }
        try directory.write(Array("no music".utf8), as: "music/album/none.mp3")
        try directory.write(before, as: "outside.mp3")
        let files = FileManager.default
        try files.createSymbolicLink(
            atPath: directory.file("music/out.mp3"), withDestinationPath: directory.file("outside.mp3"))
        #expect(errorCode(title, "album/none.mp3") == .noAudio)
        #expect(errorCode(title, "album/absent.mp3") == .notFound)
        #expect(errorCode(title, "album") == .notARegularFile)
        #expect(errorCode(title, "out.mp3") == .outsideMusicFolder)
        #expect(try directory.read("outside.mp3") == before)
        #expect(throws: TagEditError.self) {
            try editor.apply(title, to: track, expecting: FileState(size: 1, modificationTimeNanoseconds: 1))
        }
        try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
        #expect(errorCode(title) == .readOnly)
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let writer = try #require(FileHandle(forUpdatingAtPath: file))
        #expect(errorCode(title) == .busy)
        try writer.close()
        #expect(try directory.read("music/album/track.mp3") == before)
        #expect(try names().sorted() == ["none.mp3", "track.mp3"])
    }

    @Test(
        "Values that are not allowed in tags are rejected with their field",
        arguments: [
            "", "  ", "a\0b", "two\nlines", "bell\u{7}", "\u{FEFF}mark",
            String(repeating: "long", count: 2_501),
        ])
    func invalidTexts(text: String) throws {
        do throws(TagEditError) {
            _ = try editor.apply(edit { $0.album = .set(text) }, to: track)
            Issue.record("was accepted")
        } catch {
            #expect(error.code == .invalidValue && error.field == .album)
        }
    }

    @Test("Owner, mode and attributes are kept; links are followed to the file")
    func attributes() throws {
        let files = FileManager.default
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        let isRoot = geteuid() == 0
        if isRoot { #expect(chown(file, 1234, 2345) == 0) }
        try files.createSymbolicLink(
            atPath: directory.file("music/link.mp3"), withDestinationPath: "album/track.mp3")
        try files.linkItem(atPath: file, toPath: directory.file("music/hard.mp3"))
        let old = try directory.read("music/hard.mp3")
        let link = try #require(RelativePath(text: "link.mp3"))
        let edited = try editor.apply(edit { $0.title = .set("new") }, to: link)
        #expect(edited.hadFurtherNames)
        var status = stat()
        #expect(lstat(directory.file("music/link.mp3"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(lstat(file, &status) == 0 && status.st_mode & 0o7777 == 0o640)
        if isRoot { #expect(status.st_uid == 1234 && status.st_gid == 2345) }
        #expect(try TrackTags.read(from: file).title == "new")
        #expect(try directory.read("music/hard.mp3") == old)
    }

    @Test("A batch has a result for each file")
    func batch() throws {
        try directory.write(try Self.piece.get(), as: "music/album/second.mp3")
        let requests = ["album/track.mp3", "album/absent.mp3", "album/second.mp3"].compactMap {
            RelativePath(text: $0).map {
                TagEditRequest(path: $0, edit: edit { $0.albumArtist = .set("Various") })
            }
        }
        var reported: [Int] = []
        let results = editor.apply(requests, report: { index, _ in reported.append(index) })
        #expect(reported == [0, 1, 2])
        #expect(results.map { (try? $0.get())?.tags.albumArtist } == ["Various", nil, "Various"])
    }

    @Test(
        "Hostile texts read back unchanged in ID3v2.3 and 2.4, also with ffprobe",
        arguments: ["--id3v2-only", "--add-id3v2"])
    func hostileTexts(option: String) throws {
        try directory.write(
            try Encoders.lame(PCM.music(frameCount: 44_100), ["-b", "64", "--tt", "x", option]),
            as: "music/album/track.mp3")
        let before = try decoded()
        let texts = [
            "👩‍👩‍👧‍👦🏴‍☠️", "\u{202E}מימין לשמאל", "'; DROP TABLE tracks; --", "<script>&amp;</script>", "e\u{301} é",
            "../../etc/passwd",
            "%n%s%x", String(repeating: "長", count: 3_333), "a/b\\c", "0", "(17)", "\u{FFFE}\u{10FFFF}",
        ]
        for text in texts {
            let edited = try editor.apply(
                edit {
                    $0.title = .set(text)
                    $0.comment = .set(text)
                }, to: track)
            let tags = edited.tags
            #expect(tags.title?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
            // ffprobe's JSON cannot represent noncharacters.
            if !text.hasPrefix("\u{FFFE}") {
                #expect(try ffprobe()["title"]?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
            }
        }
        #expect(try decoded() == before)
    }

    @Test("A genre that would be read as an ID3v1 genre number is rejected, and nothing changes")
    func genreNumber() throws {
        let before = try directory.read("music/album/track.mp3")
        #expect(errorCode(edit { $0.genre = .set("17") }) == .valueNotKept)
        #expect(try directory.read("music/album/track.mp3") == before)
        #expect(try names() == ["track.mp3"])
    }

    @Test("Each of several concurrent edits succeeds or fails completely")
    func concurrentEdits() async throws {
        let codes = await withTaskGroup(of: TagEditError.Code?.self) { group in
            for number in 0..<24 {
                group.addTask {
                    errorCode(
                        edit {
                            $0.title = .set("title \(number)")
                            $0.artist = .set("artist \(number)")
                        })
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.contains(nil))
        #expect(codes.allSatisfy { [nil, .busy, .changedMeanwhile].contains($0) })
        let tags = try TrackTags.read(from: file)
        #expect(tags.title?.split(separator: " ").last == tags.artist?.split(separator: " ").last)
        #expect(try directory.read("music/album/track.mp3").suffix(20_000) == Self.piece.get().suffix(20_000))
        #expect(try names() == ["track.mp3"])
    }
}
