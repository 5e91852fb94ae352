import Foundation
import Synchronization
import TestSupport
@testable import LibraryStore
@testable import MusicFiles

@testable import Companion
@testable import Tagging

/// An intake for an empty music folder.
final class IntakeFixture {
    let directory: TemporaryDirectory
    let music: MusicFolder
    let library: LibraryStore
    let intake: MusicIntake
    private let noted: Notes

    /// Collects the reported changes.
    private final class Notes: Sendable {
        let changes = Mutex<[IntakeChange]>([])
    }

    /// - Parameter dataFolder: the folder to receive files in; nil for one next to the music folder.
    init(_ limits: IntakeLimits = IntakeLimits(), dataFolder: String? = nil) throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        music = try MusicFolder(path: directory.file("music"))
        let data = try DataFolder(path: dataFolder ?? directory.file("data"))
        library = try LibraryStore(data)
        let notes = Notes()
        noted = notes
        intake = MusicIntake(
            music: music, library: library, staging: try StagingArea(data), limits: limits
        ) { changes in notes.changes.withLock { $0 += changes } }
    }

    var changes: [IntakeChange] { noted.changes.withLock { $0 } }

    /// Imports bytes as if they had been uploaded.
    func take(_ bytes: [UInt8], named name: String = "x.mp3", edit: TagEdit = TagEdit()) throws
        -> [IntakeResult]
    {
        let batch = try intake.makeBatch()
        let file = try intake.makeFile(in: batch)
        for start in stride(from: 0, to: bytes.count, by: 4096) {
            file.append(Array(bytes[start..<min(bytes.count, start + 4096)]))
        }
        return intake.takeIn(file, named: name, edit: edit)
    }

    /// All files in the music folder, including hidden ones.
    var files: [String] {
        let all =
            FileManager.default.enumerator(atPath: music.displayPath)?.compactMap { $0 as? String } ?? []
        return all.filter { name in
            var isFolder = ObjCBool(false)
            _ = FileManager.default.fileExists(atPath: "\(music.displayPath)/\(name)", isDirectory: &isFolder)
            return !isFolder.boolValue
        }.sorted()
    }

    func read(_ path: String) throws -> [UInt8] { try directory.read("music/\(path)") }

    /// A zip with the given names and contents, made with Python's standard library.
    func zip(_ entries: [(name: String, bytes: [UInt8])], deflated: Bool = false) throws -> [UInt8] {
        var lines = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1] + '/made.zip', 'w')\n"
        for (index, entry) in entries.enumerated() {
            try directory.write(entry.bytes, as: "entry-\(index)")
            let name = entry.name.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            lines +=
                "z.writestr('\(name)', open(sys.argv[1] + '/entry-\(index)', 'rb').read(), \(deflated ? 8 : 0))\n"
        }
        try ProcessRun.run("python3", ["-c", lines + "z.close()\n", directory.path])
        return try directory.read("made.zip")
    }
}

/// Short tracks, each encoded once.
enum IntakeTracks {
    static let first = Result {
        try make(1, ["--tt", "One", "--ta", "Band", "--tl", "Album", "--ty", "2001", "--tn", "1/2"])
    }
    static let second = Result {
        try make(2, ["--tt", "Two", "--ta", "Band", "--tl", "Album", "--ty", "2001", "--tn", "2/2"])
    }
    /// Other audio with the tags of the first.
    static let rival = Result {
        try make(3, ["--tt", "One", "--ta", "Band", "--tl", "Album", "--ty", "2001", "--tn", "1/2"])
    }
    static let untagged = Result { try make(4, []) }

    private static func make(_ seed: UInt64, _ tags: [String]) throws -> [UInt8] {
        try Encoders.lame(PCM.music(frameCount: 44_100 * 2, seed: seed), ["-b", "96"] + tags)
    }
}
