internal import Catalogue
internal import MusicShared
internal import SQLiteDatabase

/// SQL with the values of its placeholders in order.
struct SmartSQL {
    var text: String
    var arguments: [(any DatabaseBindable)?]

    init(_ text: String, _ arguments: (any DatabaseBindable)?...) {
        self.text = text
        self.arguments = arguments
    }

    /// Joins parts, each in parentheses.
    static func joined(_ parts: [SmartSQL], by word: String) -> SmartSQL {
        var sql = SmartSQL(parts.map { "(\($0.text))" }.joined(separator: " \(word) "))
        sql.arguments = parts.flatMap(\.arguments)
        return sql
    }

    /// The tracks that do not match: also those without a value.
    var negated: SmartSQL {
        var sql = self
        sql.text = "NOT coalesce((\(text)), 0)"
        return sql
    }
}

/// The number of conditions that a query may still have, with those of the playlists that it names.
final class SmartBudget {
    private var left = SmartRules.Limits.conditions

    /// Takes some conditions; false if there are not enough.
    func take(_ count: Int) -> Bool {
        left -= count
        return left >= 0
    }
}

/// Translates rules to a query of ``SmartRows``. Values are bound, never part of the text.
struct SmartQuery {
    /// The condition and order of some rules.
    private struct Parts {
        var condition: SmartSQL
        var order: SmartOrder
        var readsListening: Bool
        var readsPlaylists: Bool
    }

    /// Queries for the tracks of rules.
    struct Selection {
        /// Selects ids and durations in order.
        var tracks: SmartSQL
        /// The same, along an index of ``SmartRows``; nil if the order has none, or the list is short.
        var indexed: Indexed?
        /// Whether the tracks change only with the catalogue and the day.
        var dependsOnTracksOnly: Bool
    }

    /// A query along an index, which ends at the limit instead of sorting all tracks: quicker unless few tracks match.
    struct Indexed {
        /// The columns of the index.
        var columns: String
        /// Counts the matching ones of the tracks whose ids are bound at the end: a JSON array.
        var sample: SmartSQL
        /// Returns the query for an index of this name.
        var tracks: (_ index: String) -> SmartSQL
    }

    /// The account whose rules these are: the listening data is its own, and other playlists are those that it sees.
    let accountID: Int
    /// The day that "in the last days" ends with.
    let today: SmartDay
    /// A database with the library, for the playlists that rules name.
    let database: Database
    /// Playlists that the rules are part of: one that contains itself has no tracks.
    var parents: [Int] = []
    /// Makes another random order than that of the day.
    var seed: Int?
    /// The most tracks of any rules; nil if only their own limit counts.
    var largestCount: Int? = CatalogueLimits.playlistEntries
    var budget = SmartBudget()
    /// Whether a playlist that does not exist is an error. Otherwise no track is in it: it may have been deleted later.
    var requiresPlaylists = false

    /// Returns queries for the ids and durations of the selected tracks in order.
    func tracks(_ rules: SmartRules) throws -> Selection {
        let parts = try parts(rules)
        func tracks(_ index: String?) -> SmartSQL {
            var sql = SmartSQL("SELECT r.id AS id, r.\"duration\" AS duration ")
            sql.append(source(parts, index: index))
            sql.append(parts.order.sql)
            let most = largestCount ?? .max
            if let limit = rules.limit {
                sql.append(SmartSQL(" LIMIT ?", min(limit, most)))
            } else if let percent = rules.limitPercent {
                sql.append(SmartSQL(" LIMIT (SELECT min(?, max(1, count(*) * ? / 100)) ", most, percent))
                sql.append(source(parts))
                sql.append(SmartSQL(")"))
            } else if let largestCount {
                sql.append(SmartSQL(" LIMIT ?", largestCount))
            }
            return sql
        }
        var result = Selection(
            tracks: tracks(nil),
            dependsOnTracksOnly: !parts.readsListening && !parts.readsPlaylists)
        // SQLite finds a few first tracks quickly without an index, and sorts all tracks sooner than it reads them along one.
        let count = min(rules.limit ?? .max, largestCount ?? .max)
        if let columns = parts.order.indexColumns, count > 1000, count <= CatalogueLimits.playlistEntries {
            var sample = SmartSQL("SELECT count(*) ")
            sample.append(source(parts))
            sample.append(SmartSQL(" AND r.id IN (SELECT value FROM json_each(?))"))
            result.indexed = Indexed(columns: columns, sample: sample) { tracks($0) }
        }
        return result
    }

    /// Returns a query for the number and total duration of the matching tracks, without the limit.
    func count(_ rules: SmartRules) throws -> SmartSQL {
        var sql = SmartSQL("SELECT count(*) AS tracks, total(r.\"duration\") AS seconds ")
        sql.append(source(try parts(rules)))
        return sql
    }

    private func source(_ parts: Parts, index: String? = nil) -> SmartSQL {
        var sql = SmartSQL("FROM temp.smart_rows AS r \(index.map { "INDEXED BY \($0) " } ?? "")")
        if parts.readsListening {
            sql.append(
                SmartSQL(
                    "LEFT JOIN temp.smart_listening AS l ON l.account_id = ? AND l.track_id = r.id ",
                    accountID))
        }
        sql.append(SmartSQL("WHERE "))
        sql.append(.joined([parts.condition], by: "AND"))
        return sql
    }

    private func parts(_ rules: SmartRules) throws -> Parts {
        var conditions = SmartConditions(query: self)
        let condition = try conditions.rule(rules.match, in: "")
        let order = try SmartOrder(rules, seed: seed ?? today.number)
        return Parts(
            condition: condition, order: order,
            readsListening: conditions.readsListening || order.readsListening,
            readsPlaylists: conditions.readsPlaylists)
    }

    /// Returns the condition that a track is in another playlist.
    func membership(ofPlaylist id: Int, place: String) throws -> SmartSQL {
        let reader = CatalogueReader(database: database)
        let isVisible = try reader.isPlaylist(id, visibleTo: accountID)
        guard isVisible else {
            guard !requiresPlaylists else { throw SmartRulesError(place, "there is no playlist \(id)") }
            return SmartSQL("0")
        }
        guard let other = try SmartPlaylists.stored(id, database) else {
            return SmartSQL("r.id IN (SELECT track_id FROM playlist_entries WHERE playlist_id = ?)", id)
        }
        guard !parents.contains(id), parents.count < SmartRules.Limits.depth else {
            guard !requiresPlaylists else {
                throw SmartRulesError(
                    place, "the playlist would contain itself, or playlists are nested too deep")
            }
            return SmartSQL("0")
        }
        let inner = SmartQuery(
            accountID: other.ownerID, today: today, database: database, parents: parents + [id],
            budget: budget, requiresPlaylists: requiresPlaylists)
        do {
            var sql = try inner.tracks(other.rules).tracks
            sql.text = "r.id IN (SELECT id FROM (\(sql.text)))"
            return sql
        } catch let error as SmartRulesError {
            guard !requiresPlaylists else { throw SmartRulesError(place, error.message) }
            return SmartSQL("0")
        }
    }
}

extension SmartRules {
    /// The number of tracks of a playlist whose rules match a number of tracks.
    func trackCount(matching count: Int) -> Int {
        let most = min(count, CatalogueLimits.playlistEntries)
        if let limit { return min(limit, most) }
        guard let limitPercent else { return most }
        return min(most, max(1, count * limitPercent / 100))
    }
}

extension SmartSQL {
    /// Appends more.
    mutating func append(_ other: SmartSQL) {
        text += other.text
        arguments += other.arguments
    }
}
