import Companion
import Foundation
import LibraryStore
import MusicFiles
import Testing
import TestSupport

/// Changes in a folder are reported by path once they are complete.
@Suite("Folder follower")
struct FolderFollowerTests {
    private let directory: TemporaryDirectory
    private let follower: FolderFollower

    init() throws {
        directory = try TemporaryDirectory()
        for folder in ["sub/deep", "other"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder), withIntermediateDirectories: true)
        }
        for name in ["old.mp3", "sub/a.mp3", "sub/deep/b.mp3"] { try directory.write([1], as: name) }
        follower = try FolderFollower(MusicFolder(path: directory.path))
        #expect(follower.isComplete)
    }

    private enum Change: String, CaseIterable {
        case new, changed, renamed, deleted, newInside, newFolder, touched, movedFolder, deletedFolder
        case otherKind, hardLink
    }

    /// All reported paths until nothing has been reported for a while.
    private func told(timeoutSeconds: Double = 2.5) -> (files: Set<String>, folders: Set<String>) {
        var files: Set<String> = []
        var folders: Set<String> = []
        while case .some(let changes) = follower.changes(waitingSeconds: timeoutSeconds) {
            files.formUnion(changes.files.map(\.text))
            folders.formUnion(changes.folders.map(\.text))
        }
        return (files, folders)
    }

    @Test(
        "Each kind of change is reported with the right paths",
        arguments: Change.allCases)
    private func changes(_ change: Change) throws {
        #expect(follower.changes(waitingSeconds: 0.05) == .nothing)
        var files: Set<String> = []
        var folders: Set<String> = []
        // May be reported as well: other tests start processes, which share a file that this test is writing until they run.
        var others: Set<String> = ["old.mp3", "sub/a.mp3", "sub/deep/b.mp3"]
        switch change {
        case .new:
            try directory.write([1], as: "new.mp3")
            files = ["new.mp3"]
        case .changed:
            try directory.write([1, 2], as: "old.mp3")
            files = ["old.mp3"]
        case .renamed:
            #expect(rename(directory.file("old.mp3"), directory.file("sub/deep/Other.MP3")) == 0)
            files = ["old.mp3", "sub/deep/Other.MP3"]
        case .deleted:
            #expect(unlink(directory.file("sub/a.mp3")) == 0)
            files = ["sub/a.mp3"]
        case .newInside:
            try directory.write([1], as: "sub/deep/new.mp3")
            files = ["sub/deep/new.mp3"]
        case .newFolder:
            // Faster than any watch can be added.
            try FileManager.default.createDirectory(
                atPath: directory.file("x/y/z"), withIntermediateDirectories: true)
            try directory.write([1], as: "x/y/z/new.mp3")
            try directory.write([1], as: "x/new.mp3")
            files = ["x/y/z/new.mp3", "x/new.mp3"]
            folders = ["x"]
        case .touched:
            #expect(chmod(directory.file("old.mp3"), 0o600) == 0)
            files = ["old.mp3"]
        case .movedFolder:
            #expect(rename(directory.file("sub"), directory.file("other/moved")) == 0)
            files = ["other/moved/a.mp3", "other/moved/deep/b.mp3"]
            folders = ["sub", "other/moved"]
        case .deletedFolder:
            try FileManager.default.removeItem(atPath: directory.file("sub"))
            files = ["sub/a.mp3", "sub/deep/b.mp3"]
            folders = ["sub"]
        case .otherKind:
            try directory.write([1], as: "cover.jpg")
            try directory.write([1], as: "._old.mp3")
        case .hardLink:
            #expect(link(directory.file("old.mp3"), directory.file("sub/linked.mp3")) == 0)
            files = ["sub/linked.mp3"]
        }
        others.subtract(files)
        let told = told()
        #expect(told.files.subtracting(others) == files)
        #expect(told.folders.isSuperset(of: folders))
        // Folders that have moved are followed at their new path.
        if change == .movedFolder {
            try directory.write([1], as: "other/moved/deep/later.mp3")
            #expect(self.told().files == ["other/moved/deep/later.mp3"])
        }
    }

    @Test("A file that is being written is reported only after it is closed")
    func openFile() throws {
        try directory.write([], as: "slow.mp3")
        let file = try #require(FileHandle(forWritingAtPath: directory.file("slow.mp3")))
        for _ in 0..<3 {
            try file.write(contentsOf: Data([1]))
            #expect(follower.changes(waitingSeconds: 1.5) == .nothing)
        }
        try file.close()
        #expect(told().files == ["slow.mp3"])
    }

    @Test("After an overflow of the event queue, everything must be checked")
    func overflow() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let events = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        let path = directory.file("old.mp3")
        for number in 0...events {
            // Identical consecutive events are merged.
            #expect(chmod(number % 2 == 0 ? path : directory.file("sub/a.mp3"), 0o600) == 0)
        }
        #expect(follower.changes(waitingSeconds: 10) == .everything)
    }
}
