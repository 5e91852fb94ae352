import Companion
import Foundation
import TestSupport
import Testing

/// Changes in a folder are told.
@Suite("Folder watcher")
struct FolderWatcherTests {
    private let directory: TemporaryDirectory
    private let folder: MusicFolder
    private let watcher: FolderWatcher

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("sub"), withIntermediateDirectories: true)
        try directory.write([1], as: "old.mp3")
        folder = try MusicFolder(path: directory.path)
        watcher = try FolderWatcher(folder)
        #expect(watcher.watch(folder.scan().folders))
    }

    private enum Change: String, CaseIterable {
        case new, changed, renamed, deleted, newInside, newFolder, touched
    }

    @Test("Each kind of change wakes the watcher, once", arguments: Change.allCases)
    private func changes(_ change: Change) throws {
        #expect(!watcher.wait(seconds: 0.05))
        switch change {
        case .new: try directory.write([1], as: "new.mp3")
        case .changed: try directory.write([1, 2], as: "old.mp3")
        case .renamed: #expect(rename(directory.file("old.mp3"), directory.file("other.mp3")) == 0)
        case .deleted: #expect(unlink(directory.file("old.mp3")) == 0)
        case .newInside: try directory.write([1], as: "sub/new.mp3")
        case .newFolder: #expect(mkdir(directory.file("folder"), 0o755) == 0)
        case .touched: #expect(chmod(directory.file("old.mp3"), 0o600) == 0)
        }
        #expect(watcher.wait(seconds: 5))
        #expect(!watcher.wait(seconds: 0.05))
    }

    @Test("A folder that is gone by now is no failure")
    func gone() throws {
        #expect(rmdir(directory.file("sub")) == 0)
        #expect(watcher.watch([nil, RelativePath(text: "sub")]))
    }
}
