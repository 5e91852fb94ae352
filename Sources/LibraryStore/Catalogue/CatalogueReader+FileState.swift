package import Analyzer
package import Catalogue
internal import SQLiteDatabase

extension CatalogueReader {
    /// The size and modification time of a track's file when it was last read; nil if there is no such track.
    package func fileState(trackID: Int) throws -> FileState? {
        try database.fetchOne("SELECT file_size, modified_at_ns FROM tracks WHERE id = ?", [trackID]) { row in
            FileState(size: try row["file_size"], modificationTimeNanoseconds: try row["modified_at_ns"])
        }
    }
}
