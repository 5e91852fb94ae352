internal import SQLiteDatabase
internal import Synchronization

/// How much of the library a copy holds.
public enum LibraryCopyContents: Sendable, Hashable, CaseIterable {
    /// Every table with all its rows, but of `analysis_details` only the keys: its columns take 20 kB a track, and are
    /// needed of one track at a time. What is left out is empty: `frame_index` has no length, the other columns are NULL.
    case slim
    /// Everything.
    case whole
}

extension LibraryStore {
    /// Writes a consistent, compact copy of the library into a new file, while passes go on. It is not waited for until
    /// the copy is on the disk.
    public func writeCopy(_ contents: LibraryCopyContents, to destination: String) throws {
        let omissions: CopyOmissions =
            switch contents {
            case .slim: CopyOmissions(["analysis_details": AnalysisRow.largeColumns])
            case .whole: CopyOmissions([:])
            }
        try Database.writeCopy(of: path, to: destination, leavingEmpty: omissions)
    }

    /// Makes sure that a library is no slim copy: a pass would take its analyses for complete, a host could not cut its
    /// tracks. All rows of such a copy are alike, so one tells.
    static func requireDetails(_ database: Database) throws {
        let length: Int? = try database.scalar("SELECT length(frame_index) FROM analysis_details LIMIT 1")
        guard length != 0 else {
            throw StoreError(
                .slimCopy,
                "a slim copy of a library can be read only: fetch the whole one (/db?details=true), or analyse the "
                    + "music anew in another data folder", path: database.path)
        }
    }
}

/// Tells whether a library has changed.
public final class LibraryChanges: Sendable {
    /// Proof: the connection is used inside the mutex only.
    private struct Connection: @unchecked Sendable {
        let database: Database
    }

    private let connection: Mutex<Connection>

    /// Opens a library for looking at it.
    public init(_ library: LibraryStore) throws {
        let database = try Database(path: library.path, options: .init(access: .readOnly, cacheKibibytes: 64))
        connection = Mutex(Connection(database: database))
    }

    /// A number that is another one whenever something was written to the library, by this or another program. It means
    /// nothing to another object.
    public var version: Int {
        get throws { try connection.withLock { try $0.database.dataVersion } }
    }
}
