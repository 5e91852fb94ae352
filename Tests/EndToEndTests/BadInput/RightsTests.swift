import Foundation
import TestSupport
import Testing

/// Files and folders that the user cannot read. Root can read everything, so the program then runs as an unprivileged user.
@Suite("Rights")
struct RightsTests {
    /// A command that runs another one without root privileges; nil if not available.
    private static let asNobody: [String]? = {
        guard getuid() == 0 else { return [] }
        let command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let trial = try? ProcessRun.run("env", command + [AnalyzeCLI.path, "--version"], mustSucceed: false)
        return trial?.status == 0 ? command : nil
    }()

    @Test(
        "Unreadable files and folders are reported, the rest is analysed, and they are analysed once readable",
        .enabled(if: asNobody != nil, "already without root privileges, or setpriv is missing"))
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

        // Previously analysed: nothing has to be read, and files in an unreadable folder are not treated as deleted.
        let known = try fixture.pass("--json", wrapper: wrapper)
        #expect(known.status == 1)
        #expect(known.errors.contains("failed    shut: cannot be read: Permission denied"), "\(known.errors)")
        #expect(
            try fixture.databases.count("SELECT count(*) FROM tracks WHERE unavailable_since_ms IS NULL") == 3
        )

        // Forced: everything has to be read.
        let forced = try fixture.pass("--force", "--json", wrapper: wrapper)
        #expect(forced.status == 1)
        let lines = try TrackLine.byPath(forced)
        #expect(lines["open.mp3"]?.error == nil && lines["open.mp3"] != nil)
        for path in ["closed.mp3", "shut"] {
            #expect(lines[path]?.reason?.contains("Permission denied") == true, "\(path)")
            #expect(forced.errors.contains("failed    \(path): "))
        }

        // Making them readable changes neither size nor time of the file.
        try ProcessRun.run("chmod", ["755", fixture.file("closed.mp3"), fixture.file("shut")])
        let opened = try fixture.pass("--json", wrapper: wrapper)
        #expect(opened.status == 0, "\(opened.errors)")
        #expect(try TrackLine.all(opened).count == 3)
    }

    @Test(
        "An inaccessible music folder or data folder is named in the error",
        .enabled(if: asNobody != nil, "already without root privileges, or setpriv is missing"))
    func closedFolders() throws {
        let wrapper = try #require(Self.asNobody)
        let fixture = try MusicFixture(pieces: 0..<1)
        try FileManager.default.createDirectory(atPath: fixture.data, withIntermediateDirectories: true)
        try ProcessRun.run("chmod", ["0", fixture.data])
        let data = try fixture.pass(wrapper: wrapper)
        try ProcessRun.run("chmod", ["755", fixture.data])
        #expect(data.status == 2)
        #expect(
            data.errors.contains(fixture.data) && data.errors.contains("ermission denied"), "\(data.errors)")
        try ProcessRun.run("chmod", ["0", fixture.music])
        defer { _ = try? ProcessRun.run("chmod", ["755", fixture.music]) }
        let music = try fixture.pass(wrapper: wrapper)
        #expect(music.status == 2)
        #expect(music.errors.contains(fixture.music) && music.errors.contains("Permission denied"))
    }
}
