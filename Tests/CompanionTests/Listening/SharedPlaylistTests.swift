import Catalogue
import Foundation
import LibraryStore
import MusicShared
import PostgreSQLDatabase
import SharedListening
import SQLiteDatabase
import Synchronization
import Testing
import TestSupport
import Threads

/// Playlists of hosts that share them in PostgreSQL, each with a library of its own.
@Suite("Shared playlists", .timeLimit(.minutes(10)))
struct SharedPlaylistTests {
    /// A playlist with the paths of its tracks.
    private struct Found: Equatable {
        var name: String
        var tracks: [String]
        var description: String?
        var isPublic: Bool
        var rules: SmartRules?
    }

    private final class Host: Sendable {
        let data: TemporaryData
        let library: LibraryStore
        let listening: ListeningStore

        /// - Parameter tracks: recorded in this order, which gives them their ids.
        init(
            _ address: String, data: TemporaryData? = nil, tracks: [Int] = [1, 2, 3],
            isCopyOfHost: Bool = false
        ) throws {
            self.data = try data ?? TemporaryData()
            library = try LibraryStore(self.data.folder)
            if !isCopyOfHost { try Self.record(tracks, in: library) }
            listening = try ListeningStore(
                self.data.folder, smart: library.smartPlaylists,
                shared: PostgreSQLListening(try PostgreSQLAddress(address)), isCopyOfHost: isCopyOfHost)
            try library.sharePlaylists(with: listening, in: self.data.folder)
        }

        static func record(_ tracks: [Int], in library: LibraryStore) throws {
            for number in tracks {
                try library.record(
                    [try Sample.record("\(number).mp3", hash: number, tags: Sample.tags("\(number)"))],
                    isPresent: Sample.present)
            }
        }

        func ids(_ tracks: Int...) throws -> [Int] {
            try tracks.map { try #require(try library.track(path: try Sample.path("\($0).mp3"))).track.id }
        }

        /// All playlists, after the changes of other hosts have been copied.
        func found() throws -> [Int: Found] {
            try listening.catchUp()
            try library.updateSharedPlaylists()
            return try library.catalogue { reader in
                let items = try reader.playlists(CatalogueQuery(sort: .name, limit: 100_000)).items
                return try Dictionary(
                    uniqueKeysWithValues: items.map { item in
                        let whole = try #require(try reader.playlist(id: item.id, limit: 100, offset: 0))
                        let tracks = whole.rules == nil ? whole.entries?.items.map(\.track.relativePath) : nil
                        return (
                            item.id,
                            Found(
                                name: whole.name, tracks: tracks ?? [], description: whole.description,
                                isPublic: whole.isPublic == true, rules: whole.rules)
                        )
                    })
            }
        }

        func tag(_ id: Int) throws -> String {
            try #require(try library.catalogue { try $0.playlistTag(id: id) })
        }
    }

    private func address(_ server: PostgreSQLServer? = nil) throws -> String {
        try (server ?? PostgreSQLServer.shared.get()).makeDatabase("playlists-\(UUID().uuidString)")
    }

