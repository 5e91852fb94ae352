internal import SQLiteDatabase

extension LibraryStore {
    /// The files that have cue sheets, by path.
    package func divisions() throws -> [RelativePath: FileDivision] {
        try read { database in
            let found = try database.fetchAll("SELECT * FROM file_divisions", [], Self.division)
            return Dictionary(found.map { ($0.path, $0) }) { first, _ in first }
        }
    }

    /// How a file was divided; nil if it has no cue sheet.
    package func division(of file: RelativePath) throws -> FileDivision? {
        try read { database in
            try database.fetchOne(
                "SELECT * FROM file_divisions WHERE relative_path = ?", [file.text], Self.division)
        }
    }

    /// The paths at which the library shows a file: its own, or those of the tracks of its cue sheet.
    package func trackPaths(ofFile file: RelativePath) throws -> [RelativePath] {
        try division(of: file)?.trackPaths ?? [file]
    }

    /// Stores how a file is divided.
    static func save(_ division: FileDivision, _ database: Database) throws {
        guard !division.isTrivial else { return try forgetDivision(of: division.path, database) }
        var columns = ColumnValues()
        TrackRow.set(path: division.path, in: &columns)
        columns["sheets"] = division.sheets
        columns["track_numbers"] = division.trackNumbers.map(String.init).joined(separator: " ")
        columns["remark"] = division.remark
        try columns.upsert(into: "file_divisions", key: "relative_path", database)
    }

    /// Forgets how a file was divided, because it cannot be read.
    static func forgetDivision(of file: RelativePath, _ database: Database) throws {
        try database.execute("DELETE FROM file_divisions WHERE relative_path = ?", [file.text])
    }

    static func division(_ row: borrowing Row) throws -> FileDivision {
        let numbers: String = try row["track_numbers"]
        return FileDivision(
            path: try TrackRow.path(row), sheets: try row["sheets"],
            trackNumbers: numbers.split(separator: " ").compactMap { Int($0) }, remark: try row["remark"])
    }
}
