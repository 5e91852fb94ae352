import Analyzer
import Foundation
import LibraryStore
import Testing
import TestSupport
@testable import MusicFiles

@testable import Companion
@testable import Tagging

/// Uploaded files, from the received bytes to their final path.
@Suite("Music intake", .timeLimit(.minutes(30)))
struct MusicIntakeTests {
    private static let firstPath = "Band/2001 - Album/01 One.mp3"

    @Test("A track is stored unchanged at the path given by its tags, and is in the library at once")
    func stored() throws {
        let fixture = try IntakeFixture()
        let bytes = try IntakeTracks.first.get()
        let result = try #require(try fixture.take(bytes).first)
        guard case .stored(let path, let id?) = result.outcome else {
            Issue.record("\(result)")
            return
        }
        #expect(path.text == Self.firstPath && fixture.files == [path.text])
        #expect(try fixture.read(path.text) == bytes)
        #expect(try fixture.library.track(id: id)?.track.tags.title == "One")
        #expect(try fixture.library.track(id: id)?.track.audioHash == result.audioHash)
        #expect(abs((result.durationSeconds ?? 0) - 2) < 0.001)
        #expect(fixture.changes == [.added(path, trackID: id)])
        var status = stat()
        #expect(lstat("\(fixture.music.displayPath)/\(path.text)", &status) == 0)
        #expect(status.st_mode & 0o700 == 0o600 && status.st_nlink == 1)
    }

