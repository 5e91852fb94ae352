import Foundation
import TestSupport
import Testing

/// Folders that are missing during a pass must not lose their tracks.
@Suite("Unavailable folders")
struct UnavailableFolderTests {
    private func available(_ fixture: MusicFixture) throws -> Int {
        try fixture.databases.count("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL")
    }

    @Test(
        "A dangling link to a folder keeps its tracks, with status 3 and a message, until their removal is confirmed"
    )
    func danglingLink() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        let disk = try TemporaryDirectory()
        _ = try disk.makeFolder("there", of: (2..<5).map { ("\($0).mp3", MadeMusic.pieces[$0]) })
        try FileManager.default.createSymbolicLink(
            atPath: fixture.file("linked"), withDestinationPath: disk.file("there"))
        #expect(try fixture.pass().status == 0)
        #expect(try available(fixture) == 5)

        #expect(rename(disk.file("there"), disk.file("away")) == 0)
        let missing = try fixture.pass()
        #expect(missing.status == 3, "\(missing.errors)")
        #expect(try available(fixture) == 5)
        #expect(missing.errors.contains("linked"), "\(missing.errors)")
        #expect(missing.errors.contains("3 tracks"), "\(missing.errors)")
        #expect(missing.errors.contains("--confirm-removed"), "\(missing.errors)")
        // A file that was really deleted next to it is removed.
        try fixture.remove("1.mp3")
        #expect(try fixture.pass().status == 3)
        #expect(try available(fixture) == 4)

        let wrong = try fixture.pass("--confirm-removed", "elsewhere")
        #expect(wrong.status == 3)
        #expect(try available(fixture) == 4)
        let confirmed = try fixture.pass("--confirm-removed", "linked")
        #expect(confirmed.status == 0, "\(confirmed.errors)")
        #expect(try available(fixture) == 1)
        #expect(rename(disk.file("away"), disk.file("there")) == 0)
        let back = try fixture.pass()
        #expect(back.status == 0 && back.errors.contains("0 to analyse"), "\(back.errors)")
        #expect(try available(fixture) == 4)
    }

    @Test(
        "A disk that is not mounted keeps its tracks, even if there are other files in its place",
        .enabled(if: MountedDisks.areAvailable, "mount namespaces are not permitted on this system"),
        arguments: [false, true])
    func notMounted(hasStrayFile: Bool) throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let disk = try TemporaryDirectory()
        for number in 1..<3 { try disk.write(MadeMusic.pieces[number], as: "\(number).mp3") }
        try FileManager.default.createDirectory(
            atPath: fixture.file("disk"), withIntermediateDirectories: true)
        let mounted = MountedDisks.wrapper("mount --bind \"$1\" \"$2\"", disk.path, fixture.file("disk"))
        #expect(try fixture.pass(wrapper: mounted).status == 0)
        #expect(try available(fixture) == 3)
        if hasStrayFile { try fixture.add(MadeMusic.pieces[3], as: "disk/stray.mp3") }
        let expected = hasStrayFile ? 4 : 3
        for _ in 0..<2 {
            let missing = try fixture.pass()
            #expect(missing.status == 3, "\(missing.errors)")
            #expect(missing.errors.contains("not mounted"), "\(missing.errors)")
            #expect(try available(fixture) == expected)
        }
    }

    @Test(
        "A deleted folder is removed; one with most of a large library is removed only after confirmation"
    )
    func deleted() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        for number in 0..<30 {
            for folder in ["Large/A", "Large/B", "Small"] {
                try fixture.add(
                    MusicFixture.tag(title: "\(folder) \(number)") + MadeMusic.pieces[number % 3],
                    as: "\(folder)/\(number).mp3")
            }
        }
        #expect(try fixture.pass().status == 0)
        #expect(try available(fixture) == 92)
        try fixture.remove("Small")
        let small = try fixture.pass()
        #expect(small.status == 0, "\(small.errors)")
        #expect(try available(fixture) == 62)
        try fixture.remove("Large")
        let large = try fixture.pass()
        #expect(large.status == 3, "\(large.errors)")
        #expect(large.errors.contains("Large") && large.errors.contains("60 tracks"), "\(large.errors)")
        #expect(try available(fixture) == 62)
        #expect(try fixture.pass("--confirm-removed", "Large").status == 0)
        #expect(try available(fixture) == 2)
    }
}
