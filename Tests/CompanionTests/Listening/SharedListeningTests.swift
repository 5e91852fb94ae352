import Foundation
import LibraryStore
import MusicShared
import PostgreSQLDatabase
import SharedListening
import Synchronization
import SQLiteDatabase
import Testing
import TestSupport
import Threads

/// Hosts that share the listening data in PostgreSQL, each with a library of its own.
@Suite("Shared listening data", .timeLimit(.minutes(10)))
struct SharedListeningTests {
    /// A database, and hosts that use it.
    private final class Shared {
        let server: PostgreSQLServer
        let address: String
        let name = "shared-\(UUID().uuidString)"

        /// - Parameter server: nil for the one of all tests.
        init(_ server: PostgreSQLServer? = nil) throws {
            self.server = try server ?? PostgreSQLServer.shared.get()
            address = try self.server.makeDatabase(name)
        }

        func query(_ sql: String) throws -> String { try server.query(sql, in: name) }
    }

    private final class SharingHost: Sendable {
        let data: TemporaryData
        let library: LibraryStore
        let store: ListeningStore

        init(
            _ address: String, data: TemporaryData? = nil, isCopyOfHost: Bool = false,
            limits: PostgreSQLConnection.Limits = .init(), counting: CountingListening? = nil
        ) throws {
            self.data = try data ?? TemporaryData()
            library = try LibraryStore(self.data.folder)
            let tracks = try (1...3).map { number in
                try Sample.record("\(number).mp3", hash: number, tags: Sample.tags("\(number)"))
            }
            try library.record(tracks, isPresent: Sample.present)
            store = try ListeningStore(
                self.data.folder,
                shared: try counting ?? PostgreSQLListening(try PostgreSQLAddress(address), limits: limits),
                isCopyOfHost: isCopyOfHost)
        }

        var main: AccountListening { store.account(Account.mainID) }

        func action(_ kind: ListeningAction.Kind, _ track: Int, id: String? = nil, at: Double? = nil)
            -> ListeningAction
        {
            var action = ListeningAction(kind, actionID: id, at: at)
            action.relativePath = "\(track).mp3"
            return action
        }

        @discardableResult
        func apply(_ actions: ListeningAction...) throws -> [ListeningResults.Outcome] {
            try main.apply(actions).results.map(\.status)
        }

        func listening(_ track: Int) throws -> ListeningState {
            let path = try Sample.path("\(track).mp3")
            let id = try #require(try library.track(path: path)).track.id
            return try #require(try main.look { try $0.track(id: id) }?.listening)
        }

        /// All shared rows, read with an independent tool.
        func rows() throws -> String {
            try [
                "accounts", "listened", "listened_members", "plays", "done_actions", "play_queues",
                "play_queue_entries", "bookmarks", "radio_stations", "radio_recordings",
            ].map { table in
                let rows = try sqlite3Tool(store.path, "SELECT * FROM \(table)").output
                return "\(table)\n" + rows.split(separator: "\n").sorted().joined(separator: "\n")
            }.joined(separator: "\n")
        }
    }

    // MARK: - Changes

    @Test(
        "What one host changes, the others have: stars, ratings, plays, queues, bookmarks, accounts, stations"
    )
    func changes() throws {
        let shared = try Shared()
        let (first, second) = (try SharingHost(shared.address), try SharingHost(shared.address))
        var rating = first.action(.rate, 2)
        rating.rating = 4
        var play = first.action(.play, 1, id: "p", at: 1_000_000_000)
        play.secondsPlayed = 1.0 / 3
        try first.apply(first.action(.star, 1), rating, play)
        let anna = try first.store.addAccount(name: "Änna \"x\\y\"", role: .listener, email: "a@b")
        let track = try #require(try first.library.track(path: try Sample.path("3.mp3"))).track.id
        try first.store.account(anna.id).saveQueue(
            trackIDs: [track, track], currentIndex: 1, positionMilliseconds: 5, changedBy: "app")
        #expect(
            try first.main.setBookmark(trackID: track, positionMilliseconds: 7, comment: "a\nb'\\\u{1F3B5}"))
        let station = try first.store.addRadioStation(
            name: "Radio", streamURL: "http://127.0.0.1/a", homepageURL: nil)

