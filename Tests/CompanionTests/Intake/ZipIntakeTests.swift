import Foundation
import LibraryStore
import Testing
import TestSupport
@testable import MusicFiles

@testable import Companion
@testable import Tagging

/// Zips with music and with other files.
@Suite("Zip intake", .timeLimit(.minutes(30)))
struct ZipIntakeTests {
    @Test(
        "Tracks of a zip are stored one by one, with a result for each file", arguments: [false, true])
    func stored(deflated: Bool) throws {
        let fixture = try IntakeFixture()
        let first = try IntakeTracks.first.get()
        let second = try IntakeTracks.second.get()
        let zip = try fixture.zip(
            [
                ("Album/01.mp3", first), ("Album/cover.jpg", [1, 2, 3]),
                ("../../../../tmp/escaped.MP3", second),
                ("Album/bad.mp3", Array("no music".utf8)), ("__MACOSX/Album/._01.mp3", [0, 5]),
                ("Album/.DS_Store", [0]),
                ("again/01.mp3", first), ("in.zip", [0x50, 0x4B, 5, 6]), ("folder/", []),
            ], deflated: deflated)
        let results = try fixture.take(zip, named: "music.zip")
        let words = results.map { result -> String in
            switch result.outcome {
            case .stored(let path, _): "stored \(path.text)"
            case .duplicate: "duplicate"
            case .cover(let path): "cover \(path.text)"
            case .ignored: "ignored"
            case .refused(let error): error.code.rawValue
            }
        }
        #expect(
            words == [
                "stored Band/2001 - Album/01 One.mp3", "ignored", "stored Band/2001 - Album/02 Two.mp3",
                "no_audio",
                "duplicate", "nested_archive",
            ])
        #expect(results.map(\.fileName)[2] == "music.zip/../../../../tmp/escaped.MP3")
        #expect(fixture.files.count == 2 && fixture.changes.count == 2)
        #expect(try fixture.read("Band/2001 - Album/02 Two.mp3") == second)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.intake.staging.path).isEmpty)
    }

    @Test("Zip bombs are rejected early")
    func bombs() throws {
        // 1000 to 1, the best ratio of deflate.
        let zeros = [UInt8](repeating: 0, count: 120 << 20)
        var limits = IntakeLimits()
        let fixture = try IntakeFixture(limits)
        let bomb = try fixture.zip([("1.mp3", zeros), ("2.mp3", zeros)], deflated: true)
        #expect(bomb.count < 1 << 20)
        #expect(try fixture.take(bomb, named: "b.zip").last?.refusal?.code == .archiveBomb)
        // Files of other kinds count too.
        let aside = try fixture.zip([("1.bin", zeros), ("2.bin", zeros)], deflated: true)
        #expect(try fixture.take(aside, named: "b.zip").last?.refusal?.code == .archiveBomb)
        limits.unpackedBytes = 10_000
        let small = try IntakeFixture(limits)
        let plain = try small.zip([("1.mp3", IntakeTracks.first.get())])
        #expect(try small.take(plain, named: "b.zip").last?.refusal?.code == .archiveBomb)
        limits = IntakeLimits()
        limits.zipEntries = 5
        let crowded = try IntakeFixture(limits)
        let many = try crowded.zip((0..<6).map { ("\($0).txt", []) })
        #expect(try crowded.take(many, named: "b.zip").last?.refusal?.code == .tooManyFiles)
        limits = IntakeLimits()
        limits.files = 2
        let few = try IntakeFixture(limits)
        let three = try few.zip((0..<3).map { ("\($0).mp3", [1]) })
        #expect(try few.take(three, named: "b.zip").last?.refusal?.code == .tooManyFiles)
        #expect(fixture.files.isEmpty && small.files.isEmpty && few.files.isEmpty)
    }

    @Test("A damaged zip is reported, and the files before the damage are stored and reported")
    func damaged() throws {
        let fixture = try IntakeFixture()
        let zip = try fixture.zip([("1.mp3", IntakeTracks.first.get()), ("2.mp3", IntakeTracks.second.get())])
        let results = try fixture.take(Array(zip.prefix(zip.count * 3 / 5)), named: "cut.zip")
        #expect(results.count >= 2 && fixture.files.count == 1 && results[0].refusal == nil)
        #expect([.unreadableEntry, .damagedArchive].contains(results.last?.refusal?.code))
        #expect(
            try fixture.take(Array("PK".utf8) + [3, 4, 9, 9, 9], named: "x.zip")[0].refusal?.code
                == .damagedArchive)
        #expect(try fixture.take(fixture.zip([]), named: "empty.zip")[0].refusal != nil)
    }

    /// The start of a JPEG and of a PNG, long enough to be recognised.
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 100)
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 2, count: 100)

    @Test("A cover is stored with the album's tracks, whatever its position in the zip")
    func cover() throws {
        let first = try IntakeTracks.first.get()
        let second = try IntakeTracks.second.get()
        for isFirst in [true, false] {
            let fixture = try IntakeFixture()
            let picture = ("Album/Folder.PNG", Self.png)
            let tracks = [("Album/CD1/01.mp3", first), ("Album/CD1/02.mp3", second)]
            let zip = try fixture.zip(isFirst ? [picture] + tracks : tracks + [picture])
            let results = try fixture.take(zip, named: "a.zip")
            #expect(results.count == 3)
            #expect(try fixture.read("Band/2001 - Album/folder.png") == Self.png)
            #expect(fixture.files.count == 3 && fixture.changes.count == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.intake.staging.path).isEmpty)
        }
    }

    @Test("An existing cover is kept, whatever its name; the best of several is used")
    func coverIsKept() throws {
        let fixture = try IntakeFixture()
        let first = try IntakeTracks.first.get()
        let zip = try fixture.zip([
            ("front.jpg", Self.jpeg + [1]), ("cover.jpg", Self.jpeg), ("1.mp3", first),
            ("folder.jpg", Self.jpeg + [2]),
        ])
        _ = try fixture.take(zip, named: "a.zip")
        #expect(try fixture.read("Band/2001 - Album/cover.jpg") == Self.jpeg)
        #expect(fixture.files.count == 2)
        // The second track comes with another cover that has a better name.
        let next = try fixture.zip([("2.mp3", IntakeTracks.second.get()), ("cover.png", Self.png)])
        _ = try fixture.take(next, named: "b.zip")
        #expect(try fixture.read("Band/2001 - Album/cover.jpg") == Self.jpeg)
        #expect(fixture.files.count == 3)
    }

    @Test("Covers that are not pictures, or belong to no album or to several, are ignored")
    func noCover() throws {
        let first = try IntakeTracks.first.get()
        for entries in [
            [("1.mp3", first), ("cover.jpg", Array("<html>".utf8))],
            [("a/1.mp3", first), ("b/cover.jpg", Self.jpeg)],
            [("1.mp3", first), ("photo.jpg", Self.jpeg)],
            [("1.mp3", first), ("2.mp3", try IntakeTracks.untagged.get()), ("cover.jpg", Self.jpeg)],
        ] {
            let fixture = try IntakeFixture()
            _ = try fixture.take(fixture.zip(entries), named: "a.zip")
            #expect(fixture.files.allSatisfy { $0.hasSuffix(".mp3") }, "\(fixture.files)")
        }
    }
}
