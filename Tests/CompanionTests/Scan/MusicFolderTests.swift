import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicFiles
import Testing
import TestSupport

/// Scans of a music folder.
@Suite("Music folder")
struct MusicFolderTests {
    private let directory: TemporaryDirectory
    private let folder: MusicFolder

    init() throws {
        directory = try TemporaryDirectory()
        folder = try MusicFolder(path: directory.path)
    }

    private func add(_ name: String) throws {
        let url = directory.url.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(to: url)
    }

    @Test("A scan finds all .mp3 files in any case, at any depth, and nothing else")
    func names() throws {
        for name in ["b.mp3", "A.MP3", "x/y/z/deep.Mp3", "a.mp3/inside.mp3", ".hidden.mp3"] { try add(name) }
        for name in ["mp3", ".mp3", "a.mp3.txt", "a.mp2", "._b.mp3", "amp3"] { try add(name) }
        let contents = folder.scan()
        #expect(
            Set(contents.entries.map(\.path.text))
                == ["b.mp3", "A.MP3", "x/y/z/deep.Mp3", "a.mp3/inside.mp3", ".hidden.mp3"])
        #expect(contents.entries.allSatisfy { $0.isRegular && $0.file.size == 3 })
        #expect(contents.unreadable.isEmpty)
        #expect(contents.folders.map { $0?.text } == [nil, "a.mp3", "x", "x/y", "x/y/z"])
    }

    @Test("Loops of links end, broken links are reported, and pipes are not opened")
    func links() throws {
        try add("real/a.mp3")
        func link(_ name: String, _ target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: directory.file(name), withDestinationPath: target)
        }
        try link("circle", ".")
        try link("real/up", "..")
        try link("also real", "real")
        try link("nothing.mp3", "nowhere")
        try link("nothing.txt", "nowhere")
        try link("loop.mp3", "loop.mp3")
        #expect(mkfifo(directory.file("pipe.mp3"), 0o600) == 0)
        let contents = folder.scan()
        #expect(contents.entries.filter(\.isRegular).count == 1)
        #expect(contents.entries.filter { !$0.isRegular }.map(\.path.text) == ["pipe.mp3"])
        #expect(contents.unreadable.map(\.path.text).sorted() == ["loop.mp3", "nothing.mp3"])
    }

    @Test("The state of a file has its modification time to the nanosecond")
    func state() throws {
        try add("a.mp3")
        let first = try #require(folder.scan().entries.first)
        var status = stat()
        #expect(stat(directory.file("a.mp3"), &status) == 0)
        let nanoseconds = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        #expect(first.file == FileState(size: 3, modificationTimeNanoseconds: nanoseconds))
        #expect(folder.hasFilesChanged(withinSeconds: 60))
        try FileManager.default.setAttributes(
            [.modificationDate: Date() - 100], ofItemAtPath: directory.file("a.mp3"))
        #expect(!folder.hasFilesChanged(withinSeconds: 60))
    }

    @Test("A scan can be cancelled")
    func cancelled() throws {
        for number in 0..<5 { try add("folder \(number)/a.mp3") }
        var asked = 0
        let contents = folder.scan {
            asked += 1
            return asked > 3
        }
        #expect(contents.entries.count == 2)
    }

    @Test("Paths that are not folders are rejected with their path")
    func refused() throws {
        try add("a.mp3")
        for path in [directory.file("a.mp3"), directory.file("nowhere"), ""] {
            let error = #expect(throws: StoreError.self) { try MusicFolder(path: path) }
            #expect(error?.code == .musicFolder)
            #expect(error?.path == path)
        }
    }
}