        try second.store.catchUp()
        #expect(try second.rows() == first.rows())
        #expect(try second.store.state == first.store.state)
        #expect(try second.listening(1).isStarred)
        #expect(try second.listening(2).rating == 4)
        #expect(try second.listening(1).playCount == 1)
        #expect(try second.store.accounts.map(\.name) == ["owner", "Änna \"x\\y\""])
        #expect(try second.store.account(anna.id).queue()?.tracks.count == 2)
        #expect(try second.main.bookmarks().map(\.comment) == ["a\nb'\\\u{1F3B5}"])

        // The other way round, also deletions, and without an intermediate look.
        #expect(try second.store.removeRadioStation(id: station))
        try second.store.removeAccount(id: anna.id)
        #expect(try second.main.removeBookmark(trackID: track))
        #expect(try second.apply(second.action(.play, 1, id: "p", at: 1_000_000_000)) == [.duplicate])
        #expect(try first.apply(first.action(.unstar, 1)) == [.applied])
        #expect(try first.rows().contains("bookmarks\n\nradio_stations\n\nradio_recordings"))
        try second.store.catchUp()
        #expect(try second.rows() == first.rows())
        #expect(try !second.listening(1).isStarred)
        // PostgreSQL has the same.
        #expect(try shared.query("SELECT name FROM audio_companion.accounts") == "owner")
        #expect(try shared.query("SELECT count(*), sum(play_count) FROM audio_companion.listened") == "2|1")
        #expect(
            try shared.query("SELECT seconds_played FROM audio_companion.plays").hasPrefix("0.333"))
    }

    @Test("A host that is behind reads only the rows that have changed")
    func changedRowsOnly() throws {
        let shared = try Shared()
        let first = try SharingHost(shared.address)
        try first.apply(first.action(.star, 1), first.action(.play, 1, at: 1_000_000_000))
        let counting = CountingListening(PostgreSQLListening(try PostgreSQLAddress(shared.address)))
        let second = try SharingHost(shared.address, counting: counting)
        counting.rows.withLock { $0 = 0 }
        try first.apply(first.action(.play, 1, id: "p", at: 1_000_000_100))
        try second.store.catchUp()
        // The track, its play and the id of the action.
        #expect(counting.rows.withLock { $0 } == 3)
        #expect(try second.listening(1).playCount == 2)
        #expect(try second.rows() == first.rows())
        try second.apply(second.action(.play, 2, at: 1_000_000_200))
        try second.store.catchUp()
        #expect(counting.rows.withLock { $0 } == 3)
    }

    /// Counts the rows that a host reads.
    private final class CountingListening: SharedListening {
        private let shared: PostgreSQLListening
        let rows = Mutex(0)

        init(_ shared: PostgreSQLListening) { self.shared = shared }

        var place: String { shared.place }

        func write<Value>(_ body: (any SharedTransaction) throws -> Value) throws -> Value {
            try shared.write { try body(Counting($0, self)) }
        }

        func read<Value>(_ body: (any SharedTransaction) throws -> Value) throws -> Value {
            try shared.read { try body(Counting($0, self)) }
        }

        func waitForChange(seconds: Double) throws { try shared.waitForChange(seconds: seconds) }

        private struct Counting: SharedTransaction {
            let transaction: any SharedTransaction
            let owner: CountingListening

            init(_ transaction: any SharedTransaction, _ owner: CountingListening) {
                self.transaction = transaction
                self.owner = owner
            }

            var state: SharedState? { transaction.state }

            func forEachRow(
                of table: SharedTable, since revision: Int?, _ body: ([DatabaseValue]) throws -> Void
            ) throws {
                try transaction.forEachRow(of: table, since: revision) { row in
                    owner.rows.withLock { $0 += 1 }
                    try body(row)
                }
            }

            func forEachDeletedRow(
                of table: SharedTable, since revision: Int, _ body: ([DatabaseValue]) throws -> Void
            ) throws {
                try transaction.forEachDeletedRow(of: table, since: revision, body)
            }

            func has(revision: Int, mark: String) throws -> Bool {
                try transaction.has(revision: revision, mark: mark)
            }

            func commit(_ changes: [SharedChange], _ state: SharedState) throws {
                try transaction.commit(changes, state)
            }

            func commitAll(
                _ tables: [SharedTable], _ state: SharedState,
                rows: (SharedTable, ([DatabaseValue]) throws -> Void) throws -> Void
            ) throws {
                try transaction.commitAll(tables, state, rows: rows)
            }
        }
    }

    @Test("An id that was given on one host is not given again on another")
    func ids() throws {
        let shared = try Shared()
        let (first, second) = (try SharingHost(shared.address), try SharingHost(shared.address))
        let anna = try first.store.addAccount(name: "anna", role: .listener)
        try first.store.removeAccount(id: anna.id)
        // The second has never seen the account.
        #expect(try second.store.addAccount(name: "bob", role: .listener).id == anna.id + 1)
    }

    @Test("Hosts that write at the same time lose nothing, and end with the same rows")
    func concurrentWriters() async throws {
        let shared = try Shared()
        let hosts = try (0..<3).map { _ in try SharingHost(shared.address) }
        let count = 30
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, host) in hosts.enumerated() {
                group.addTask {
                    try await DedicatedThread.run("test") {
                        for number in 0..<count {
                            let id = "\(index)-\(number)"
                            let at = Double(1_000_000_000 + index * 1000 + number)
                            let outcome = try host.apply(host.action(.play, 1, id: id, at: at))
                            #expect(outcome == [.applied])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for host in hosts { try host.store.catchUp() }
        for host in hosts {
            #expect(try host.listening(1).playCount == hosts.count * count)
            #expect(try host.rows() == hosts[0].rows())
            #expect(try host.store.state == hosts[0].store.state)
        }
        #expect(try shared.query("SELECT count(*) FROM audio_companion.plays") == "\(hosts.count * count)")
    }

    @Test("A host copies rows that have exchanged unique values")
    func exchangedValues() throws {
        let shared = try Shared()
        let host = try SharingHost(shared.address)
        try host.apply(host.action(.star, 1), host.action(.star, 2))
        _ = try shared.query(
            """
            BEGIN;
            UPDATE audio_companion.listening_state SET revision = revision + 1,
                table_revisions = '{"listened": ' || revision + 1 || '}';
            UPDATE audio_companion.listened AS a SET revision = (SELECT revision FROM audio_companion.listening_state),
                place = b.place, audio_hash = b.audio_hash
            FROM audio_companion.listened AS b WHERE a.kind = 'track' AND b.kind = 'track' AND a.id <> b.id;
            COMMIT
            """)
        try host.store.catchUp()
        let places = try sqlite3Tool(
            host.store.path, "SELECT place FROM listened WHERE kind = 'track' ORDER BY id"
        ).output
        #expect(places == "2.mp3\n1.mp3\n")
    }

    @Test("A host passes on plays of other hosts, unless it follows another one")
    func plays() async throws {
        let shared = try Shared()
        let first = try SharingHost(shared.address)
        let follower = try SharingHost(shared.address, isCopyOfHost: true)
        let notices = Notices()
        for (host, name) in [(first, "first"), (follower, "follower")] {
            host.store.observePlays { plays, account in
                notices.all.withLock { $0 += plays.map { "\(name) \(account) \($0.trackID) \($0.at)" } }
            }
            host.store.startSharing(library: host.library, changed: {}, complain: { _ in })
        }
        defer { for host in [first, follower] { host.store.stopSharing() } }
        let third = try SharingHost(shared.address)
        try third.apply(third.action(.play, 2, at: 1_000_000_000))
        try third.apply(third.action(.play, 3, at: 1_000_000_100))
        try await until { notices.all.withLock(\.count) >= 2 }
        try third.apply(third.action(.play, 1, at: 1_000_000_200))
        try await until { notices.all.withLock(\.count) >= 3 }
        #expect(
            notices.all.withLock { $0 } == [
                "first 1 2 1000000000.0", "first 1 3 1000000100.0", "first 1 1 1000000200.0",
            ])
        try await until { try follower.listening(1).playCount == 1 }
    }

    private final class Notices: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test("A host that was away for longer than deleted rows are remembered copies everything")
    func longAbsence() throws {
        let shared = try Shared()
        let (first, second) = (try SharingHost(shared.address), try SharingHost(shared.address))
        try first.apply(first.action(.star, 1), first.action(.star, 2))
        try second.store.catchUp()
        let bob = try first.store.addAccount(name: "bob", role: .listener)
        try second.store.catchUp()
        try first.store.removeAccount(id: bob.id)
        #expect(try shared.query("SELECT count(*) FROM audio_companion.deleted_rows") == "1")
        // The next change is one at which old deletions are forgotten.
        _ = try shared.query("UPDATE audio_companion.listening_state SET revision = 100 * 1024 - 1")
        try first.apply(first.action(.star, 3))
        #expect(try shared.query("SELECT count(*) FROM audio_companion.deleted_rows") == "0")
        #expect(
            try shared.query("SELECT revision - complete_since FROM audio_companion.listening_state")
                == "65536")
        try second.store.catchUp()
        #expect(try second.store.accounts.count == 1)
        #expect(try second.rows() == first.rows())
        #expect(try second.store.state == first.store.state)
    }

    // MARK: - Joining

    @Test("The first host stores what it has; a new one copies it; one with data of its own is refused")
    func joining() throws {
        let shared = try Shared()
        let data = try TemporaryData()
        _ = try LibraryStore(data.folder)
        do {
            let alone = try ListeningStore(data.folder)
            _ = try alone.addAccount(name: "anna", role: .listener)
        }
        let first = try SharingHost(shared.address, data: data)
        #expect(try shared.query("SELECT name FROM audio_companion.accounts ORDER BY id") == "owner\nanna")
        try first.apply(first.action(.star, 1))
        let second = try SharingHost(shared.address)
        #expect(try second.rows() == first.rows())

        let other = try TemporaryData()
        _ = try LibraryStore(other.folder)
        do {
            let alone = try ListeningStore(other.folder)
            _ = try alone.addAccount(name: "bob", role: .listener)
        }
        #expect {
            try SharingHost(shared.address, data: other)
        } throws: {
            "\($0)".contains("both \(other.folder.path) and postgres://")
        }
        #expect(try ListeningStore(other.folder).accounts.map(\.name) == ["owner", "bob"])
        #expect(try shared.query("SELECT count(*) FROM audio_companion.accounts") == "2")
    }

    @Test("A host that follows another one does not become the first, and copies in any case")
    func follower() throws {
        let shared = try Shared()
        let data = try TemporaryData()
        #expect { try SharingHost(shared.address, data: data, isCopyOfHost: true) } throws: {
            "\($0)".contains("start the host that this one follows with --listening first")
        }
        let alone = try ListeningStore(data.folder)
        _ = try alone.addAccount(name: "anna", role: .listener)
        let primary = try SharingHost(shared.address)
        try primary.apply(primary.action(.star, 1))
        let follower = try SharingHost(shared.address, data: data, isCopyOfHost: true)
        #expect(try follower.rows() == primary.rows())
    }

    @Test("A copy is not used without the database that it belongs to")
    func mark() throws {
        let shared = try Shared()
        let host = try SharingHost(shared.address)
        #expect {
            try ListeningStore(host.data.folder)
        } throws: {
            "\($0)".contains("state it with --listening") && ($0 as? StoreError)?.code == .sharedListening
        }
        // As the message says.
        try FileManager.default.removeItem(atPath: host.data.folder.sharedListeningMark)
        #expect(try ListeningStore(host.data.folder).accounts.count == 1)
    }

    @Test("Tables of an older version are copied, brought up to date and stored again")
    func olderTables() throws {
        let shared = try Shared()
        let first = try SharingHost(shared.address)
        try first.apply(first.action(.star, 1))
        // Version 5 added the table of recordings.
        _ = try shared.query(
            """
            DROP TABLE audio_companion.radio_recordings;
            UPDATE audio_companion.listening_state SET schema_version = 4
            """)
        let second = try SharingHost(shared.address)
        #expect(try second.listening(1).isStarred)
        #expect(try shared.query("SELECT count(*) FROM audio_companion.radio_recordings") == "0")
        try first.apply(first.action(.star, 2))
        try second.store.catchUp()
        #expect(try second.rows() == first.rows())
    }

    @Test("Tables of a newer version are left alone, and reading goes on")
    func newerTables() throws {
        let shared = try Shared()
        let host = try SharingHost(shared.address)
        try host.apply(host.action(.star, 1))
        _ = try shared.query("UPDATE audio_companion.listening_state SET schema_version = 1000")
        #expect { try host.apply(host.action(.star, 2)) } throws: {
            "\($0)".contains("newer version of this program; update this host")
        }
        #expect(try host.listening(1).isStarred)
        #expect(try !host.listening(2).isStarred)
        #expect(throws: SharedListeningError.self) { try SharingHost(shared.address) }
    }

    @Test(
        "If the database was restored to an older state, hosts copy that state and keep what they had in a file"
    )
    func restored() throws {
        let shared = try Shared()
        let host = try SharingHost(shared.address)
        try host.apply(host.action(.star, 1))
        _ = try shared.query("CREATE SCHEMA backup")
        for table in [
            "accounts", "listened", "listened_members", "listening_state", "done_actions", "writes",
        ] {
            _ = try shared.query("CREATE TABLE backup.\(table) AS TABLE audio_companion.\(table)")
        }
        try host.apply(host.action(.star, 2))
        let revision = try host.store.state.split(separator: ".").last ?? ""
        for table in [
            "accounts", "listened", "listened_members", "listening_state", "done_actions", "writes",
        ] {
            _ = try shared.query(
                "DELETE FROM audio_companion.\(table); INSERT INTO audio_companion.\(table) TABLE backup.\(table)"
            )
        }
        try host.store.catchUp()
        #expect(try host.listening(1).isStarred)
        #expect(try !host.listening(2).isStarred)
        let kept = "\(host.data.folder.listeningDatabase).\(revision)"
        #expect(try sqlite3Tool(kept, "SELECT sum(is_starred) FROM listened").output == "2\n")
        #expect(try host.apply(host.action(.star, 3)) == [.applied])
    }

    @Test(
        "A host that is given another database copies that, and keeps what it had in a file; an emptied one gets it back"
    )
    func otherDatabase() throws {
        let (first, second) = (try Shared(), try Shared())
        let other = try SharingHost(second.address)
        try other.apply(other.action(.star, 3))
        let host = try SharingHost(first.address)
        try host.apply(host.action(.star, 1))
        let revision = try host.store.state.split(separator: ".").last ?? ""
        let moved = try SharingHost(second.address, data: host.data)
        #expect(try moved.rows() == other.rows())
        let kept = "\(host.data.folder.listeningDatabase).\(revision)"
        #expect(try sqlite3Tool(kept, "SELECT place FROM listened WHERE is_starred").output == "1.mp3\n")

        _ = try second.query("DROP SCHEMA audio_companion CASCADE")
        #expect(throws: SharedListeningError.self) { try moved.apply(moved.action(.star, 2)) }
        let again = try SharingHost(second.address, data: host.data)
        try again.apply(again.action(.star, 2))
        #expect(try second.query("SELECT count(*) FROM audio_companion.listened WHERE is_starred = 1") == "2")
    }

    @Test("A change that the database has lost is noticed even if another change has its revision")
    func lostChange() throws {
        let shared = try Shared()
        let (first, second) = (try SharingHost(shared.address), try SharingHost(shared.address))
        try first.apply(first.action(.star, 1))
        try second.store.catchUp()
        let tables = [
            "accounts", "listened", "listened_members", "listening_state", "done_actions", "writes",
        ]
        _ = try shared.query("CREATE SCHEMA backup")
        for table in tables {
            _ = try shared.query("CREATE TABLE backup.\(table) AS TABLE audio_companion.\(table)")
        }
        // A server takes over that does not have this change, and another host makes the next one.
        try first.apply(first.action(.star, 2))
        for table in tables {
            _ = try shared.query(
                "DELETE FROM audio_companion.\(table); INSERT INTO audio_companion.\(table) TABLE backup.\(table)"
            )
        }
        try second.apply(second.action(.star, 3))
        #expect(try first.store.state == second.store.state)
        try first.store.catchUp()
        #expect(try first.rows() == second.rows())
        #expect(try !first.listening(2).isStarred)
        #expect(try first.listening(3).isStarred)
        let revision = try first.store.state.split(separator: ".").last ?? ""
        let kept = "\(first.data.folder.listeningDatabase).\(revision)"
        let starred = "SELECT place FROM listened WHERE is_starred AND kind = 'track' ORDER BY 1"
        #expect(try sqlite3Tool(kept, starred).output == "1.mp3\n2.mp3\n")
    }

    // MARK: - Failures

    @Test("While the database is away, reading goes on and changes are refused; afterwards all is as before")
    func away() throws {
        let server = try PostgreSQLServer()
        let shared = try Shared(server)
        let host = try SharingHost(shared.address)
        try host.apply(host.action(.star, 1))
        server.kill()
        #expect { try host.apply(host.action(.star, 2)) } throws: {
            ($0 as? SharedListeningError)?.isAway == true
        }
        #expect(try host.listening(1).isStarred)
        #expect(try !host.listening(2).isStarred)
        #expect(host.store.sharingReport?.isReachable == false)
        // A restart of the host does not need the database, unless it has never had it.
        let again = try SharingHost(shared.address, data: host.data)
        #expect(try again.listening(1).isStarred)
        #expect { try SharingHost(shared.address) } throws: { ($0 as? SharedListeningError)?.isAway == true }

        try server.restart()
        #expect(try retried { try again.apply(again.action(.star, 2)) } == [.applied])
        try host.store.catchUp()
        #expect(try host.listening(2).isStarred)
        #expect(host.store.sharingReport?.isReachable == true)
        #expect(host.store.sharingReport?.lastError == nil)
    }

    @Test(
        "The primary server is killed and its copy takes over: no confirmed change is lost", arguments: 0..<3)
    func failover(round: Int) async throws {
        let primary = try PostgreSQLServer(options: ["synchronous_standby_names=*", "fsync=on"])
        let replica = try PostgreSQLServer(following: primary)
        let shared = try Shared(primary)
        let address = PostgreSQLServer.address([primary, replica], shared.name)
        let hosts = try (0..<2).map { _ in try SharingHost(address) }
        let progress = ClientProgress()
        try await progress.failOver(
            from: primary, to: replica, after: 20 + 13 * round, clients: hosts.count
        ) { client, number in
            let id = "\(client)-\(number)"
            let at = Double(1_000_000_000 + client * 100_000 + number)
            // As a client does: the same action again until it is confirmed.
            while !progress.isDone.withLock({ $0 }) {
                do {
                    _ = try hosts[client].apply(hosts[client].action(.play, 1, id: id, at: at))
                    progress.confirmed.withLock { $0.append(id) }
                    break
                } catch let error as SharedListeningError where error.isAway {
                    progress.refused.withLock { $0 += 1 }
                }
            }
        }
        let all = progress.confirmed.withLock { $0 }
        #expect(Set(all).count == all.count)
        #expect(progress.refused.withLock { $0 } > 0)
        let stored = Set(
            try replica.query("SELECT action_id FROM audio_companion.done_actions", in: shared.name)
                .split(separator: "\n").map(String.init))
        #expect(Set(all).subtracting(stored) == [])
        for host in hosts { try host.store.catchUp() }
        #expect(try hosts[0].rows() == hosts[1].rows())
        #expect(try hosts[0].listening(1).playCount == stored.count)
    }

    @Test("A commit that the server did not copy to another one is not confirmed; the same action again is")
    func unsafeCommit() async throws {
        let server = try PostgreSQLServer()
        let shared = try Shared(server)
        let host = try SharingHost(shared.address)
        func setCopies(_ names: String) throws {
            _ = try server.query("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
            _ = try server.query("SELECT pg_reload_conf()")
        }
        try setCopies("*")
        async let refused: Bool = DedicatedThread.run("test") {
            do {
                try host.apply(host.action(.play, 1, id: "p", at: 1_000_000_000))
                return false
            } catch let error as SharedListeningError { return error.isAway }
        }
        // No other server exists, so the commit waits until the server is asked to stop waiting.
        try await until {
            try server.query(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == "t"
        }
        #expect(try await refused)
        #expect(try host.listening(1).playCount == 0)
        try setCopies("")
        #expect(try host.apply(host.action(.play, 1, id: "p", at: 1_000_000_000)) == [.duplicate])
        #expect(try host.listening(1).playCount == 1)
    }

    @Test("A host that hangs in the middle of a change blocks the others for a limited time only")
    func hangingHost() throws {
        let shared = try Shared()
        let host = try SharingHost(shared.address)
        let hanging = PostgreSQLListening(
            try PostgreSQLAddress(shared.address), limits: .init(transaction: 1))
        #expect(throws: SharedListeningError.self) {
            try hanging.write { transaction in
                // It has the lock, and the other host waits for the end of its time.
                #expect(try host.apply(host.action(.star, 1)) == [.applied])
                try transaction.commit([], try #require(transaction.state))
            }
        }
        #expect(try host.apply(host.action(.star, 2)) == [.applied])
    }

    @Test("A server that does not answer is away after a time limit")
    func silentServer() throws {
        let server = try PostgreSQLServer()
        let shared = try Shared(server)
        let host = try SharingHost(shared.address, limits: .init(connect: 2, statement: 1, commit: 1))
        server.setStopped(true)
        #expect { try host.apply(host.action(.star, 1)) } throws: {
            ($0 as? SharedListeningError)?.isAway == true
        }
        // Those that have waited do not wait again.
        let started = ContinuousClock.now
        #expect(throws: SharedListeningError.self) { try host.apply(host.action(.star, 1)) }
        #expect(ContinuousClock.now - started < .seconds(1))
        server.setStopped(false)
        #expect(try retried { try host.apply(host.action(.star, 1)) } == [.applied])
    }
}
