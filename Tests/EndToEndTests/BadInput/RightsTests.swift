import Foundation
import TestSupport
import Testing

/// Files and folders that the user may not read. Root may read all, so that the program then runs as nobody.
@Suite("Rights")
struct RightsTests {
    /// A command that runs another without root's rights; nil where it cannot be found.
    private static let asNobody: [String]? = {
        guard getuid() == 0 else { return [] }
        let command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let trial = try? ProcessRun.run("env", command + [AnalyzeCLI.path, "--version"], mustSucceed: false)
        return trial?.status == 0 ? command : nil
    }()

    @Test(
        "An unreadable file and folder are told of, the rest is analysed, and once readable they follow",
        .enabled(if: asNobody != nil, "neither without root's rights nor able to give them up by setpriv"))
    func unreadable() throws {
        let fixture = try MusicFixture()
        try fixture.add(MadeMusic.pieces[0], as: "open.mp3")
        try fixture.add(MadeMusic.pieces[1], as: "closed.mp3")
        try fixture.add(MadeMusic.pieces[2], as: "shut/inside.mp3")
        try FileManager.default.createDirectory(atPath: fixture.data, withIntermediateDirectories: true)
        try ProcessRun.run("chmod", ["777", fixture.data])
        let wrapper = try #require(Self.asNobody)
        #expect(try fixture.pass(wrapper: wrapper).status == 0)
        try ProcessRun.run("chmod", ["0", fixture.file("closed.mp3"), fixture.file("shut")])
        defer { _ = try? ProcessRun.run("chmod", ["755", fixture.file("shut")]) }

        // Known before: nothing has to be read, and what is in a closed folder is not thought to be gone.
        let known = try fixture.pass("--json", wrapper: wrapper)
        #expect(known.status == 1)
        #expect(known.errors.contains("failed    shut: cannot be read: Permission denied"), "\(known.errors)")
        #expect(
            try fixture.databases.count("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL") == 3
        )

        // Not known before.
        let forced = try fixture.pass("--force", "--json", wrapper: wrapper)
        #expect(forced.status == 1)
        let lines = try TrackLine.byPath(forced)
        #expect(lines["open.mp3"]?.error == nil && lines["open.mp3"] != nil)
        for path in ["closed.mp3", "shut"] {
            #expect(lines[path]?.reason?.contains("Permission denied") == true, "\(path)")
            #expect(forced.errors.contains("failed    \(path): "))
        }

        // Opening them changes neither size nor time of the file.
        try ProcessRun.run("chmod", ["755", fixture.file("closed.mp3"), fixture.file("shut")])
        let opened = try fixture.pass("--json", wrapper: wrapper)
        #expect(opened.status == 0, "\(opened.errors)")
        #expect(try TrackLine.all(opened).count == 3)
    }

    @Test(
        "A music folder and a data folder without rights are named",
        .enabled(if: asNobody != nil, "neither without root's rights nor able to give them up by setpriv"))
    func closedFolders() throws {
        let wrapper = try #require(Self.asNobody)
        let fixture = try MusicFixture(pieces: 0..<1)
        let data = try fixture.pass(wrapper: wrapper)
        #expect(data.status == 2)
        #expect(data.errors.contains("data"), "\(data.errors)")
        try ProcessRun.run("chmod", ["0", fixture.music])
        defer { _ = try? ProcessRun.run("chmod", ["755", fixture.music]) }
        let music = try fixture.pass(wrapper: wrapper)
        #expect(music.status == 2)
        #expect(music.errors.contains(fixture.music) && music.errors.contains("Permission denied"))
    }
}
