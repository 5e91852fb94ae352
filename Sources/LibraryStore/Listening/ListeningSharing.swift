internal import FileSystem
internal import Foundation
internal import MusicShared
internal import SQLiteDatabase
internal import Threads

/// Keeps a host's copy of the listening data equal to the shared one, and changes both together.
final class ListeningSharing: Sendable {
    /// Seconds between looks at the shared data. Most changes are noticed earlier: the database reports them.
    private static let interval = 1.0

    private static let schemaVersion = ListeningSchema.migrations.count

    /// State of a copy.
    private struct CopyState: Equatable {
        var epoch: String
        var revision: Int
        var mark: String
    }

    /// Another program with the same data folder has changed the copy meanwhile.
    private struct CopyChanged: Error {}

    private struct State {
        var report: SharedListeningReport
        /// The last play known before plays of other hosts arrived; nil if none have arrived.
        var lastOwnPlay: Int?
        var isStopped = false
    }

    private let shared: any SharedListening
    private let folder: DataFolder
    private let pool: DatabasePool
    private let tables: [SharedTable]
    private let state: Turnstile<State>

    /// - Parameter pool: the copy, whose connection for writing notes changes.
    init(_ shared: any SharedListening, folder: DataFolder, pool: DatabasePool) throws {
        self.shared = shared
        self.folder = folder
        self.pool = pool
        tables = try pool.read { try SharedTable.all(in: $0) }
        state = Turnstile(State(report: SharedListeningReport(place: shared.place)))
    }

    /// How the copy keeps up.
    var report: SharedListeningReport { state.read(\.report) }

    // MARK: - Joining

    /// Makes the copy equal to the shared data for the first time since the start, or stores what this host has, if the shared data
    /// is empty.
    /// - Parameter isCopyOfHost: whether this host follows another one, so that its data is a copy in any case.
    /// - Throws: ``SharedListeningError``, also if both this host and the shared database have data of their own.
    func join(isCopyOfHost: Bool) throws {
        let hasJoined = FileManager.default.fileExists(atPath: folder.sharedListeningMark)
        do {
            try shared.write { transaction in
                guard let theirs = transaction.state else {
                    guard !isCopyOfHost else {
                        throw SharedListeningError(
                            isAway: false,
                            "\(shared.place) is empty; start the host that this one follows with --listening first"
                        )
                    }
                    return try publish(to: transaction)
                }
                guard try copyState().epoch != theirs.epoch else {
                    return _ = try catchUp(transaction, mayAdopt: true)
                }
                guard try hasJoined || isCopyOfHost || isUnused() else {
                    throw SharedListeningError(
                        isAway: false,
                        "both \(folder.path) and \(shared.place) have listening data of their own; choose an empty data folder with --data, or an empty database"
                    )
                }
                try adopt(transaction, keepsCopy: hasJoined && !isUnused())
            }
        } catch let error as SharedListeningError where error.isAway && hasJoined {
            // It goes on with its copy; the thread tries again.
            note(error)
            return
        }
        // A damaged mark is replaced.
        var mark = (try? SharingMark.read(folder)) ?? SharingMark(place: shared.place)
        mark.place = shared.place
        try mark.write(to: folder)
        note(nil)
    }

    /// Whether the copy has no data of any listener yet.
    private func isUnused() throws -> Bool {
        try pool.read { database in
            for table in tables {
                let most = table.name == "accounts" ? 1 : 0
                let count: Int = try database.scalar("SELECT count(*) FROM main.\(table.name)") ?? 0
                guard count <= most else { return false }
            }
            return true
        }
    }

    private func copyState() throws -> CopyState {
        try pool.read { try Self.copyState($0) }
    }

    private static func copyState(_ database: Database) throws -> CopyState {
        let found = try database.fetchOne(
            "SELECT epoch, revision, shared_mark FROM main.listening_state"
        ) { row in
            CopyState(
                epoch: try row["epoch"], revision: try row["revision"], mark: try row["shared_mark"])
        }
        return found ?? CopyState(epoch: "", revision: 0, mark: "")
    }

    private static func setCopyState(_ revision: Int, _ mark: String, _ database: Database) throws {
        try database.execute(
            "UPDATE main.listening_state SET revision = ?, shared_mark = ?", [revision, mark])
    }

    private static var newMark: String { "\(UInt64.random(in: 0 ... .max))" }

    // MARK: - Writing

