package import Analyzer
package import Foundation
package import MusicShared
internal import SQLiteDatabase
package import Tagging

/// Edits of tags that can be undone, in `edits.sqlite`: the former values of the changed fields, and the states of the files.
///
/// A separate file, because clients download the library, and an edit may have removed private texts.
package final class EditHistory: Sendable {
    /// A file of an edit.
    package struct File: Sendable {
        /// Identifies it in the history.
        package let id: Int
        package let path: RelativePath
        /// The states of the file before and after the edit.
        package let before: FileState
        package let after: FileState
        package let former: FormerTags
    }

    /// Limits of what is kept; the oldest edits are forgotten first.
    package struct Limits: Sendable {
        package var edits = 500
        package var files = 200_000
        /// Size of all covers in bytes. Covers beyond it are not kept, so edits of these cannot be undone.
        package var coverBytes = 256 << 20

        package init() {}
    }

    /// "KaEd": marks the file as this program's.
    private static let applicationID: Int32 = 0x4B61_4564
    private let pool: DatabasePool
    private let limits: Limits

    /// Opens the history of a data folder; creates or migrates the file first.
    /// - Throws: `DatabaseError` as for ``LibraryStore``.
    package init(_ folder: DataFolder, limits: Limits = Limits()) throws {
        self.limits = limits
        pool = try DatabasePool(path: folder.editDatabase, options: .init(cacheKibibytes: 1_024)) {
            database in
            try database.migrate([Migration("edits", sql: Self.schema)], applicationID: Self.applicationID)
        }
    }

    // MARK: Recording

    /// Adds an edited file.
    /// - Parameter edit: the edit to add to; nil to start another.
    /// - Returns: the edit's ID. An edit that was forgotten in the meantime is replaced by another.
    package func add(
        _ path: RelativePath, from before: FileState, to after: FileState, _ former: FormerTags,
        edit: Int?, kind: EditRecord.Kind, fixes: [String] = [], now: Date = Date()
    ) throws -> Int {
        try pool.write { database in
            let known = try edit.flatMap {
                try database.scalar("SELECT id FROM edits WHERE id = ?", [$0]) as Int?
            }
            let id = try known ?? insert(kind, now, database)
            var cover: Int?
            switch former.cover {
            case .leave: break
            case .remove: cover = Self.noCover
            case .set(let picture): cover = try store(picture, of: id, database)
            }
            try database.execute(
                """
                INSERT INTO edited_files (edit_id, relative_path, path_bytes, size_before, modified_before_ns, size_after,
                    modified_after_ns, former, cover) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    id, path.text, path.isPlainText ? nil : path.bytes, before.size,
                    before.modificationTimeNanoseconds, after.size, after.modificationTimeNanoseconds,
                    try Self.json(former.values), cover,
                ])
            try note(former.fields, fixes, in: id, database)
            return id
        }
    }

    private func insert(_ kind: EditRecord.Kind, _ now: Date, _ database: Database) throws -> Int {
        // Before the new edit, so that it is kept whatever its size.
        try database.execute(
            """
            DELETE FROM edits WHERE id NOT IN (SELECT id FROM edits ORDER BY id DESC LIMIT ?) OR id IN (
                SELECT id FROM (
                    SELECT edits.id AS id,
                        sum((SELECT count(*) FROM edited_files WHERE edit_id = edits.id)) OVER newest AS files,
                        sum((SELECT coalesce(sum(length(data)), 0) FROM edit_covers WHERE edit_id = edits.id)) OVER newest AS bytes
                    FROM edits WINDOW newest AS (ORDER BY edits.id DESC)
                ) WHERE files > ? OR bytes > ?)
            """, [limits.edits - 1, limits.files, limits.coverBytes / 2])
        try database.execute(
            "INSERT INTO edits (made_at_ms, kind) VALUES (?, ?)", [now.storedMilliseconds, kind.rawValue])
        return Int(database.lastInsertRowID)
    }

    /// Stores a cover once per edit, since the tracks of an album have the same.
    /// - Returns: its number; nil if it is too large to be kept.
    private func store(_ cover: EmbeddedCover, of edit: Int, _ database: Database) throws -> Int? {
        let stored: Int? = try database.scalar(
            "SELECT id FROM edit_covers WHERE edit_id = ? AND length(data) = ? AND data = ?",
            [edit, cover.data.count, cover.data])
        if let stored { return stored }
        let size: Int = try database.scalar("SELECT coalesce(sum(length(data)), 0) FROM edit_covers") ?? 0
        guard size + cover.data.count <= limits.coverBytes else { return nil }
        try database.execute(
            "INSERT INTO edit_covers (edit_id, mime_type, data) VALUES (?, ?, ?)",
            [edit, cover.mimeType, cover.data])
        return Int(database.lastInsertRowID)
    }

    /// Adds changed fields and applied fixes to those of an edit.
    private func note(_ fields: [String], _ fixes: [String], in edit: Int, _ database: Database) throws {
        for (column, names) in [("fields", fields), ("fixes", fixes)] where !names.isEmpty {
            let text: String = try database.scalar("SELECT \(column) FROM edits WHERE id = ?", [edit]) ?? ""
            let stored = text.split(separator: ",").map(String.init)
            let new = names.filter { !stored.contains($0) }
            guard !new.isEmpty else { continue }
            try database.execute(
                "UPDATE edits SET \(column) = ? WHERE id = ?", [(stored + new).joined(separator: ","), edit])
        }
    }

    // MARK: Reading

    /// Returns some edits, the latest first.
    package func page(limit: Int, offset: Int) throws -> CataloguePage<EditRecord> {
        try pool.read { database in
            let total: Int = try database.scalar("SELECT count(*) FROM edits") ?? 0
            var edits = try database.fetchAll(
                """
                SELECT id, made_at_ms, kind, fields, fixes,
                    (SELECT count(*) FROM edited_files WHERE edit_id = edits.id) AS files,
                    (SELECT count(*) FROM edited_files WHERE edit_id = edits.id AND failure IS NOT NULL) AS failed
                FROM edits ORDER BY id DESC LIMIT ? OFFSET ?
                """, [limit, offset], Self.record)
            for index in edits.indices {
                // Those that could not be restored first, with the reason.
                edits[index].files = try database.fetchAll(
                    """
                    SELECT relative_path, failure, failure_code FROM edited_files WHERE edit_id = ?
                    ORDER BY failure IS NULL, id LIMIT ?
                    """, [edits[index].editID, EditRecord.listedFiles]
                ) { row in
                    EditRecord.File(
                        relativePath: try row["relative_path"], failure: try row["failure"],
                        failureCode: try row["failure_code"])
                }
            }
            return CataloguePage(items: edits, total: total, limit: limit, offset: offset)
        }
    }

    private static func record(_ row: borrowing Row) throws -> EditRecord {
        func names(_ column: String) throws -> [String] {
            let text: String = try row[column]
            return text.split(separator: ",").map(String.init)
        }
        let kind: String = try row["kind"]
        return EditRecord(
            editID: try row["id"],
            madeAt: Date(storedMilliseconds: try row["made_at_ms"]).timeIntervalSince1970,
            kind: EditRecord.Kind(rawValue: kind) ?? .edit, fields: try names("fields"),
            fixes: try names("fixes"),
            fileCount: try row["files"], failedCount: try row["failed"])
    }

    /// Returns the IDs of an edit's files in order; nil if there is no such edit.
    package func files(of edit: Int) throws -> [Int]? {
        try pool.read { database in
            let isKnown: Int? = try database.scalar("SELECT 1 FROM edits WHERE id = ?", [edit])
            guard isKnown != nil else { return nil }
            return try database.values("SELECT id FROM edited_files WHERE edit_id = ? ORDER BY id", [edit])
        }
    }

    /// Returns a file of an edit; nil if it has been restored, or forgotten with its edit.
    package func file(id: Int) throws -> File? {
        try pool.read { database in
            try database.fetchOne(
                """
                SELECT edited_files.*, mime_type, data FROM edited_files LEFT JOIN edit_covers ON edit_covers.id = cover
                WHERE edited_files.id = ?
                """, [id], Self.file)
        }
    }

    private static func file(_ row: borrowing Row) throws -> File {
        let bytes: [UInt8]? = try row["path_bytes"]
        let text: String = try row["relative_path"]
        guard let path = bytes.map({ RelativePath(bytes: $0) }) ?? RelativePath(text: text) else {
            throw StoreError(.damagedRow, "an edit has an invalid path")
        }
        let json: String = try row["former"]
        var former = FormerTags()
        former.values = try JSONDecoder().decode([String: FormerTags.Value].self, from: Data(json.utf8))
        let data: [UInt8]? = try row["data"]
        if let data {
            former.cover = .set(EmbeddedCover(data: data, mimeType: try row["mime_type"]))
        } else if try row["cover"] as Int? == noCover {
            former.cover = .remove
        }
        return File(
            id: try row["id"], path: path,
            before: FileState(
                size: try row["size_before"], modificationTimeNanoseconds: try row["modified_before_ns"]),
            after: FileState(
                size: try row["size_after"], modificationTimeNanoseconds: try row["modified_after_ns"]),
            former: former)
    }

    // MARK: Undoing

    /// Removes a file whose former values are restored, and the edit with its last file.
    ///
    /// The file is now as the edit before left it, in a new state: that edit can be undone next.
    /// - Parameter state: the state of the file now.
    package func setRestored(_ file: File, state: FileState) throws {
        try pool.write { database in
            let edit: Int? = try database.scalar(
                "DELETE FROM edited_files WHERE id = ? RETURNING edit_id", [file.id])
            guard let edit else { return }
            try database.execute(
                """
                UPDATE edited_files SET size_after = ?, modified_after_ns = ?
                WHERE relative_path = ? AND size_after = ? AND modified_after_ns = ?
                """,
                [
                    state.size, state.modificationTimeNanoseconds, file.path.text, file.before.size,
                    file.before.modificationTimeNanoseconds,
                ])
            try database.execute(
                "DELETE FROM edits WHERE id = ? AND id NOT IN (SELECT edit_id FROM edited_files)", [edit])
        }
    }

    /// Stores why the former values of a file could not be restored.
    /// - Parameter code: the stable code of the error.
    package func setFailed(_ file: File, _ reason: String, code: String) throws {
        try pool.write { database in
            try database.execute(
                "UPDATE edited_files SET failure = ?, failure_code = ? WHERE id = ?", [reason, code, file.id])
        }
    }

    /// Forgets an edit; the files stay as they are.
    /// - Returns: whether there was such an edit.
    package func remove(_ edit: Int) throws -> Bool {
        try pool.write { database in
            try database.execute("DELETE FROM edits WHERE id = ?", [edit])
            return database.changedRowCount > 0
        }
    }

    /// Stored as the cover of a file that had none.
    private static let noCover = 0

    private static func json(_ values: [String: FormerTags.Value]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(values), as: UTF8.self)
    }

    private static let schema = """
        -- `fields` and `fixes`: names separated by commas.
        CREATE TABLE edits (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            made_at_ms INTEGER NOT NULL,
            kind TEXT NOT NULL,
            fields TEXT NOT NULL DEFAULT '',
            fixes TEXT NOT NULL DEFAULT ''
        ) STRICT;

        CREATE TABLE edit_covers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            edit_id INTEGER NOT NULL REFERENCES edits ON DELETE CASCADE,
            mime_type TEXT NOT NULL,
            data BLOB NOT NULL
        ) STRICT;
        CREATE INDEX edit_covers_by_edit ON edit_covers (edit_id);

        CREATE TABLE edited_files (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            edit_id INTEGER NOT NULL REFERENCES edits ON DELETE CASCADE,
            relative_path TEXT NOT NULL,
            path_bytes BLOB,
            size_before INTEGER NOT NULL,
            modified_before_ns INTEGER NOT NULL,
            size_after INTEGER NOT NULL,
            modified_after_ns INTEGER NOT NULL,
            -- JSON: the former values by field; null for none.
            former TEXT NOT NULL,
            -- A cover's ID; 0 if the file had none; NULL if the edit did not change it.
            cover INTEGER,
            -- Why it could not be restored.
            failure TEXT,
            failure_code TEXT
        ) STRICT;
        CREATE INDEX edited_files_by_edit ON edited_files (edit_id);
        CREATE INDEX edited_files_by_path ON edited_files (relative_path);
        """
}