    @Test(
        "A FLAC file gets the requested tags and cover before it is stored, also from a zip",
        arguments: [false, true])
    func flac(inZip: Bool) throws {
        let fixture = try IntakeFixture()
        let flac = try IntegerSound.tones(frameCount: 44_100).flac(["-T", "ARTIST=Band", "-T", "TITLE=Old"])
        let bytes = inZip ? try fixture.zip([("a/My song.FLAC", flac)]) : flac
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 7]
        var edit = TagEdit()
        edit.title = .remove
        edit.album = .set("Album")
        edit.year = .set(2001)
        edit.cover = .set(EmbeddedCover(data: picture, mimeType: ""))
        let result = try #require(
            try fixture.take(bytes, named: inZip ? "x.zip" : "My song.flac", edit: edit).first)
        guard case .stored(let path, let id?) = result.outcome else {
            Issue.record("\(result)")
            return
        }
        // Without a title, the name as uploaded counts, without its extension.
        #expect(path.text == "Band/2001 - Album/My song.flac")
        let file = "\(fixture.music.displayPath)/\(path.text)"
        try ProcessRun.run("flac", ["-ts", file])
        #expect(try ProcessRun.run("metaflac", ["--show-tag=ALBUM", file]).text == "ALBUM=Album\n")
        #expect(try EmbeddedCover.read(from: file)?.data == picture)
        #expect(try fixture.library.track(id: id)?.track.tags.album == "Album")
        guard case .duplicate = try fixture.take(flac, named: "y.flac")[0].outcome else {
            Issue.record("stored twice")
            return
        }
    }

    /// Files that are not playable MP3s, made with other programs.
    private static func bad(_ name: String) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        func ffmpeg(_ arguments: String..., as name: String) throws -> [UInt8] {
            try ProcessRun.run("ffmpeg", ["-v", "error"] + arguments + [directory.file(name)])
            return try directory.read(name)
        }
        let whole = try IntakeTracks.first.get()
        switch name {
        case "jpeg":
            return try ffmpeg("-f", "lavfi", "-i", "testsrc=size=600x600", "-frames:v", "1", as: "a.jpg")
        case "cut wav": return PCM.music(frameCount: 44_100).wav.dropLast(5_000)
        case "mp2":
            return try ffmpeg("-f", "lavfi", "-i", "sine=duration=2", "-c:a", "mp2", as: "a.mp2")
        case "cut flac":
            return try ffmpeg("-f", "lavfi", "-i", "sine=duration=2", as: "a.flac").dropLast(5_000).map { $0 }
        case "html":
            return Array(
                "<!DOCTYPE html><html><body>\(String(repeating: "404 ", count: 5000))</body></html>".utf8)
        case "cut": return Array(whole.prefix(whole.count / 2))
        case "cut at a frame":
            // 96 kbit/s at 44.1 kHz: cut just before the next frame header.
            let header = Array(whole[(whole.count / 2)...]).indices.first { index in
                let at = whole.count / 2 + index
                return whole[at] == 0xFF && whole[at + 1] == 0xFB && whole[at + 2] & 0xF0 == 0x70
            }
            return Array(whole.prefix(whole.count / 2 + (header ?? 0)))
        case "tags only": return Array(whole.prefix(300)) + [UInt8](repeating: 0, count: 5000)
        case "noise": return (0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }
        case "frames in noise":
            let noise = try bad("noise")
            return noise + Array(whole.suffix(5000)) + noise
        default: return []
        }
    }

    @Test(
        "Files that are not complete, playable audio are rejected, and nothing is left behind",
        arguments: [
            ("jpeg", "no_audio"), ("cut wav", "truncated"), ("mp2", "no_audio"), ("cut flac", "truncated"),
            ("html", "no_audio"),
            ("cut", "truncated"), ("cut at a frame", "truncated"), ("tags only", "no_audio"),
            ("noise", "no_audio"),
            ("frames in noise", "no_audio"), ("nothing", "empty_file"),
        ])
    func refused(name: String, code: String) throws {
        let fixture = try IntakeFixture()
        let results = try fixture.take(try Self.bad(name), named: "song.mp3")
        #expect(results.map { $0.refusal?.code.rawValue } == [code], "\(results)")
        #expect(fixture.files.isEmpty && fixture.changes.isEmpty)
        #expect(try fixture.library.trackCount() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.intake.staging.path).isEmpty)
    }

    @Test(
        "Duplicates are reported, not stored, even with other tags; other files with the name get a number"
    )
    func again() throws {
        let fixture = try IntakeFixture()
        let bytes = try IntakeTracks.first.get()
        guard case .stored(_, let id) = try fixture.take(bytes)[0].outcome else {
            Issue.record("not stored")
            return
        }
        var edit = TagEdit()
        edit.title = .set("Other")
        for result in [try fixture.take(bytes)[0], try fixture.take(bytes, edit: edit)[0]] {
            guard case .duplicate(let path, let known) = result.outcome else {
                Issue.record("\(result)")
                return
            }
            #expect(known == id && path.text == Self.firstPath)
        }
        let rival = try IntakeTracks.rival.get()
        guard case .stored(let path, _) = try fixture.take(rival)[0].outcome else {
            Issue.record("not stored")
            return
        }
        #expect(path.text == "Band/2001 - Album/01 One (2).mp3")
        #expect(try fixture.read(Self.firstPath) == bytes && fixture.read(path.text) == rival)
        #expect(fixture.files.count == 2)
    }

    @Test(
        "A duplicate of a file that no pass has seen yet is detected, and other existing files are kept"
    )
    func uncatalogued() throws {
        let fixture = try IntakeFixture()
        let folder = "\(fixture.music.displayPath)/Band/2001 - Album"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let bytes = try IntakeTracks.first.get()
        try Data(bytes).write(to: URL(filePath: "\(folder)/01 One.mp3"))
        guard case .duplicate(let path, let id?) = try fixture.take(bytes)[0].outcome else {
            Issue.record("not a duplicate")
            return
        }
        #expect(path.text == Self.firstPath)
        #expect(try fixture.library.track(id: id)?.track.path == path)
        try Data("mine".utf8).write(to: URL(filePath: "\(folder)/01 One.mp3"))
        guard case .stored(let second, _) = try fixture.take(bytes)[0].outcome else {
            Issue.record("not stored")
            return
        }
        #expect(second.text.hasSuffix("01 One (2).mp3"))
        #expect(try fixture.read(Self.firstPath) == Array("mine".utf8))
    }

    @Test("Tags are written before a file is named, its audio is unchanged, and invalid values are rejected")
    func tagged() throws {
        let fixture = try IntakeFixture()
        let bytes = try IntakeTracks.untagged.get()
        var edit = TagEdit()
        edit.title = .set("Näme / <b>")
        edit.albumArtist = .set("=cmd|' /C calc'!A0")
        edit.year = .set(1984)
        let result = try fixture.take(bytes, edit: edit)[0]
        guard case .stored(let path, let id?) = result.outcome else {
            Issue.record("\(result)")
            return
        }
        #expect(path.text == "=cmd_' _C calc'!A0/1984 - Unknown Album/Näme _ _b_.mp3")
        #expect(try fixture.library.track(id: id)?.track.tags.title == "Näme / <b>")
        #expect(try fixture.read(path.text).suffix(bytes.count).elementsEqual(bytes))
        var bad = TagEdit()
        bad.title = .set("a\u{0}b")
        let refusal = try #require(try fixture.take(IntakeTracks.second.get(), edit: bad)[0].refusal)
        #expect(refusal.code == .invalidValue && refusal.field == "title")
        #expect(fixture.files.count == 1)
    }

    @Test("Nothing is written through a link, and blocking files are kept")
    func links() throws {
        let fixture = try IntakeFixture()
        let outside = fixture.directory.file("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        let link = "\(fixture.music.displayPath)/Band"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside)
        let bytes = try IntakeTracks.first.get()
        #expect(try fixture.take(bytes)[0].refusal?.code == .folderBlocked)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
        try FileManager.default.removeItem(atPath: link)
        try Data("a file".utf8).write(to: URL(filePath: link))
        #expect(try fixture.take(bytes)[0].refusal?.code == .folderBlocked)
        #expect(try fixture.read("Band") == Array("a file".utf8))
        // A link at the path of the file is not overwritten.
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createDirectory(
            atPath: "\(link)/2001 - Album", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(link)/2001 - Album/01 One.mp3", withDestinationPath: "\(outside)/x.mp3")
        guard case .stored(let path, _) = try fixture.take(bytes)[0].outcome else {
            Issue.record("not stored")
            return
        }
        #expect(path.text.hasSuffix("(2).mp3"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    }

    @Test(
        "A file received on another file system can be stored",
        .enabled(if: OtherFileSystem.path != nil))
    func otherFileSystem() throws {
        let other = try #require(OtherFileSystem.path)
        defer { try? FileManager.default.removeItem(atPath: other) }
        let fixture = try IntakeFixture(dataFolder: other)
        let bytes = try IntakeTracks.first.get()
        guard case .stored(let path, _) = try fixture.take(bytes)[0].outcome else {
            Issue.record("not stored")
            return
        }
        #expect(try fixture.read(path.text) == bytes)
        guard case .stored(let second, _) = try fixture.take(try IntakeTracks.rival.get())[0].outcome else {
            Issue.record("not stored")
            return
        }
        #expect(second.text.hasSuffix("(2).mp3") && fixture.files.count == 2)
    }

    @Test("Uploads are rejected if the disk would be too full, and files that are too large while receiving")
    func limits() throws {
        var limits = IntakeLimits()
        limits.fileBytes = 5000
        let fixture = try IntakeFixture(limits)
        #expect(throws: IntakeError.self) { try fixture.intake.requireSpace(for: 1 << 60) }
        #expect(throws: Never.self) { try fixture.intake.requireSpace(for: 1000) }
        #expect(try fixture.take(IntakeTracks.first.get())[0].refusal?.code == .tooLarge)
        #expect(fixture.files.isEmpty)
    }

    @Test("Leftovers of a killed process are removed, but not files in use")
    func leftovers() throws {
        let fixture = try IntakeFixture()
        let area = fixture.intake.staging
        let batch = try fixture.intake.makeBatch()
        let dead = "\(area.path)/\(StagingArea.batchPrefix)0123"
        try FileManager.default.createDirectory(atPath: dead, withIntermediateDirectories: true)
        try Data("half".utf8).write(to: URL(filePath: "\(dead)/1.mp3"))
        #expect(area.removeLeftovers() == 1)
        #expect(FileManager.default.fileExists(atPath: batch.path))
        var status = stat()
        #expect(lstat(area.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
    }
}

/// A folder on another file system than the tests' temporary folder, if there is one.
private enum OtherFileSystem {
    static let path: String? = {
        var own = stat()
        var other = stat()
        guard stat(FileManager.default.temporaryDirectory.path(percentEncoded: false), &own) == 0,
            stat("/dev/shm", &other) == 0, own.st_dev != other.st_dev, access("/dev/shm", W_OK) == 0
        else { return nil }
        return "/dev/shm/test-\(UUID().uuidString)"
    }()
}
