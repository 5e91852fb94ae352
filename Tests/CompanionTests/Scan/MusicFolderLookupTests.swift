import Analyzer
import Companion
import Foundation
import LibraryStore
import MusicFiles
import Testing
import TestSupport

/// Lookup of paths that come from clients.
@Suite("Music folder lookup")
struct MusicFolderLookupTests {
    @Test("Files in the folder are found by path; files outside and non-files are not")
    func lookup() throws {
        let directory = try TemporaryDirectory()
        let outside = try TemporaryDirectory()
        let folder = try MusicFolder(path: directory.path)
        let files = FileManager.default
        try files.createDirectory(atPath: directory.file("a/b.mp3"), withIntermediateDirectories: true)
        try directory.write([1, 2, 3], as: "a/one.MP3")
        try directory.write([1], as: "a/text.txt")
        let secret = try outside.write([1], as: "secret.mp3")
        for (link, target) in [
            ("inside.mp3", directory.file("a/one.MP3")), ("folder", directory.file("a")),
            ("outside.mp3", secret), ("elsewhere", outside.path), ("nothing.mp3", directory.file("none")),
            ("circle.mp3", directory.file("circle.mp3")),
        ] { try files.createSymbolicLink(atPath: directory.file(link), withDestinationPath: target) }
        mkfifo(directory.file("pipe.mp3"), 0o600)
        for name in ["a/one.MP3", "inside.mp3", "folder/one.MP3"] {
            let path = try #require(RelativePath(text: name))
            let entry = try #require(folder.entry(at: path), "\(name)")
            #expect(entry.path == path && entry.file.size == 3 && entry.isRegular)
        }
        for name in [
            "a/text.txt", "a/b.mp3", "a", "none.mp3", "outside.mp3", "elsewhere/secret.mp3", "nothing.mp3",
            "circle.mp3", "pipe.mp3", "a/one.MP3/x.mp3",
        ] {
            #expect(folder.entry(at: try #require(RelativePath(text: name))) == nil, "\(name)")
        }
    }

    @Test("A sibling folder whose name starts with the same text is outside")
    func prefix() throws {
        let directory = try TemporaryDirectory()
        for name in ["music", "music2"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: true)
        }
        let other = try directory.write([1], as: "music2/one.mp3")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("music/one.mp3"), withDestinationPath: other)
        let folder = try MusicFolder(path: directory.file("music"))
        #expect(folder.entry(at: try #require(RelativePath(text: "one.mp3"))) == nil)
    }
}
