import Foundation
import TestSupport
import Testing

/// The music folder argument, and the files in it.
@Suite("Music folder")
struct MusicFolderTests {
    @Test("A folder that does not exist, is a file or contains no MP3 ends with 2 and is named")
    func unusable() throws {
        let fixture = try MusicFixture()
        try fixture.add(Array("a letter".utf8), as: "letter.txt")
        try fixture.add(Array("resource fork".utf8), as: "._music.mp3")
        for (folder, words) in [
            (fixture.file("nowhere"), "No such file"), (fixture.file("letter.txt"), "is not a folder"),
            (fixture.music, "contains no .mp3, .flac or .m4a files"),
        ] {
            let run = try AnalyzeCLI.run(folder, "--data", fixture.data)
            #expect(run.status == 2)
            #expect(run.errors.contains(folder) && run.errors.contains(words), "\(run.errors)")
            #expect(run.output.isEmpty)
        }
    }

    @Test("A library on an unmounted disk keeps its tracks")
    func emptied() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        #expect(try fixture.pass().status == 0)
        for number in 0..<2 { try fixture.remove("\(number).mp3") }
        #expect(try fixture.pass().status == 2)
        #expect(
            try fixture.databases.count("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL") == 2
        )
    }

    @Test("Files with any kind of name are found by show, list and export")
    func names() throws {
        let fixture = try MusicFixture()
        let names = [
            "new\nline.mp3", "quo\"te 'n' quote.mp3", "-leading-dash.mp3", "--help.mp3", "é.mp3",
            "e\u{301}.mp3",
        ]
        for (number, name) in names.enumerated() { try fixture.add(MadeMusic.pieces[number], as: name) }
        try fixture.link(names[0], as: [0x6C, 0xE9, 0x2E, 0x6D, 0x70, 0x33])  // Latin-1
        let found = try TrackLine.all(fixture.pass("--json")).map(\.path)
        // As bytes: Swift considers the two accents equal.
        let all = names + ["l\u{FFFD}E9.mp3"]
        #expect(Set(found.map { Array($0.utf8) }) == Set(all.map { Array($0.utf8) }))
        for name in found {
            let run = try AnalyzeCLI.run("show", "--json", "--data", fixture.data, "--", name)
            #expect(run.status == 0, "\(name): \(run.errors)")
            #expect(try TrackLine.all(run).first?.path.utf8.elementsEqual(name.utf8) == true)
        }
        #expect(try AnalyzeCLI.run("list", "--data", fixture.data).outputLines.count == names.count + 2)
        #expect(try fixture.pass().errors.contains("0 to analyse"))
    }

    @Test("Links are followed once each: a loop ends, and music in a linked folder counts once")
    func links() throws {
        let fixture = try MusicFixture()
        try fixture.add(MadeMusic.pieces[0], as: "album/a.mp3")
        for (name, target) in [("album/up", ".."), ("here", "."), ("again", "album")] {
            try FileManager.default.createSymbolicLink(
                atPath: fixture.file(name), withDestinationPath: target)
        }
        try FileManager.default.createSymbolicLink(
            atPath: fixture.file("linked.mp3"), withDestinationPath: "album/a.mp3")
        let run = try fixture.pass("--json")
        #expect(run.status == 0)
        let lines = try TrackLine.byPath(run)
        #expect(lines.count == 2)
        #expect(Set(lines.values.map(\.audioHash)).count == 1)
        #expect(lines["linked.mp3"] != nil)
    }
}
