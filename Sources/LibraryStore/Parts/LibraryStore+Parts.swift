internal import Analyzer
package import Foundation
internal import SQLiteDatabase

/// The changes that merging a part's results made to a library.
package struct PartMergeResult: Sendable, Equatable {
    /// Tracks that are new, or available again.
    package var addedCount = 0
    /// Tracks that were at another path, or whose file or tags have changed.
    package var changedCount = 0
    /// Tracks that the library had in this state.
    package var unchangedCount = 0
    /// Tracks and failures of files of which the library knows a later state.
    package var outdatedCount = 0
    /// Analyses that the library did not have.
    package var analysisCount = 0
    /// Files that could not be analysed, and are now known as such.
    package var failureCount = 0

    /// Creates a result without changes.
    package init() {}

    /// Adds the changes of another part.
    package static func += (sum: inout PartMergeResult, other: PartMergeResult) {
        sum.addedCount += other.addedCount
        sum.changedCount += other.changedCount
        sum.unchangedCount += other.unchangedCount
        sum.outdatedCount += other.outdatedCount
        sum.analysisCount += other.analysisCount
        sum.failureCount += other.failureCount
    }
}

/// Memory for pages of the library during a merge, in KiB.
private let mergeCacheKibibytes = 256 << 10

/// Pages that a merge writes to the write-ahead log, 256 MiB, before they are copied into the database. Parts change the same pages again
/// and again: with SQLite's 1,000 pages, the same ones would be copied after each part.
private let mergeLogPages = 65_536

