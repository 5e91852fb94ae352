import FileSystem
import Foundation
import TestSupport
import Testing

@Suite("Watched paths")
struct WatchedPathTests {
    private let directory: TemporaryDirectory
    private let watched: WatchedPath
    private var path: String { directory.file("folder/a") }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("folder"), withIntermediateDirectories: true)
        watched = WatchedPath(directory.file("folder/a"))
    }

    @Test("A file that stays the same keeps its version, which is that of its path")
    func same() throws {
        #expect(watched.version == nil)
        try Data("one".utf8).write(to: URL(filePath: path))
        let version = try Files.status(of: path).version
        for _ in 0..<3 { #expect(watched.version == version) }
    }

    /// A change of the file, as a shell command in its folder.
    @Test(
        "Each change of the file is seen at once",
        arguments: [
            "printf two >> a", "printf two > b && mv b a", "mv a b && printf two > a",
            "rm a && printf two > a",
            "ln a c && printf two > b && mv b a", "ln a c && mv a d && printf two > a", "rm a", "mv a b",
            "chmod 600 a && touch -d 2001-01-01 a",
        ])
    func changes(command: String) throws {
        try Data("one".utf8).write(to: URL(filePath: path))
        let before = try #require(watched.version)
        try ProcessRun.run("sh", ["-c", "cd \"$0\" && \(command)", directory.file("folder")])
        let after = watched.version
        #expect(after != before)
        #expect(after == (try? Files.status(of: path).version))
    }

    @Test("Another folder at the same place is seen soon")
    func folder() async throws {
        try Data("one".utf8).write(to: URL(filePath: path))
        let before = try #require(watched.version)
        try ProcessRun.run(
            "sh",
            ["-c", "cd \"$0\" && cp -r folder other && mv folder gone && mv other folder", directory.path])
        let now = try Files.status(of: path).version
        #expect(now != before)
        while watched.version != now { try await Task.sleep(for: .milliseconds(20)) }
    }
}
