internal import SQLiteDatabase
internal import Synchronization

/// The contents of a copy of the library.
public enum LibraryCopyContents: Sendable, Hashable, CaseIterable {
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
    /// - Parameter hasPrivatePlaylists: whether the copy contains playlists that only their account sees.
    public func writeCopy(
        _ contents: LibraryCopyContents, hasPrivatePlaylists: Bool = true, to destination: String
    ) throws {
        let columns: [String: Set<String>] =
            switch contents {
            case .slim: ["analysis_details": AnalysisRow.largeColumns]
            case .whole: [:]
            }
        let rows =
            hasPrivatePlaylists
            ? [:]
            : [
                "playlists": "is_public",
                "playlist_entries": "playlist_id IN (SELECT id FROM source.playlists WHERE is_public)",
            ]
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
public final class LibraryChanges: Sendable {
    /// Safe: the connection is used inside the mutex only.
    private struct Connection: @unchecked Sendable {
        let database: Database
    }

    private let connection: Mutex<Connection>

    /// Opens a read-only connection to a library.
    public init(_ library: LibraryStore) throws {
        let database = try Database(path: library.path, options: .init(access: .readOnly, cacheKibibytes: 64))
        connection = Mutex(Connection(database: database))
    }

    /// A number that changes whenever this or another program has written to the library. It is only
    /// comparable for the same object.
    public var version: Int {
        get throws { try connection.withLock { try $0.database.dataVersion } }
    }
}