    /// Runs a closure that changes the copy, and changes the shared data in the same way. It runs once, when the copy is equal to the
    /// shared data and no other host can write.
    func write<Value: Sendable>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            let value = try shared.write { transaction in
                _ = try catchUp(transaction, mayAdopt: true)
                return try pool.write { database in
                    for table in tables { try table.forgetChanges(in: database) }
                    let ids = try SharedTable.lastIDs(in: database)
                    let value = try body(database)
                    let changes = try tables.compactMap { try $0.changes(in: database) }
                    let newIDs = try SharedTable.lastIDs(in: database)
                    guard !changes.isEmpty || newIDs != ids, var state = transaction.state else {
                        return value
                    }
                    state.revision += 1
                    state.mark = Self.newMark
                    try Self.setCopyState(state.revision, state.mark, database)
                    state.lastIDs.merge(newIDs, uniquingKeysWith: max)
                    for change in changes { state.tableRevisions[change.table.name] = state.revision }
                    // Before the copy's own commit: a copy may lack what was committed, but never has anything else.
                    try transaction.commit(changes, state)
                    return value
                }
            }
            note(nil)
            return value
        } catch let error as SharedListeningError {
            note(error)
            throw error
        }
    }

    /// Stores everything that the copy has.
    private func publish(to transaction: any SharedTransaction) throws {
        try pool.write { database in
            var copy = try Self.copyState(database)
            copy.revision += 1
            copy.mark = Self.newMark
            try Self.setCopyState(copy.revision, copy.mark, database)
            let state = SharedState(
                epoch: copy.epoch, revision: copy.revision, mark: copy.mark, completeSince: copy.revision,
                schemaVersion: Self.schemaVersion, lastIDs: try SharedTable.lastIDs(in: database),
                tableRevisions: [:])
            try transaction.commitAll(tables, state) { table, body in
                try table.forEachRow(in: database, body)
            }
        }
    }

    // MARK: - Catching up

    /// Makes the copy equal to the shared data, while other hosts go on.
    /// - Returns: whether it was not.
    func catchUp() throws -> Bool {
        do {
            // Another program with this data folder may just have made a change that the state does not have yet. So the copy is only
            // replaced when none can.
            let result =
                try shared.read { try catchUp($0, mayAdopt: false) }
                ?? shared.write { try catchUp($0, mayAdopt: true) } ?? false
            note(nil)
            return result
        } catch {
            note(error)
            throw error
        }
    }

    /// Makes the copy equal to the shared data.
    /// - Parameter mayAdopt: whether the whole copy may be replaced.
    /// - Returns: whether it was not equal; nil where it must be replaced, but may not.
    private func catchUp(_ transaction: any SharedTransaction, mayAdopt: Bool) throws -> Bool? {
        while true {
            do {
                if let hasChanged = try catchUpOnce(transaction) { return hasChanged }
                guard mayAdopt else { return nil }
                try adopt(transaction)
                return true
            } catch is CopyChanged {}
        }
    }

    private func catchUpOnce(_ transaction: any SharedTransaction) throws -> Bool? {
        guard let theirs = transaction.state else {
            throw SharedListeningError(isAway: false, "the data in \(shared.place) was deleted")
        }
        let ours = try copyState()
        guard ours.epoch == theirs.epoch else {
            throw SharedListeningError(
                isAway: false, "\(shared.place) holds other data than before; restart the host to use it")
        }
        guard theirs.schemaVersion == Self.schemaVersion else { return nil }
        if (ours.revision, ours.mark) == (theirs.revision, theirs.mark) { return false }
        guard ours.revision < theirs.revision, ours.revision >= theirs.completeSince,
            try transaction.has(revision: ours.revision, mark: ours.mark)
        else { return nil }
        let lastPlay: Int = try pool.read { try $0.scalar("SELECT max(id) FROM plays") } ?? 0
        do {
            try repeatChanges(of: transaction, theirs, since: ours)
        } catch let error as DatabaseError where error.code == .constraint {
            // Two rows have exchanged a unique value.
            return nil
        }
        state.change { $0.lastOwnPlay = $0.lastOwnPlay ?? lastPlay }
        return true
    }

    private func repeatChanges(
        of transaction: any SharedTransaction, _ theirs: SharedState, since ours: CopyState
    ) throws {
        let movesTracks = try pool.write { database in
            guard try Self.copyState(database) == ours else { throw CopyChanged() }
            try database.execute("PRAGMA defer_foreign_keys = ON")
            let tables = tables.filter { theirs.tableRevisions[$0.name] ?? 0 > ours.revision }
            for table in tables {
                try transaction.forEachDeletedRow(of: table, since: ours.revision) {
                    try table.delete($0, in: database)
                }
            }
            var movesTracks = false
            for table in tables {
                try transaction.forEachRow(of: table, since: ours.revision) { row in
                    if table.name == "listened", !movesTracks {
                        movesTracks = try Self.moves(table, row, database)
                    }
                    try table.store(row, in: database)
                }
            }
            try SharedTable.raiseLastIDs(to: theirs.lastIDs, in: database)
            try Self.setCopyState(theirs.revision, theirs.mark, database)
            return movesTracks
        }
        if movesTracks { PlayedTracks.forget() }
    }

    /// Whether a changed row of `listened` gives an item another place.
    private static func moves(
        _ table: SharedTable, _ row: [DatabaseValue], _ database: Database
    ) throws -> Bool {
        let values = Dictionary(zip(table.columns.map(\.name), row), uniquingKeysWith: { first, _ in first })
        let found: Bool? = try database.scalar(
            "SELECT 1 FROM main.listened WHERE id = ? AND (audio_hash, place) <> (?, ?)",
            [values["id"], values["audio_hash"], values["place"]])
        return found == true
    }

    /// Replaces the copy by all of the shared data.
    /// - Parameter keepsCopy: whether to keep what the copy has in another file.
    private func adopt(_ transaction: any SharedTransaction, keepsCopy: Bool = false) throws {
        guard let theirs = transaction.state else { return }
        guard theirs.schemaVersion <= Self.schemaVersion else {
            throw SharedListeningError(
                isAway: false, "\(shared.place) is used by a newer version of this program; update this host")
        }
        let ours = try copyState()
        // The shared database was restored, has lost its last changes, or is another one.
        let hasLost =
            try ours.epoch == theirs.epoch && ours.revision >= theirs.completeSince
            && !transaction.has(revision: ours.revision, mark: ours.mark)
        if keepsCopy || hasLost {
            let kept = "\(folder.listeningDatabase).\(ours.revision)"
            if !FileManager.default.fileExists(atPath: kept) {
                try Database.writeCopy(of: pool.path, to: kept)
            }
        }
        let path = "\(folder.listeningDatabase).shared"
        func clean() { for end in ["", "-wal", "-shm", "-journal"] { try? Files.remove(path + end) } }
        clean()
        defer { clean() }
        try Self.writeCopy(of: transaction, theirs, to: path)
        try ListeningStore.apply(copy: path, to: pool)
        try pool.write { try SharedTable.raiseLastIDs(to: theirs.lastIDs, in: $0) }
        if theirs.schemaVersion < Self.schemaVersion { try publish(to: transaction) }
    }

    private static func writeCopy(
        of transaction: any SharedTransaction, _ state: SharedState, to path: String
    ) throws {
        let copy = try Database(path: path)
        for pragma in ["journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"] {
            try copy.execute("PRAGMA \(pragma)")
        }
        // As the host that wrote it had it.
        try copy.migrate(
            Array(ListeningSchema.migrations.prefix(state.schemaVersion)),
            applicationID: ListeningSchema.applicationID)
        try copy.transaction {
            for table in try SharedTable.all(in: copy) {
                try copy.execute("DELETE FROM main.\(table.name)")
                try transaction.forEachRow(of: table, since: nil) { try table.store($0, in: copy) }
            }
            try copy.execute(
                "UPDATE main.listening_state SET epoch = ?, revision = ?", [state.epoch, state.revision])
        }
        try copy.execute("PRAGMA foreign_keys = ON")
        try copy.migrate(ListeningSchema.migrations, applicationID: ListeningSchema.applicationID)
        try copy.execute("UPDATE main.listening_state SET shared_mark = ?", [state.mark])
    }

    // MARK: - The thread

    /// Begins to follow the changes of other hosts, on a thread of its own.
    /// - Parameters:
    ///   - changed: called after the copy has changed.
    ///   - looked: called after each look at the shared data, at least once a second.
    ///   - playsArrived: called with the last play that was known before others arrived.
    ///   - complain: called with a message when the shared data cannot be used, and when it can again.
    func start(
        changed: @escaping @Sendable () -> Void, looked: @escaping @Sendable () throws -> Void,
        playsArrived: @escaping @Sendable (_ after: Int) -> Void,
        complain: @escaping @Sendable (String) -> Void
    ) {
        let known = state.read(\.report.lastError)
        if let known { complain(known) }
        DedicatedThread.start("listening") { [weak self] in
            var known = known
            while let sharing = self, sharing.state.read({ !$0.isStopped }) {
                sharing.look(changed, looked)
                if let last = sharing.takeLastOwnPlay() { playsArrived(last) }
                let error = sharing.report.lastError
                if error != known { complain(error ?? "the shared listening data can be used again") }
                known = error
            }
        }
    }

    func stop() { state.change { $0.isStopped = true } }

    private func look(_ changed: () -> Void, _ looked: () throws -> Void) {
        do {
            try shared.waitForChange(seconds: Self.interval)
            if try catchUp() { changed() }
            try looked()
        } catch {
            note(error)
            _ = state.wait(upTo: Self.interval) { $0.isStopped ? true : nil }
        }
    }

    private func takeLastOwnPlay() -> Int? {
        state.change { state in
            defer { state.lastOwnPlay = nil }
            return state.lastOwnPlay
        }
    }

    private func note(_ error: (any Error)?) {
        let message = error.map { "the shared listening data cannot be used: \($0)" }
        state.change { state in
            state.report.lastError = message
            state.report.isReachable = (error as? SharedListeningError).map { !$0.isAway } ?? true
        }
    }
}
