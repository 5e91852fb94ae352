package import Catalogue
package import Foundation
package import MusicShared
internal import SQLiteDatabase
internal import Synchronization

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
        var known: [Int: Found] = [:]
    }

    /// The most playlists whose tracks are kept in memory.
    private static let mostKept = 100

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
            let known = evaluation.known[id]
            if let known, known.state == state { return known.tracks }
            var tracks = SmartTracks(rules: playlist.rules, state: state)
            let now = Fixed(
                revision: try CatalogueReader(database: database).catalogueRevision, day: today.number)
            if let known, known.fixed == now, known.tracks.rules == playlist.rules {
                tracks = known.tracks
                tracks.state = state
                evaluation.known[id]?.tracks.state = state
                evaluation.known[id]?.state = state
                return tracks
            }
            let query = SmartQuery(
                accountID: playlist.ownerID, today: today, database: database, parents: [id])
            // Rules of a later version may have fields that this one does not know.
            guard let selection = try? query.tracks(playlist.rules) else { return tracks }
            try evaluation.rows?.refresh(database)
            let sql = try evaluation.rows?.quickest(selection, database) ?? selection.tracks
            try database.forEach(sql.text, sql.arguments) { row in
                tracks.ids.append(try row["id"])
                tracks.durationSeconds += try row["duration"] as Double? ?? 0
            }
            if evaluation.known.count >= Self.mostKept { evaluation.known = [:] }
            evaluation.known[id] = Found(
                state: state, tracks: tracks, fixed: selection.dependsOnTracksOnly ? now : nil)
            return tracks
        }
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