    private static func rules() throws -> SmartRules {
        try JSONDecoder().decode(SmartRules.self, from: Data(#"{"all": [{"is": {"title": "2"}}]}"#.utf8))
    }

    // MARK: - Changes

    @Test("What one host changes, the others have, with the ids that the tracks have there")
    func changes() throws {
        let address = try address()
        let first = try Host(address)
        let second = try Host(address, tracks: [3, 2, 1])
        #expect(try first.ids(1) != second.ids(1))
        let mix = try first.library.makePlaylist(
            name: "Änna's \"Mix\"", description: "a\nb\\", trackIDs: try first.ids(1, 2, 1), isPublic: true)
        let smart = try first.library.makePlaylist(name: "Smart", rules: Self.rules())
        #expect(try first.found().count == 2)
        #expect(try second.found() == first.found())
        #expect(try second.found()[mix]?.tracks == ["1.mp3", "2.mp3", "1.mp3"])
        #expect(try second.found()[smart]?.rules == Self.rules())

        // The other way round, without an intermediate look of the first.
        try second.library.editPlaylist(
            id: mix,
            [
                .insert(try second.ids(3), at: 1), .remove(at: 0), .rename("Mix"), .describe(nil),
                .publish(false),
            ])
        try second.library.removePlaylist(id: smart)
        try first.library.editPlaylist(id: mix, [.move(from: 0, to: 2)])
        let expected = Found(
            name: "Mix", tracks: ["2.mp3", "1.mp3", "3.mp3"], description: nil, isPublic: false, rules: nil)
        #expect(try first.found() == [mix: expected])
        #expect(try second.found() == [mix: expected])
        #expect(
            try PostgreSQLServer.shared.get().query(
                "SELECT place FROM audio_companion.shared_playlist_entries ORDER BY position",
                in: String(try #require(address.split(separator: "/").last).prefix { $0 != "?" }))
                == "2.mp3\n1.mp3\n3.mp3")
    }

    @Test(
        "A change of an older state, and a taken name, are refused before the host has looked at the others")
    func conflicts() throws {
        let address = try address()
        let (first, second) = (try Host(address), try Host(address))
        let id = try first.library.makePlaylist(name: "Mix", trackIDs: try first.ids(1))
        _ = try second.found()
        let tag = try second.tag(id)
        try first.library.editPlaylist(id: id, [.insert(try first.ids(2), at: nil)])
        #expect {
            try second.library.editPlaylist(id: id, ifTag: [tag], [.remove(at: 0)])
        } throws: { ($0 as? StoreError)?.code == .changedMeanwhile }
        _ = try first.library.makePlaylist(name: "Other")
        #expect {
            try second.library.makePlaylist(name: "Other")
        } throws: { ($0 as? StoreError)?.code == .nameTaken }
        #expect(try second.found()[id]?.tracks == ["1.mp3", "2.mp3"])
        // Two playlists exchange their names.
        let other = try #require(try first.found().first { $0.value.name == "Other" }?.key)
        try first.library.editPlaylist(id: other, [.rename("x")])
        try first.library.editPlaylist(id: id, [.rename("Other")])
        try first.library.editPlaylist(id: other, [.rename("Mix")])
        #expect(try second.found().mapValues(\.name) == [id: "Other", other: "Mix"])
    }

    @Test("An id that was given on one host is not given again on another")
    func ids() throws {
        let address = try address()
        let (first, second) = (try Host(address), try Host(address))
        let id = try first.library.makePlaylist(name: "Mix")
        try first.library.removePlaylist(id: id)
        #expect(try second.library.makePlaylist(name: "Mix") == id + 1)
    }

    @Test("An entry whose track a host lacks stays where it is, unless all tracks are replaced")
    func absentTracks() throws {
        let address = try address()
        let first = try Host(address)
        let second = try Host(address, tracks: [1, 3])
        let id = try first.library.makePlaylist(name: "Mix", trackIDs: try first.ids(2, 1, 2, 2, 3))
        #expect(try second.found()[id]?.tracks == ["1.mp3", "3.mp3"])
        try second.library.editPlaylist(id: id, [.move(from: 1, to: 0)])
        #expect(try first.found()[id]?.tracks == ["2.mp3", "3.mp3", "1.mp3", "2.mp3", "2.mp3"])
        try second.library.editPlaylist(id: id, [.remove(at: 1)])
        #expect(try first.found()[id]?.tracks == ["2.mp3", "3.mp3", "2.mp3", "2.mp3"])
        // It appears when the track does.
        try Host.record([2], in: second.library)
        try first.library.editPlaylist(id: id, [.describe("d")])
        #expect(try second.found() == first.found())
        try first.library.editPlaylist(id: id, [.replace(try first.ids(1))])
        #expect(try second.found()[id]?.tracks == ["1.mp3"])
    }

    @Test("Hosts that add to a playlist at the same time lose nothing, and end with the same playlist")
    func concurrentWriters() async throws {
        let address = try address()
        let hosts = try (0..<3).map { _ in try Host(address) }
        let id = try hosts[0].library.makePlaylist(name: "Mix")
        for host in hosts { _ = try host.found() }
        let count = 15
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, host) in hosts.enumerated() {
                group.addTask {
                    try await DedicatedThread.run("test") {
                        let tracks = try host.ids(index + 1)
                        for _ in 0..<count {
                            try host.library.editPlaylist(id: id, [.insert(tracks, at: nil)])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let tracks = try #require(try hosts[0].found()[id]).tracks
        for index in hosts.indices {
            #expect(try hosts[index].found()[id]?.tracks == tracks)
            #expect(tracks.count { $0 == "\(index + 1).mp3" } == count)
        }
    }

    @Test("The playlists of a deleted account are deleted everywhere")
    func deletedAccount() throws {
        let address = try address()
        let (first, second) = (try Host(address), try Host(address))
        let anna = try first.listening.addAccount(name: "anna", role: .listener)
        _ = try first.library.makePlaylist(name: "Hers", ownerID: anna.id)
        let id = try first.library.makePlaylist(name: "Mine")
        #expect(try second.found().count == 2)
        try second.library.removePlaylists(ofAccount: anna.id)
        #expect(try first.found().keys.sorted() == [id])
    }

    // MARK: - Joining

    @Test("The playlists that hosts have when they begin to share are all kept")
    func joining() throws {
        let address = try address()
        let datas = try (0..<2).map { _ in try TemporaryData() }
        for (index, data) in datas.enumerated() {
            let library = try LibraryStore(data.folder)
            try Host.record(index == 0 ? [1, 2] : [2, 1], in: library)
            _ = try library.makePlaylist(name: "Mix", trackIDs: [1])
            _ = try library.makePlaylist(name: "Own \(index)", trackIDs: [2, 1])
        }
        let first = try Host(address, data: datas[0], tracks: [])
        #expect(try first.found().mapValues(\.name) == [1: "Mix", 2: "Own 0"])
        let second = try Host(address, data: datas[1], tracks: [])
        let expected = [
            1: Found(name: "Mix", tracks: ["1.mp3"], description: nil, isPublic: false, rules: nil),
            2: Found(
                name: "Own 0", tracks: ["2.mp3", "1.mp3"], description: nil, isPublic: false, rules: nil),
            3: Found(name: "Mix (2)", tracks: ["2.mp3"], description: nil, isPublic: false, rules: nil),
            4: Found(
                name: "Own 1", tracks: ["1.mp3", "2.mp3"], description: nil, isPublic: false, rules: nil),
        ]
        #expect(try second.found() == expected)
        #expect(try first.found() == expected)
        // A deletion while a host was stopped applies when it starts.
        try first.library.removePlaylist(id: 4)
        let again = try Host(address, data: datas[1], tracks: [])
        #expect(try again.library.catalogue { try $0.isPlaylist(4, visibleTo: nil) } == false)
        #expect(try again.found() == first.found())
    }

    @Test("Changes that a host has made alone are stored when it shares again")
    func alone() throws {
        let address = try address()
        let (first, second) = (try Host(address), try Host(address))
        let kept = try first.library.makePlaylist(name: "Kept", trackIDs: try first.ids(1))
        let changed = try first.library.makePlaylist(name: "Changed", trackIDs: try first.ids(1))
        _ = try second.found()
        try FileManager.default.removeItem(atPath: second.data.folder.sharedListeningMark)
        do {
            let library = try LibraryStore(second.data.folder)
            _ = try ListeningStore(second.data.folder)
            try library.editPlaylist(id: changed, [.insert(try second.ids(3), at: nil)])
            _ = try library.makePlaylist(name: "New", trackIDs: try second.ids(2))
        }
        let again = try Host(address, data: second.data, tracks: [])
        let names = try again.found().mapValues { "\($0.name): \($0.tracks.joined(separator: " "))" }
        #expect(
            names.values.sorted() == [
                "Changed (2): 1.mp3 3.mp3", "Changed: 1.mp3", "Kept: 1.mp3", "New: 2.mp3",
            ])
        #expect(names[kept] == "Kept: 1.mp3" && names[changed] == "Changed: 1.mp3")
        #expect(try first.found() == again.found())
    }

    // MARK: - Failures

    @Test("While the database is away, nothing changes")
    func databaseAway() throws {
        let server = try PostgreSQLServer()
        let host = try Host(try address(server))
        let id = try host.library.makePlaylist(name: "Mix", trackIDs: try host.ids(1))
        let tag = try host.tag(id)
        server.kill()
        for change in [
            { _ = try host.library.makePlaylist(name: "New") }, { try host.library.removePlaylist(id: id) },
            { try host.library.editPlaylist(id: id, [.rename("New")]) },
        ] {
            #expect(throws: SharedListeningError.self) { try change() }
        }
        #expect(try host.tag(id) == tag)
        try server.restart()
        try retried { try host.library.editPlaylist(id: id, ifTag: [tag], [.rename("New")]) }
        #expect(try host.found().mapValues(\.name) == [id: "New"])
    }

    @Test(
        "The primary server is killed and its copy takes over: no confirmed change is lost", arguments: 0..<2)
    func failover(round: Int) async throws {
        let primary = try PostgreSQLServer(options: ["synchronous_standby_names=*", "fsync=on"])
        let replica = try PostgreSQLServer(following: primary)
        let name = "playlists-\(UUID().uuidString)"
        _ = try primary.makeDatabase(name)
        let address = PostgreSQLServer.address([primary, replica], name)
        let hosts = try (0..<2).map { _ in try Host(address) }
        let progress = ClientProgress()
        try await progress.failOver(
            from: primary, to: replica, after: 20 + 13 * round, clients: hosts.count
        ) { client, number in
            let list = "\(client)-\(number)"
            do {
                _ = try retried { try hosts[client].library.makePlaylist(name: list) }
            } catch let error as StoreError where error.code == .nameTaken {
                // Stored by an attempt that was not confirmed.
            }
            progress.confirmed.withLock { $0.append(list) }
        }
        let stored = try replica.query("SELECT name FROM audio_companion.shared_playlists", in: name)
            .split(separator: "\n").map(String.init)
        let all = progress.confirmed.withLock { $0 }
        #expect(stored.sorted() == all.sorted())
        for host in hosts { #expect(try host.found().values.map(\.name).sorted() == all.sorted()) }
    }

    @Test("While another program has locked the library, the changes of other hosts wait")
    func lockedLibrary() throws {
        let address = try address()
        let (first, second) = (try Host(address), try Host(address))
        _ = try first.library.makePlaylist(name: "Mix")
        let other = try Database(path: second.data.folder.libraryDatabase)
        try other.transaction(.immediate) {
            #expect(try second.found().isEmpty)
            // A host also starts.
            _ = try Host(address, data: second.data, tracks: [])
        }
        #expect(try second.found() == first.found())
    }

    @Test("A change that a host has stored is not lost if the host is killed before its library has it")
    func killed() throws {
        let address = try address()
        let data = try TemporaryData()
        let (path, copy) = (data.folder.libraryDatabase, "\(data.folder.path)/library.kept")
        do {
            let host = try Host(address, data: data)
            _ = try host.library.makePlaylist(name: "Old", trackIDs: try host.ids(1))
            try host.library.checkpoint()
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            try host.library.editPlaylist(id: 1, [.insert(try host.ids(2), at: nil)])
            _ = try host.library.makePlaylist(name: "New")
        }
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) }
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        let host = try Host(address, data: data, tracks: [])
        #expect(try host.library.catalogue { try $0.trackIDs(playlistID: 1) } == host.ids(1, 2))
        #expect(try host.found().mapValues(\.name) == [1: "Old", 2: "New"])
    }

    // MARK: - Followers

    @Test("A follower changes its copy, and goes on with the changes of the primary")
    func follower() throws {
        let address = try address()
        let primary = try Host(address)
        let id = try primary.library.makePlaylist(name: "Mix", trackIDs: try primary.ids(1))
        let data = try TemporaryData()
        try primary.library.writeCopy(.whole, to: data.folder.libraryDatabase)
        let follower = try Host(address, data: data, isCopyOfHost: true)
        let state = try follower.library.rowState
        #expect(try state == primary.library.rowState)
        let revision = try follower.library.catalogue { try $0.revision }

        try follower.library.editPlaylist(id: id, [.insert(try follower.ids(3), at: nil)])
        let new = try follower.library.makePlaylist(name: "New", trackIDs: try follower.ids(2))
        #expect(try follower.found().count == 2)
        // As before for the primary's changes; a new state for clients.
        #expect(try follower.library.rowState == state)
        let changed = try follower.library.catalogue { try $0.revision }
        #expect(changed != revision)

        #expect(try primary.found() == follower.found())
        #expect(try primary.found()[new]?.tracks == ["2.mp3"])
        try Host.record([4], in: primary.library)
        try primary.library.removePlaylist(id: new)
        let changes = "\(data.folder.path)/changes.sqlite"
        #expect(
            try primary.library.writeRowChanges(
                since: try follower.library.rowState, hasAllPlaylists: false, to: changes))
        try follower.library.apply(rowChanges: changes)
        let states = try [follower, primary].map { try $0.library.catalogue { try $0.revision } }
        #expect(states[0] == states[1])
        #expect(try follower.library.rowState == primary.library.rowState)
        #expect(try follower.tag(id) == primary.tag(id))
        #expect(try follower.found() == primary.found())
        #expect(try follower.found().keys.sorted() == [id])
    }

    @Test("A follower deletes no playlist before the primary has stored its own")
    func unfilled() throws {
        let address = try address()
        // The primary of an earlier version shared no playlists.
        let data = try TemporaryData()
        let library = try LibraryStore(data.folder)
        _ = try library.makePlaylist(name: "Mix")
        let listening = try ListeningStore(
            data.folder, shared: PostgreSQLListening(try PostgreSQLAddress(address)))
        let copy = try TemporaryData()
        try library.writeCopy(.whole, to: copy.folder.libraryDatabase)
        let follower = try Host(address, data: copy, isCopyOfHost: true)
        #expect(try follower.found().mapValues(\.name) == [1: "Mix"])
        #expect {
            try follower.library.makePlaylist(name: "New")
        } throws: { ($0 as? SharedListeningError)?.isAway == true }
        try library.sharePlaylists(with: listening, in: data.folder)
        _ = try follower.found()
        #expect(try follower.library.makePlaylist(name: "New") == 2)
        #expect(try follower.found().mapValues(\.name) == [1: "Mix", 2: "New"])
    }
}
