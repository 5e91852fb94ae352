import Foundation
import MusicShared
import TestSupport
import Testing

@testable import Companion

/// Files that go and come back.
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

    @Test("A file keeps its path in the trash and its track in the library, and comes back as it was")
    func restored() throws {
        let id = try id()
        let bytes = try fixture.read(path.text)
        // Analysed, so that there is something to keep.
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
        // No pass brings it back.
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

    @Test("Nothing in the trash is replaced, and nothing that has come meanwhile")
    func taken() throws {
        let first = try fixture.read(path.text)
        let one = try trash.put(path)
        let rival = try IntakeTracks.rival.get()
        #expect(try fixture.take(rival)[0].refusal == nil)
        let two = try trash.put(path)
        #expect(fixture.files.count == 2 && one.trashID != two.trashID)
        _ = try trash.restore(two.trashID)
        #expect(throws: TrashError(.pathTaken, "There is another file \(path.text) by now.")) {
            try trash.restore(one.trashID)
        }
        #expect(try fixture.read(path.text) == rival)
        #expect(try fixture.read(".trash/\(one.trashID)/\(path.text)") == first)
    }

    @Test("Emptied, in part or as a whole, what was there is gone and nothing else")
    func emptied() throws {
        let one = try trash.put(path)
        _ = try fixture.take(IntakeTracks.second.get())
        let second = try #require(RelativePath(text: "Band/2001 - Album/02 Two.mp3"))
        let two = try trash.put(second)
        #expect(trash.list(limit: 1, offset: 0).items.map(\.trashID) == [two.trashID])
        #expect(trash.list(limit: 1, offset: 1).items.map(\.trashID) == [one.trashID])
        // What the owner has put there by hand stays.
        try Data("mine".utf8).write(to: URL(filePath: "\(fixture.music.displayPath)/.trash/notes.txt"))
        try trash.delete(one.trashID)
        #expect(throws: TrashError.self) { try trash.delete(one.trashID) }
        #expect(trash.empty() == 1)
        #expect(fixture.files == [".trash/notes.txt"])
    }

    @Test(
        "Identifiers that are none, and files that are not there, are told",
        arguments: ["", "..", "../Band", "notes.txt", "1-2"])
    func unknown(id: String) throws {
        #expect(throws: TrashError.self) { try trash.restore(id) }
        #expect(throws: TrashError.self) { try trash.delete(id) }
        #expect(fixture.files == [path.text])
    }

    @Test("A link in the way, or in the place of the trash, is not followed")
    func links() throws {
        let outside = fixture.directory.file("outside")
        try FileManager.default.createDirectory(atPath: "\(outside)/Band", withIntermediateDirectories: true)
        let music = fixture.music.displayPath
        try FileManager.default.createSymbolicLink(atPath: "\(music)/.trash", withDestinationPath: outside)
        #expect(throws: TrashError.self) { try trash.put(path) }
        #expect(trash.list(limit: 10, offset: 0).total == 0 && trash.empty() == 0)
        try FileManager.default.removeItem(atPath: "\(music)/.trash")
        // Into the folder by another way.
        try FileManager.default.createSymbolicLink(atPath: "\(music)/Alias", withDestinationPath: "Band")
        let alias = try #require(RelativePath(text: "Alias/2001 - Album/01 One.mp3"))
        #expect(throws: TrashError.self) { try trash.put(alias) }
        // While it lies in the trash, its folder becomes a link.
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
}
