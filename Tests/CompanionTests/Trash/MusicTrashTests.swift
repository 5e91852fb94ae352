import Foundation
import MusicShared
import Testing
import TestSupport
@testable import LibraryStore
@testable import MusicFiles

@testable import Companion

/// Files that are moved to the trash and restored.
@Suite("Trash", .timeLimit(.minutes(30)))
struct MusicTrashTests {
    private let fixture: IntakeFixture
    private let trash: MusicTrash
    private let path: RelativePath

    init() throws {
        fixture = try IntakeFixture()
        trash = MusicTrash(fixture.intake)
        guard case .stored(let path, _) = try fixture.take(IntakeTracks.first.get())[0].outcome else {
            throw IntakeError(.writeFailed, "not stored")
        }
        self.path = path
    }

    private func id() throws -> Int { try #require(try fixture.library.track(path: path)).track.id }

    @Test("A file in the trash keeps its path and its track, and is restored unchanged")
    func restored() throws {
        let id = try id()
        let bytes = try fixture.read(path.text)
        // Analysed, so that there is an analysis to keep.
        let data = try DataFolder(path: fixture.directory.file("data"))
        _ = try LibraryPass(music: fixture.music, data: data, options: PassOptions()).run()
        let analysis = try #require(try fixture.library.track(id: id)?.analysis)
        let item = try trash.put(path)
        #expect(item.relativePath == path.text && item.trackID == id && item.fileSizeBytes == bytes.count)
        #expect(fixture.files == [".trash/\(item.trashID)/\(path.text)"])
        #expect(try fixture.library.track(id: id)?.track.unavailableSince != nil)
        #expect(fixture.music.scan().entries.isEmpty && fixture.music.entry(at: path) == nil)
        let trashed = try #require(RelativePath(text: ".trash/\(item.trashID)/\(path.text)"))
        #expect(fixture.music.entry(at: trashed) == nil)
        #expect(trash.list(limit: 10, offset: 0).items == [item])
        // A pass does not bring it back.
        _ = try? LibraryPass(music: fixture.music, data: data, options: PassOptions()).run()
        #expect(try fixture.library.track(id: id)?.track.unavailableSince != nil)
        let restored = try trash.restore(item.trashID)
        #expect(restored == RestoredTrack(trackID: id, relativePath: path.text))
        #expect(try fixture.files == [path.text] && fixture.read(path.text) == bytes)
        #expect(try fixture.library.track(id: id)?.track.unavailableSince == nil)
        #expect(try fixture.library.track(id: id)?.analysis == analysis)
        let summary = try LibraryPass(music: fixture.music, data: data, options: PassOptions()).run()
        #expect(summary.unchangedCount == 1 && summary.analyzedCount == 0)
        #expect(trash.list(limit: 10, offset: 0).total == 0)
        #expect(
            fixture.changes == [
                .added(path, trackID: id), .removed(path, trackID: id), .added(path, trackID: id),
            ])
    }

