internal import SQLiteDatabase

/// The tables of a part's results: those of the library that hold tracks, analyses and failures, with the same columns, and
/// one that locates spectra.
///
/// Columns that depend on when or where a part ran are 0, and those that only a library knows are empty.
enum PartSchema {
    /// "KaPa": marks the file as results of a part.
    static let applicationID: Int32 = 0x4B61_5061
    /// Increases with the library's schema, whose columns the tables have.
    static var version: Int { LibrarySchema.migrations.count }

    private static let copiedTables = [
        "tracks", "analyses", "analysis_details", "analysis_failures", "file_divisions",
    ]

    /// Offsets are those of the part's spectra file.
    private static let spectra = """
        CREATE TABLE spectra (
            audio_hash BLOB NOT NULL PRIMARY KEY,
            analyzer_version INTEGER NOT NULL,
            frames_per_second INTEGER NOT NULL,
            band_count INTEGER NOT NULL,
            frame_count INTEGER NOT NULL,
            byte_offset INTEGER NOT NULL
        ) STRICT
        """

    /// Creates the tables in an empty database.
    static func create(in database: Database) throws {
        let model = try Database.inMemory()
        try model.migrate(LibrarySchema.migrations, applicationID: LibrarySchema.applicationID)
        // The tables that a library's tracks refer to are left out.
        try database.execute("PRAGMA foreign_keys = OFF")
        for table in copiedTables {
            let sql: String? = try model.scalar(
                "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [table])
            try database.executeScript(sql ?? "")
        }
        try database.executeScript(spectra)
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(version)")
    }

    /// Checks that a database holds results that this program can read.
    /// - Parameter schema: the name under which it is attached.
    static func require(_ database: Database, schema: String = "main", path: String) throws {
        guard try database.scalar("PRAGMA \(schema).application_id") == Int(applicationID) else {
            throw DatabaseError(
                .foreignDatabase, message: "the file does not hold results of a part", path: path)
        }
        guard try database.scalar("PRAGMA \(schema).user_version") == version else {
            throw DatabaseError(
                .schemaTooNew, message: "written by another version of this program; run the part again",
                path: path)
        }
    }
}
