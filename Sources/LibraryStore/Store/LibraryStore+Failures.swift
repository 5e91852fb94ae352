package import Analyzer
package import Foundation
internal import SQLiteDatabase

/// A file that could not be analysed.
package struct AnalysisFailure: Sendable, Equatable {
    /// The file's path.
    package var path: RelativePath
    /// Its size and modification time when it failed.
    package var file: FileState
    /// The version of the analyzer that failed.
    package var analyzerVersion: Int
    /// The stable name of the kind of failure.
    package var errorCode: String
    /// A readable explanation.
    package var message: String
    /// Number of failures in this state.
    package var attempts: Int
    /// When it last failed.
    package var failedAt: Date

    /// Creates a failure.
    package init(
        path: RelativePath, file: FileState, analyzerVersion: Int, errorCode: String, message: String,
        attempts: Int, failedAt: Date
    ) {
        self.path = path
        self.file = file
        self.analyzerVersion = analyzerVersion
        self.errorCode = errorCode
        self.message = message
        self.attempts = attempts
        self.failedAt = failedAt
    }

    /// Whether neither the file nor the analyzer has changed since the failure.
    package func isFinal(file: FileState, version: Int = TrackAnalysis.currentVersion) -> Bool {
        self.file == file && analyzerVersion == version
    }

    /// Kinds of failure that may go away without a change of the file.
    package static let passing: [AnalyzerError.Code] = [
        .fileUnreadable, .fileVanished, .fileChanged, .decoderFailed,
    ]

    /// Whether the analysis has crashed the program.
    package var isCrash: Bool { errorCode == AnalyzerError.Code.killedProgram.rawValue }

    /// When a file that has crashed the program is analysed once more, alone: after 1 day, 2, 4, … up to 32.
    /// The cause of the crash may have been elsewhere, such as a library that has been updated since.
    var retryDate: Date { failedAt + 86_400 * pow(2, Double(min(max(attempts, 1), 6) - 1)) }

    /// Whether another attempt is known to fail too. Permissions, disk errors and reading too early are not
    /// the file's fault, and its modification time does not change when they are fixed.
    package func isLasting(file: FileState, now: Date = Date()) -> Bool {
        isFinal(file: file) && !(isCrash && now >= retryDate)
            && !Self.passing.contains(AnalyzerError.Code(rawValue: errorCode))
    }

    /// Maximum number of automatic attempts for a file that might be readable the next time.
    package static let mostAttempts = 5

    /// Whether there are no more automatic attempts: the next one would fail, or there were too many.
    package func isGivenUp(file: FileState) -> Bool {
        isLasting(file: file) || (isFinal(file: file) && !isCrash && attempts >= Self.mostAttempts)
    }
}

extension LibraryStore {
    /// Stores that a file could not be analysed. A track at this path is marked as unavailable,
    /// since its file is not the one that was analysed.
    /// - Returns: the id of the track, if it was available before.
    @discardableResult
    package func recordFailure(
        path: RelativePath, file: FileState, errorCode: String, message: String,
        version: Int = TrackAnalysis.currentVersion, now: Date = Date()
    ) throws -> Int? {
        try write { database in
            try Self.record(
                AnalysisFailure(
                    path: path, file: file, analyzerVersion: version, errorCode: errorCode, message: message,
                    attempts: 1, failedAt: now), database)
        }
    }

    /// Stores a failure, whose attempts are added to those with the same file and analyzer, and marks the track as
    /// unavailable.
    /// - Returns: the id of the track, if it was available before.
    @discardableResult
    static func record(_ failure: AnalysisFailure, _ database: Database) throws -> Int? {
        var failure = failure
        let path = failure.path.text
        let lost: Int? = try database.scalar(
            "SELECT id FROM tracks WHERE relative_path = ? AND unavailable_since_ms IS NULL", [path])
        let known = try database.fetchOne(
            "SELECT * FROM analysis_failures WHERE relative_path = ?", [path], Self.failure)
        if let known, known.isFinal(file: failure.file, version: failure.analyzerVersion) {
            failure.attempts += known.attempts
        }
        try failure.save(database)
        try forgetDivision(of: failure.path, database)
        try outdateAlbums("id = (SELECT album_id FROM tracks WHERE relative_path = ?)", [path], database)
        try database.execute(
            """
            UPDATE tracks SET unavailable_since_ms = coalesce(unavailable_since_ms, ?)
            WHERE relative_path = ?
            """, [failure.failedAt.storedMilliseconds, path])
        return lost
    }

    /// All files that could not be analysed, sorted by path.
    package func failures() throws -> [AnalysisFailure] {
        try read { database in
            try database.fetchAll("SELECT * FROM analysis_failures ORDER BY relative_path", [], Self.failure)
        }
    }

    /// A page of the files that could not be analysed, and their total number.
    /// - Parameters:
    ///   - limit: the maximum number of files.
    ///   - offset: the number of files to skip.
    package func failures(limit: Int, offset: Int) throws -> (failures: [AnalysisFailure], total: Int) {
        try read { database in
            (
                try database.fetchAll(
                    "SELECT * FROM analysis_failures ORDER BY relative_path LIMIT ? OFFSET ?",
                    [limit, offset], Self.failure),
                try database.scalar("SELECT count(*) FROM analysis_failures") ?? 0
            )
        }
    }

    /// The failure of the file at a path; nil if the file has not failed.
    package func failure(at path: RelativePath) throws -> AnalysisFailure? {
        try read { database in
            try database.fetchOne(
                "SELECT * FROM analysis_failures WHERE relative_path = ?", [path.text], Self.failure)
        }
    }

    static func failure(_ row: borrowing Row) throws -> AnalysisFailure {
        AnalysisFailure(
            path: try TrackRow.path(row),
            file: FileState(
                size: try row["file_size"], modificationTimeNanoseconds: try row["modified_at_ns"]),
            analyzerVersion: try row["analyzer_version"], errorCode: try row["error_code"],
            message: try row["message"], attempts: try row["attempts"],
            failedAt: Date(storedMilliseconds: try row["failed_at_ms"]))
    }
}

extension AnalysisFailure {
    /// Writes the row of the failure, over an existing one.
    func save(_ database: Database) throws {
        var columns = ColumnValues()
        TrackRow.set(path: path, in: &columns)
        columns["file_size"] = file.size
        columns["modified_at_ns"] = file.modificationTimeNanoseconds
        columns["analyzer_version"] = analyzerVersion
        columns["error_code"] = errorCode
        columns["message"] = message
        columns["attempts"] = attempts
        columns["failed_at_ms"] = failedAt.storedMilliseconds
        try columns.upsert(into: "analysis_failures", key: "relative_path", database)
    }
}

extension AnalyzerError.Code {
    /// The analysis of the file has crashed the program too often.
    package static let killedProgram = Self(rawValue: "killed_program")
}
