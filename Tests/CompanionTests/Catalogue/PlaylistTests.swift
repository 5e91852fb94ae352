import Analyzer
import Catalogue
import Companion
import Foundation
import LibraryStore
import MusicShared
import Testing

@Suite(.ownAndSharedListening) struct PlaylistTests {
    private let data: TemporaryData
    private let library: LibraryStore
    private let ids: [Int]
    private let now = Date(timeIntervalSince1970: 1_700_000_000.125)

    init() throws {
        data = try TemporaryData()
        library = try ListeningStores.library(data.folder)
        ids = try library.record(
            (1...6).map { try Sample.record("\($0).mp3", hash: $0, analysis: Sample.analysis($0)) },
            isPresent: Sample.present)
    }

    private func playlist(_ id: Int) throws -> PlaylistItem {
        try #require(try library.catalogue { try $0.playlist(id: id, limit: 100, offset: 0) })
    }

    private func tag(_ id: Int) throws -> String {
        try #require(try library.catalogue { try $0.playlistTag(id: id) })
    }

    @Test("A playlist is read back as stored")
    func madeAndRead() throws {
        let id = try library.makePlaylist(
            name: "Mix", description: "d", trackIDs: [ids[1], ids[0], ids[1]], now: now)
        let stored = try playlist(id)
        #expect(stored.name == "Mix" && stored.description == "d" && stored.revision == 1)
        #expect(stored.trackIDs == [ids[1], ids[0], ids[1]] && stored.trackCount == 3)
        #expect(stored.entries?.items.map(\.position) == [0, 1, 2])
        #expect(stored.entries?.items.map(\.track.id) == stored.trackIDs)
        #expect(stored.createdAt == 1_700_000_000.125 && stored.durationSeconds == 719.846)
        let page = try library.catalogue { try $0.playlist(id: id, limit: 1, offset: 1) }
        #expect(page?.entries?.items.map(\.track.id) == [ids[0]] && page?.trackIDs?.count == 3)
        #expect(try library.catalogue { try $0.playlist(id: 99, limit: 1, offset: 0) } == nil)
    }

    /// Edits and their results, as an array would give them.
    @Test(
        "Edits change the entries as expected",
        arguments: [
            (PlaylistEdit.insert([4], at: nil), [0, 1, 2, 3, 4]),
            (.insert([4, 5], at: 0), [4, 5, 0, 1, 2, 3]),
            (.insert([4], at: 4), [0, 1, 2, 3, 4]), (.insert([], at: 2), [0, 1, 2, 3]),
            (.move(from: 0, to: 3), [1, 2, 3, 0]), (.move(from: 3, to: 0), [3, 0, 1, 2]),
            (.move(from: 1, to: 2), [0, 2, 1, 3]), (.move(from: 2, to: 2), [0, 1, 2, 3]),
            (.remove(at: 1), [0, 2, 3]), (.replace([5, 5, 0]), [5, 5, 0]), (.replace([]), []),
        ])
    func edits(edit: PlaylistEdit, expected: [Int]) throws {
        func ids(_ places: [Int]) -> [Int] { places.map { self.ids[$0] } }
        let id = try library.makePlaylist(name: "P", trackIDs: ids([0, 1, 2, 3]))
        let real: PlaylistEdit =
            switch edit {
            case .insert(let places, let position): .insert(ids(places), at: position)
            case .replace(let places): .replace(ids(places))
            default: edit
            }
        try library.editPlaylist(id: id, [real])
        #expect(try playlist(id).trackIDs == ids(expected))
        #expect(try playlist(id).revision == 2)
    }

    @Test(
        "Positions out of range are rejected",
        arguments: [
            PlaylistEdit.insert([1], at: 3), .insert([1], at: -1), .move(from: 2, to: 0),
            .move(from: 0, to: 2),
            .move(from: -1, to: 0), .remove(at: 2), .remove(at: -1),
        ])
    func placesThatAreNotThere(edit: PlaylistEdit) throws {
        let id = try library.makePlaylist(name: "P", trackIDs: [ids[0], ids[1]])
        let before = try playlist(id)
        let error = #expect(throws: StoreError.self) { try library.editPlaylist(id: id, [edit]) }
        #expect(error?.code == .badPosition)
        #expect(try playlist(id) == before)
    }

