package import Catalogue
package import Foundation
package import MusicShared
internal import SQLiteDatabase
internal import Synchronization
package import Threads

/// Evaluates the rules of smart playlists, with the listening data of the account that owns each.
///
/// All rules are evaluated on one connection, one after the other. It is opened with the first rules. All methods are
/// thread-safe, and block on disk access.
package final class SmartPlaylists: Sendable, SmartPlaylistSource {
    /// The tracks that rules select, and the state of the data for which they are right.
    private struct Found {
        var state: String
        var tracks: SmartTracks
        /// The revision and day for which the tracks are right, whatever else has changed; nil if they depend on more.
        var fixed: Fixed?
    }

    /// The state that tracks of rules without listening data depend on.
    private struct Fixed: Equatable {
        var revision: CatalogueRevision
        var day: Int
    }

    /// The connection with its tables. Safe: only used inside the mutex.
    private struct Evaluation: @unchecked Sendable {
        var database: Database?
        var rows: SmartRows?
        var playlists: [Int: Found] = [:]
        var lists = RecentLists()
    }

    /// Rules that are not stored as a playlist.
    private struct List: Equatable {
        var rules: SmartRules
        var accountID: Int
        var seed: Int?
    }

    /// The tracks of the last lists, the latest last. A client asks for the pages of a list one after the other.
    private struct RecentLists {
        /// The most lists in memory.
        private static let mostLists = 8
        /// The most tracks of all lists in memory, unless one list alone has more.
        private static let mostTracks = 2_000_000

        private var lists: [(list: List, found: Found)] = []

        subscript(list: List) -> Found? { lists.first { $0.list == list }?.found }

        /// Keeps the tracks of a list, and removes those that were not asked for the longest.
        mutating func keep(_ found: Found, of list: List) {
            lists.removeAll { $0.list == list }
            lists.append((list, found))
            var count = lists.reduce(0) { $0 + $1.found.tracks.ids.count }
            while lists.count > Self.mostLists || count > Self.mostTracks && lists.count > 1 {
                count -= lists.removeFirst().found.tracks.ids.count
            }
        }
    }

    /// The most playlists whose tracks are kept in memory.
    private static let mostKept = 100

    /// Limits the requests that wait for rules, which take seconds at first in a large library: the host has threads for others.
    package let limit = ConcurrencyLimit(max(2, availableCoreCount()))
    private let library: String
    private let listening: String
    private let clock: @Sendable () -> Date
    private let evaluation = Mutex(Evaluation())

    /// Creates the evaluation of a library.
    /// - Parameters:
    ///   - library: path of the library's database.
    ///   - listening: path of the database with the listening data.
    ///   - clock: the time now.
    package init(library: String, listening: String, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.library = library
        self.listening = listening
        self.clock = clock
    }

    /// Returns the tracks of a smart playlist in order, in the state of the databases now; nil if it is an ordinary one.
    /// - Throws: `DatabaseError`.
    package func tracks(ofPlaylist id: Int) throws -> SmartTracks? {
        let today = SmartDay(clock())
        return try evaluating { evaluation, database in
            guard let playlist = try Self.stored(id, database) else { return nil }
            let state = try Self.state(today, database)
            let query = SmartQuery(
                accountID: playlist.ownerID, today: today, database: database, parents: [id])
            // Rules of a later version may have fields that this one does not know.
            let found = try Self.found(
                playlist.rules, state, today, known: evaluation.playlists[id], &evaluation.rows, database
            ) { try? query.tracks(playlist.rules) }
            guard let found else { return SmartTracks(rules: playlist.rules, state: state) }
            if evaluation.playlists.count >= Self.mostKept, evaluation.playlists[id] == nil {
                evaluation.playlists = [:]
            }
            evaluation.playlists[id] = found
            return found.tracks
        }
    }

    /// Returns all tracks that rules select, in order, in the state of the databases now: more than a playlist may have, unless
    /// the rules have a limit.
    /// - Parameters:
    ///   - accountID: the account whose rules they are.
    ///   - seed: makes another random order than that of the day.
    /// - Throws: ``SmartRulesError``, `DatabaseError`.
    package func tracks(_ rules: SmartRules, accountID: Int, seed: Int? = nil) throws -> SmartTracks {
        let today = SmartDay(clock())
        let list = List(rules: rules, accountID: accountID, seed: seed)
        return try evaluating { evaluation, database in
            let state = try Self.state(today, database)
            let query = SmartQuery(
                accountID: accountID, today: today, database: database, seed: seed, largestCount: nil,
                requiresPlaylists: true)
            let found = try Self.found(
                rules, state, today, known: evaluation.lists[list], &evaluation.rows, database
            ) { try query.tracks(rules) }
            guard let found else { return SmartTracks(rules: rules, state: state) }
            evaluation.lists.keep(found, of: list)
            return found.tracks
        }
    }

    /// Returns the tracks that rules select, from memory if they are still right; nil if the rules cannot be evaluated.
    /// - Parameters:
    ///   - state: the state of the databases now.
    ///   - known: the tracks as they were found last.
    ///   - selection: returns the query for the rules.
    private static func found(
        _ rules: SmartRules, _ state: String, _ today: SmartDay, known: Found?, _ rows: inout SmartRows?,
        _ database: Database, selection: () throws -> SmartQuery.Selection?
    ) throws -> Found? {
        if let known, known.state == state { return known }
        let now = Fixed(
            revision: try CatalogueReader(database: database).catalogueRevision, day: today.number)
        if var known, known.fixed == now, known.tracks.rules == rules {
            known.tracks.state = state
            known.state = state
            return known
        }
        guard let selection = try selection() else { return nil }
        try rows?.refresh(database)
        let sql = try rows?.quickest(selection, database) ?? selection.tracks
        var tracks = SmartTracks(rules: rules, state: state)
        try database.forEach(sql.text, sql.arguments) { row in
            tracks.ids.append(try row["id"])
            tracks.durationSeconds += try row["duration"] as Double? ?? 0
        }
        return Found(state: state, tracks: tracks, fixed: selection.dependsOnTracksOnly ? now : nil)
    }

    /// Returns how many tracks rules select now.
    /// - Parameter accountID: the account whose rules they are.
    /// - Throws: ``SmartRulesError``, `DatabaseError`.
    package func count(_ rules: SmartRules, accountID: Int) throws -> SmartPlaylistCount {
        let today = SmartDay(clock())
        return try evaluating { evaluation, database in
            // The order is checked, too, as it is when rules are stored.
            try Self.check(rules, accountID: accountID, of: nil, database)
            let sql = try SmartQuery(accountID: accountID, today: today, database: database).count(rules)
            try evaluation.rows?.refresh(database)
            var count = SmartPlaylistCount(trackCount: 0, matchingCount: 0, durationSeconds: 0)
            try database.forEach(sql.text, sql.arguments) { row in
                count.matchingCount = try row["tracks"]
                count.durationSeconds = (try row["seconds"] as Double).rounded(in: .seconds)
            }
            count.trackCount = rules.trackCount(matching: count.matchingCount)
            return count
        }
    }

    /// Throws if rules cannot be evaluated.
    /// - Parameters:
    ///   - accountID: the account whose rules they are.
    ///   - id: the playlist that gets the rules; nil for a new one.
    /// - Throws: ``SmartRulesError``, `DatabaseError`.
    static func check(_ rules: SmartRules, accountID: Int, of id: Int?, _ database: Database) throws {
        let query = SmartQuery(
            accountID: accountID, today: SmartDay(Date()), database: database,
            parents: id.map { [$0] } ?? [], requiresPlaylists: true)
        _ = try query.tracks(rules)
    }

    /// The rules of a smart playlist, and the account that it belongs to; nil for an ordinary one.
    static func stored(_ id: Int, _ database: Database) throws -> (ownerID: Int, rules: SmartRules)? {
        let found = try database.fetchOne(
            """
            SELECT owner_id, rules FROM smart_playlists JOIN playlists ON playlists.id = playlist_id
            WHERE playlist_id = ?
            """, [id]
        ) { row -> (Int, String) in (try row["owner_id"], try row["rules"]) }
        guard let found else { return nil }
        do {
            return (found.0, try JSONDecoder().decode(SmartRules.self, from: Data(found.1.utf8)))
        } catch {
            throw StoreError(.damagedRow, "the rules of playlist \(id) are damaged: \(error)")
        }
    }

    /// Rules as they are stored.
    static func text(_ rules: SmartRules) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(rules), as: UTF8.self)
    }

    private func evaluating<Value: Sendable>(
        _ body: (inout Evaluation, Database) throws -> Value
    ) throws -> Value {
        try evaluation.withLock { evaluation in
            do {
                let database = try evaluation.database ?? opened(&evaluation)
                return try database.transaction(.deferred) { try body(&evaluation, database) }
            } catch let error as DatabaseError {
                // The temporary tables may be incomplete.
                evaluation = Evaluation()
                throw error
            }
        }
    }

    private func opened(_ evaluation: inout Evaluation) throws -> Database {
        let database = try Database(path: listening, options: .init(access: .readOnly))
        try database.attach(library, as: "library")
        evaluation.rows = try SmartRows(database)
        evaluation.database = database
        return database
    }

    /// Identifies the state of the databases and the day.
    private static func state(_ today: SmartDay, _ database: Database) throws -> String {
        "\(try ReadState.of(database))-\(today.number)"
    }
}