extension LibraryStore {
    /// Adds the results of a part: first the analyses, then the tracks, each in one transaction. Copying all analyses at once changes so many
    /// pages that SQLite keeps them in a file until the end of the transaction, and would write those of each track there too.
    ///
    /// Analyses of the same or a later version are kept, and so is what the library knows of a later state of a file. Adding
    /// the same results again changes nothing.
    /// - Parameters:
    ///   - path: the file of ``PartResults``.
    ///   - isPresent: whether a file exists now; called for the old paths of files that may have moved.
    /// - Throws: `DatabaseError` if a database cannot be used, or the file is of another program or version.
    package func merge(
        partAt path: String, now: Date = Date(), isPresent: (RelativePath) -> Bool
    ) throws -> PartMergeResult {
        // An attached file that does not exist would be created.
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError(.notFound, "there are no results", path: path)
        }
        var result = PartMergeResult()
        return try write(
            attaching: path, as: "part",
            after: { database in
                try PartSchema.require(database, schema: "part", path: path)
                // The rows of a part are scattered over large indexes, whose pages would otherwise be read again and again.
                try database.execute("PRAGMA main.cache_size = -\(mergeCacheKibibytes)")
                try database.execute("PRAGMA main.wal_autocheckpoint = \(mergeLogPages)")
                try Self.mergeAnalyses(now: now, &result, database)
            }
        ) { database in
            try Self.mergeTracks(now: now, isPresent: isPresent, &result, database)
            try Self.mergeFailures(now: now, &result, database)
            return result
        }
    }

    /// Copies the analyses of the attached part that the library does not have, all at once: for each single row, SQLite would make a
    /// temporary table, because triggers follow.
    private static func mergeAnalyses(
        now: Date, _ result: inout PartMergeResult, _ database: Database
    ) throws {
        try database.execute(
            "CREATE TEMPORARY TABLE IF NOT EXISTS merged_analyses (audio_hash BLOB PRIMARY KEY) WITHOUT ROWID"
        )
        try database.execute(
            """
            INSERT INTO merged_analyses
            SELECT audio_hash FROM part.analyses AS new WHERE NOT EXISTS (
                SELECT 1 FROM main.analyses AS old WHERE old.audio_hash = new.audio_hash
                    AND old.analyzer_version >= new.analyzer_version
                    AND ifnull(old.profile_version, 0) >= ifnull(new.profile_version, 0))
            """)
        let count = database.changedRowCount
        guard count > 0 else { return }
        try database.execute(
            try copying("analyses", setting: "analyzed_at_ms", database), [now.storedMilliseconds])
        try database.execute(try copying("analysis_details", setting: nil, database))
        try outdateAlbums(
            """
            id IN (SELECT album_id FROM tracks WHERE audio_hash IN (SELECT audio_hash FROM merged_analyses))
            """, [], database)
        try database.execute("DELETE FROM merged_analyses")
        result.analysisCount += count
    }

    /// The statement that copies the rows of the merged analyses, over existing ones.
    /// - Parameter name: a column that gets the argument instead.
    private static func copying(
        _ table: String, setting name: String?, _ database: Database
    ) throws -> String {
        let all: [String] = try database.values(
            "SELECT name FROM pragma_table_info(?, 'main') WHERE name NOT IN ('id', ?)", [table, name ?? ""])
        let columns = all.joined(separator: ", ")
        let changes = ((name.map { [$0] } ?? []) + all).filter { $0 != "audio_hash" }
            .map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO main.\(table) (\(name.map { $0 + ", " } ?? "")\(columns))
            SELECT \(name == nil ? "" : "?, ")\(columns) FROM part.\(table)
            WHERE audio_hash IN (SELECT audio_hash FROM merged_analyses) ORDER BY rowid
            ON CONFLICT (audio_hash) DO UPDATE SET \(changes)
            """
    }

    private static func mergeTracks(
        now: Date, isPresent: (RelativePath) -> Bool, _ result: inout PartMergeResult, _ database: Database
    ) throws {
        let divided = try mergeDivisions(now: now, database)
        let insertion = BulkInsertion()
        try database.forEach("SELECT * FROM part.tracks ORDER BY id") { row in
            let track = try TrackRow.track(row)
            guard try !knowsLater(track.path, track.file, isDivided: divided.contains, database) else {
                result.outdatedCount += 1
                return
            }
            let record = TrackRecord(
                path: track.path, file: track.file, audioHash: track.audioHash, tags: track.tags,
                analysis: nil, payloadOffset: track.payloadOffset, part: track.part)
            switch try save(record, now: now, isPresent: isPresent, in: insertion, database).change {
            case .none: result.unchangedCount += 1
            case .added: result.addedCount += 1
            case .changed, .moved: result.changedCount += 1
            }
        }
        try insertion.end(database)
    }

    /// Takes over how files are divided into tracks, unless the library knows a later state of the file, or has divided it otherwise.
    /// - Returns: the files that are now divided as the part says.
    private static func mergeDivisions(now: Date, _ database: Database) throws -> Set<RelativePath> {
        var merged: Set<RelativePath> = []
        for new in try database.fetchAll("SELECT * FROM part.file_divisions", [], Self.division) {
            let modified: Int? = try database.scalar(
                "SELECT max(modified_at_ns) FROM part.tracks WHERE relative_path IN (?, ?)",
                [new.path.text, new.trackPaths.first?.text ?? new.path.text])
            let known = try database.fetchOne(
                "SELECT * FROM main.file_divisions WHERE relative_path = ?", [new.path.text], Self.division)
            guard let modified, known?.isDivided != true || known == new,
                try !knowsLater(new.path, modified: modified, database)
            else { continue }
            if known != new { try save(new, database) }
            guard new.isDivided else { continue }
            merged.insert(new.path)
            try database.execute(
                """
                UPDATE tracks SET unavailable_since_ms = ?
                WHERE relative_path = ? AND unavailable_since_ms IS NULL
                """, [now.storedMilliseconds, new.path.text])
        }
        return merged
    }

    private static func knowsLater(
        _ path: RelativePath, _ file: FileState, isDivided: (RelativePath) -> Bool, _ database: Database
    ) throws -> Bool {
        // A file that the library has divided into tracks is better known: parts read sheets in folders only.
        if try path.sheetTrack.map({ !isDivided($0.file) }) ?? isDividedFile(path, database) { return true }
        return try knowsLater(path, modified: file.modificationTimeNanoseconds, database)
    }

    private static func isDividedFile(_ path: RelativePath, _ database: Database) throws -> Bool {
        try database.scalar(
            "SELECT 1 FROM main.file_divisions WHERE relative_path = ? AND track_numbers <> ''", [path.text])
            ?? false
    }

    private static func knowsLater(
        _ path: RelativePath, modified nanoseconds: Int, _ database: Database
    ) throws -> Bool {
        try database.scalar(
            "SELECT 1 FROM main.tracks WHERE relative_path = ? AND modified_at_ns > ?",
            [path.text, nanoseconds]) ?? false
    }

    private static func mergeFailures(
        now: Date, _ result: inout PartMergeResult, _ database: Database
    ) throws {
        try database.forEach("SELECT * FROM part.analysis_failures ORDER BY relative_path") { row in
            var failure = try Self.failure(row)
            // A file that was read in the same state or a later one, here or by another run, is no failure.
            let isRead: Bool? = try database.scalar(
                """
                SELECT 1 FROM main.tracks WHERE relative_path = ? AND unavailable_since_ms IS NULL
                    AND modified_at_ns >= ?
                """, [failure.path.text, failure.file.modificationTimeNanoseconds])
            let known = try database.fetchOne(
                "SELECT * FROM main.analysis_failures WHERE relative_path = ?", [failure.path.text],
                Self.failure)
            let isKnown = known.map {
                $0.isFinal(file: failure.file, version: failure.analyzerVersion)
                    || $0.file.modificationTimeNanoseconds > failure.file.modificationTimeNanoseconds
            }
            guard isRead != true, isKnown != true else {
                result.outdatedCount += isKnown == true ? 0 : 1
                return
            }
            failure.failedAt = now
            try Self.record(failure, database)
            result.failureCount += 1
        }
    }
}