    @Test("All edits of a change are applied, or none")
    func allEditsOrNone() throws {
        let id = try library.makePlaylist(name: "P", trackIDs: [ids[0]])
        let other = try library.makePlaylist(name: "Other")
        let before = try playlist(id)
        for (edits, code) in [
            ([PlaylistEdit.rename("New"), .replace([ids[1], 999])], StoreError.Code.noSuchTrack),
            ([.replace([ids[1]]), .rename("Other")], .nameTaken),
            ([.describe("x"), .replace(Array(repeating: ids[0], count: 10_001))], .tooManyEntries),
        ] {
            let error = #expect(throws: StoreError.self) { try library.editPlaylist(id: id, edits) }
            #expect(error?.code == code)
            #expect(try playlist(id) == before)
        }
        #expect(throws: StoreError.self) { try library.makePlaylist(name: "Third", trackIDs: [999]) }
        #expect(try library.catalogue { try $0.playlists(.init(sort: .name, limit: 9)) }.total == 2)
        // A playlist may be renamed to its own name.
        try library.editPlaylist(id: other, [.rename("Other")])
        try library.editPlaylist(id: id, [.rename("New"), .describe(nil), .replace([ids[2]])])
        #expect(try playlist(id).name == "New" && playlist(id).trackIDs == [ids[2]])
    }

    @Test("A change with an outdated tag is rejected")
    func aChangeMeanwhileIsNoticed() throws {
        let id = try library.makePlaylist(name: "P", trackIDs: ids)
        let seen = try tag(id)
        // Storing an analysis does not change the playlist.
        try library.save(Sample.analysis(1))
        #expect(try tag(id) == seen)
        try library.editPlaylist(id: id, ifTag: ["x", seen], [.remove(at: 0)])
        for change in [
            { try library.editPlaylist(id: id, ifTag: [seen], [.remove(at: 0)]) },
            { try library.removePlaylist(id: id, ifTag: [seen]) },
        ] {
            let error = #expect(throws: StoreError.self) { try change() }
            #expect(error?.code == .changedMeanwhile)
        }
        #expect(try playlist(id).trackCount == 5)
        try library.removePlaylist(id: id, ifTag: [try tag(id)])
        let error = #expect(throws: StoreError.self) { try library.removePlaylist(id: id) }
        #expect(error?.code == .notFound)
        // Ids are not reused, so an old tag never matches another playlist.
        #expect(try library.makePlaylist(name: "P") > id)
    }

    @Test("Of concurrent writers with the same tag, one wins")
    func ofManyWritersWhoSawTheSameOneWins() async throws {
        let id = try library.makePlaylist(name: "P")
        let seen = try tag(id)
        let library = library
        let track = ids[0]
        let wins = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (try? library.editPlaylist(id: id, ifTag: [seen], [.insert([track], at: nil)])) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
        #expect(try playlist(id).trackCount == 1)
    }

    @Test("Passes do not change playlists")
    func whatAPassDoesLeavesPlaylistsAlone() throws {
        let id = try library.makePlaylist(name: "P", trackIDs: ids, now: now)
        let before = try tag(id)
        try library.markUnavailable { $0.text == "1.mp3" }
        try library.record([Sample.record("new.mp3", hash: 2)], isPresent: { $0.text != "2.mp3" })
        try library.recordFailure(
            path: Sample.path("1.mp3"), file: .init(size: 1, modificationTimeNanoseconds: 1), errorCode: "e",
            message: "m")
        #expect(try playlist(id).trackIDs == ids && tag(id) == before)
        let entries = try #require(try playlist(id).entries?.items)
        #expect(entries.map(\.track.isAvailable) == [false, true, false, false, false, false])
        #expect(entries[1].track.relativePath == "new.mp3")
        // Tracks in playlists are kept, however long they have been missing.
        let frames = try SpectrumStore(data.folder)
        #expect(try library.prune(goneBefore: Date(timeIntervalSinceNow: 10), frames: frames).isEmpty)
        #expect(try playlist(id).trackIDs == ids && tag(id) == before)
    }

    @Test("Playlists can be sorted and searched")
    func lists() throws {
        for (index, name) in ["Party 10", "party 2", "Ärger", "100%"].enumerated() {
            _ = try library.makePlaylist(name: name, now: now.addingTimeInterval(Double(-index)))
        }
        func names(
            _ sort: PlaylistSort, _ text: String? = nil
        ) throws -> [String] {
            var query = CatalogueQuery(sort: sort, limit: 9)
            query.text = text
            return try library.catalogue { try $0.playlists(query) }.items.map(\.name)
        }
        #expect(try names(.name) == ["100%", "Ärger", "party 2", "Party 10"])
        #expect(try names(.added) == ["Party 10", "party 2", "Ärger", "100%"])
        #expect(try names(.changed) == ["100%", "Ärger", "party 2", "Party 10"])
        #expect(try names(.name, "PARTY") == ["party 2", "Party 10"])
        #expect(try names(.name, "1 party") == ["Party 10"])
        #expect(try names(.name, "%") == ["100%"])
    }
}
