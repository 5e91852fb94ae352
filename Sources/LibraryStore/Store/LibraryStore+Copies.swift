internal import SQLiteDatabase

/// The contents of a copy of the library.
package enum LibraryCopyContents: Sendable, Hashable, CaseIterable {
    /// Every table with all its rows, but only the keys of `analysis_details`: its columns take 20 kB per
    /// track, and are needed for one track at a time. Omitted columns are empty: `frame_index` has length 0,
    /// the others are NULL.
    case slim
    /// Everything.
    case whole
}

extension LibraryStore {
    /// Writes a consistent, compact copy of the library to a new file, while passes continue. Does not wait
    /// until the copy is on disk.
    /// A slim copy contains no smart playlists.
    /// - Parameter hasPrivatePlaylists: whether the copy contains playlists that only their account sees.
    package func writeCopy(
        _ contents: LibraryCopyContents, hasPrivatePlaylists: Bool = true, to destination: String
    ) throws {
        let columns: [String: Set<String>] =
            switch contents {
            case .slim: ["analysis_details": AnalysisRow.largeColumns]
            case .whole: [:]
            }
        var conditions: [String] = []
        if !hasPrivatePlaylists { conditions.append("is_public") }
        if contents == .slim {
            // Their readers have no listening data to evaluate rules with.
            conditions.append("id NOT IN (SELECT playlist_id FROM source.smart_playlists)")
        }
        let condition = conditions.joined(separator: " AND ")
        let ofPlaylist = "playlist_id IN (SELECT id FROM source.playlists WHERE \(condition))"
        let rows =
            conditions.isEmpty
            ? [:]
            : ["playlists": condition, "playlist_entries": ofPlaylist, "smart_playlists": ofPlaylist]
        try Database.writeCopy(
            of: path, to: destination, leavingEmpty: CopyOmissions(columns, rows: rows))
    }

    /// Verifies that a library is not a slim copy: a pass would treat its analyses as complete, and a host
    /// could not cut its tracks. All rows of such a copy are alike, so checking one is enough.
    static func requireDetails(_ database: Database) throws {
        let length: Int? = try database.scalar("SELECT length(frame_index) FROM analysis_details LIMIT 1")
        guard length != 0 else {
            throw StoreError(
                .slimCopy,
                "a slim copy of a library is read-only: download the full one (/db?details=true), or analyse "
                    + "the music again in another data folder", path: database.path)
        }
    }
}

/// Detects changes to a library.
package final class LibraryChanges: Sendable {
    private let connection: DatabaseQueue

    /// Opens a read-only connection to a library.
    package init(_ library: LibraryStore) throws { connection = try .watching(library.path) }

    /// A number that changes whenever this or another program has written to the library. It is only
    /// comparable for the same object.
    package var version: Int {
        get throws { try connection.dataVersion }
    }
}
