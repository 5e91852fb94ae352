internal import SQLiteDatabase

/// The state of a connection to the listening data that has the library attached.
enum ReadState {
    /// Identifies the state of both databases together.
    static func of(_ database: Database) throws -> String {
        let revision: String? = try database.scalar(
            """
            SELECT own.epoch || '.' || own.revision || '-' || lib.epoch || '.' || lib.revision
            FROM listening_state AS own, library_state AS lib
            """)
        return revision ?? ""
    }
}