    @Test("Neither files in the trash nor new files at the original path are overwritten")
    func taken() throws {
        let first = try fixture.read(path.text)
        let one = try trash.put(path)
        let rival = try IntakeTracks.rival.get()
        #expect(try fixture.take(rival)[0].refusal == nil)
        let two = try trash.put(path)
        #expect(fixture.files.count == 2 && one.trashID != two.trashID)
        _ = try trash.restore(two.trashID)
        #expect(throws: TrashError(.pathTaken, "Another file now exists at \(path.text).")) {
            try trash.restore(one.trashID)
        }
        #expect(try fixture.read(path.text) == rival)
        #expect(try fixture.read(".trash/\(one.trashID)/\(path.text)") == first)
    }

    @Test("Deleting an entry or emptying the trash removes these files and nothing else")
    func emptied() throws {
        let one = try trash.put(path)
        _ = try fixture.take(IntakeTracks.second.get())
        let second = try #require(RelativePath(text: "Band/2001 - Album/02 Two.mp3"))
        let two = try trash.put(second)
        #expect(trash.list(limit: 1, offset: 0).items.map(\.trashID) == [two.trashID])
        #expect(trash.list(limit: 1, offset: 1).items.map(\.trashID) == [one.trashID])
        // Files that the user has put there by hand are kept.
        try Data("mine".utf8).write(to: URL(filePath: "\(fixture.music.displayPath)/.trash/notes.txt"))
        try trash.delete(one.trashID)
        #expect(throws: TrashError.self) { try trash.delete(one.trashID) }
        #expect(trash.empty() == 1)
        #expect(fixture.files == [".trash/notes.txt"])
    }

    @Test(
        "Invalid ids and missing files are errors",
        arguments: ["", "..", "../Band", "notes.txt", "1-2"])
    func unknown(id: String) throws {
        #expect(throws: TrashError.self) { try trash.restore(id) }
        #expect(throws: TrashError.self) { try trash.delete(id) }
        #expect(fixture.files == [path.text])
    }

    @Test("Links on the path, or in place of the trash, are not followed")
    func links() throws {
        let outside = fixture.directory.file("outside")
        try FileManager.default.createDirectory(atPath: "\(outside)/Band", withIntermediateDirectories: true)
        let music = fixture.music.displayPath
        try FileManager.default.createSymbolicLink(atPath: "\(music)/.trash", withDestinationPath: outside)
        #expect(throws: TrashError.self) { try trash.put(path) }
        #expect(trash.list(limit: 10, offset: 0).total == 0 && trash.empty() == 0)
        try FileManager.default.removeItem(atPath: "\(music)/.trash")
        // A second path to the folder.
        try FileManager.default.createSymbolicLink(atPath: "\(music)/Alias", withDestinationPath: "Band")
        let alias = try #require(RelativePath(text: "Alias/2001 - Album/01 One.mp3"))
        #expect(throws: TrashError.self) { try trash.put(alias) }
        // While the file is in the trash, its folder becomes a link.
        let item = try trash.put(path)
        try FileManager.default.removeItem(atPath: "\(music)/Band")
        try FileManager.default.createSymbolicLink(
            atPath: "\(music)/Band", withDestinationPath: "\(outside)/Band")
        #expect(throws: TrashError.self) { try trash.restore(item.trashID) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(outside)/Band").isEmpty)
        try FileManager.default.createSymbolicLink(atPath: "\(music)/way-in", withDestinationPath: ".trash")
        #expect(fixture.music.scan().entries.isEmpty)
        let way = try #require(RelativePath(text: "way-in/\(item.trashID)/\(path.text)"))
        #expect(fixture.music.entry(at: way) == nil)
    }

    @Test("Entries without a file are not counted, and do not shorten a page")
    func emptyEntries() throws {
        let item = try trash.put(path)
        // The state after a killed restore: newer than the file's entry.
        for name in ["99999999999998-00000000", "99999999999999-00000000"] {
            try FileManager.default.createDirectory(
                atPath: "\(fixture.music.displayPath)/.trash/\(name)/Band", withIntermediateDirectories: true)
        }
        let page = trash.list(limit: 1, offset: 0)
        #expect(page.total == 1 && page.items.map(\.trashID) == [item.trashID])
        #expect(trash.list(limit: 10, offset: 1).items.isEmpty)
        #expect(trash.empty() == 1)
        #expect(fixture.files.isEmpty && trash.list(limit: 1, offset: 0).total == 0)
    }

    @Test("Of concurrent requests to restore a file, one succeeds, and the others find no entry")
    func concurrent() async throws {
        for round in 0..<20 {
            let item = try trash.put(path)
            let trash = trash
            let codes = await withTaskGroup(of: TrashError.Code?.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        do {
                            _ = try trash.restore(item.trashID)
                            return nil
                        } catch {
                            return (error as? TrashError)?.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == nil } == 1, "round \(round): \(codes)")
            #expect(codes.compactMap { $0 }.allSatisfy { $0 == .notInTrash }, "round \(round): \(codes)")
            #expect(fixture.files == [path.text])
        }
    }
}
