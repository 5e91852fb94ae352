import Foundation
import TestSupport
import Testing

@testable import Companion
@testable import Tagging

/// Zips of music, and of what is none.
@Suite("Taking zips in", .timeLimit(.minutes(30)))
struct ZipIntakeTests {
    @Test(
        "Of a zip, tracks are stored each by itself, with a result for each file", arguments: [false, true])
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
            case .ignored: "ignored"
            case .refused(let error): error.code.rawValue
            }
        }
        #expect(
            words == [
                "stored Band/2001 - Album/01 One.mp3", "ignored", "stored Band/2001 - Album/02 Two.mp3",
                "not_mp3",
                "duplicate", "nested_archive",
            ])
        #expect(results.map(\.fileName)[2] == "music.zip/../../../../tmp/escaped.MP3")
        #expect(fixture.files.count == 2 && fixture.changes.count == 2)
        #expect(try fixture.read("Band/2001 - Album/02 Two.mp3") == second)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.intake.staging.path).isEmpty)
    }

    @Test("Zips that grow beyond all music are given up early")
    func bombs() throws {
        // 1000 to 1, as deflate does at best.
        let zeros = [UInt8](repeating: 0, count: 120 << 20)
        var limits = IntakeLimits()
        let fixture = try IntakeFixture(limits)
        let bomb = try fixture.zip([("1.mp3", zeros), ("2.mp3", zeros)], deflated: true)
        #expect(bomb.count < 1 << 20)
        #expect(try fixture.take(bomb, named: "b.zip").last?.refusal?.code == .archiveBomb)
        // Files that are not wanted are counted too.
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

    @Test("A damaged zip says so, and what came before the damage is stored and told")
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
}
