public import Analyzer
public import Foundation
internal import SQLiteDatabase

/// A file that could not be analysed.
public struct AnalysisFailure: Sendable, Equatable {
    /// Where the file is.
    public var path: RelativePath
    /// Its size and time when it failed.
    public var file: FileState
    /// The version of the analyzer that failed.
    public var analyzerVersion: Int
    /// The stable name of the error's kind.
    public var errorCode: String
    /// The reason, for a person to read.
    public var message: String
    /// How often it has failed in this state.
    public var attempts: Int
    /// When it last failed.
    public var failedAt: Date

    /// Puts the parts together.
    public init(
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

    /// Whether it is of no use to try again: neither the file nor the analyzer has changed since.
    public func isFinal(file: FileState, version: Int = TrackAnalysis.currentVersion) -> Bool {
        self.file == file && analyzerVersion == version
    }

    /// Kinds of failure that may pass without any change of the file.
    static let passing: [AnalyzerError.Code] = [.fileUnreadable, .fileVanished, .fileChanged, .decoderFailed]

    /// Whether it is known that another attempt would fail as well. Rights, disks and hasty reading are not the file's
    /// own fault, and its time does not change when they are put right.
    public func isLasting(file: FileState) -> Bool {
        isFinal(file: file) && !Self.passing.contains(AnalyzerError.Code(rawValue: errorCode))
    }

    /// How often a file is tried that might be readable the next time, before it is left to a pass that somebody asks for.
    public static let mostAttempts = 5

    /// Whether no further attempt is made by itself: it would fail, or too many have.
    public func isGivenUp(file: FileState) -> Bool {
        isLasting(file: file) || (isFinal(file: file) && attempts >= Self.mostAttempts)
    }
}

extension LibraryStore {
    /// Stores that a file could not be analysed. A track that was at this path is marked as unavailable,
    /// since its file is not the one that was analysed.
    /// - Returns: the id of the track, if it was available until now.
    @discardableResult
    public func recordFailure(
        path: RelativePath, file: FileState, errorCode: String, message: String,
        version: Int = TrackAnalysis.currentVersion, now: Date = Date()
    ) throws -> Int? {
        try write { database in
            let lost: Int? = try database.scalar(
                "SELECT id FROM tracks WHERE relative_path = ? AND unavailable_since_ms IS NULL", [path.text])
            let known = try database.fetchOne(
                "SELECT * FROM analysis_failures WHERE relative_path = ?", [path.text], Self.failure)
            let isSame = known?.isFinal(file: file, version: version) ?? false
            var columns = ColumnValues()
            TrackRow.set(path: path, in: &columns)
            columns["file_size"] = file.size
            columns["modified_at_ns"] = file.modificationTimeNanoseconds
            columns["analyzer_version"] = version
            columns["error_code"] = errorCode
            columns["message"] = message
            columns["attempts"] = (isSame ? known?.attempts ?? 0 : 0) + 1
            columns["failed_at_ms"] = now.storedMilliseconds
            try columns.upsert(into: "analysis_failures", key: "relative_path", database)
            try database.execute(
                """
                UPDATE albums SET is_loudness_current = 0
                WHERE id = (SELECT album_id FROM tracks WHERE relative_path = ?)
                """, [path.text])
            try database.execute(
                """
                UPDATE tracks SET unavailable_since_ms = coalesce(unavailable_since_ms, ?)
                WHERE relative_path = ?
                """, [now.storedMilliseconds, path.text])
            return lost
        }
    }

    /// All files that could not be analysed, in the order of their paths.
    public func failures() throws -> [AnalysisFailure] {
        try read { database in
            try database.fetchAll("SELECT * FROM analysis_failures ORDER BY relative_path", [], Self.failure)
        }
    }

    /// Some of them, and how many there are in all.
    /// - Parameters:
    ///   - limit: the most files.
    ///   - offset: how many to leave out at the beginning.
    public func failures(limit: Int, offset: Int) throws -> (failures: [AnalysisFailure], total: Int) {
        try read { database in
            (
                try database.fetchAll(
                    "SELECT * FROM analysis_failures ORDER BY relative_path LIMIT ? OFFSET ?",
                    [limit, offset], Self.failure),
                try database.scalar("SELECT count(*) FROM analysis_failures") ?? 0
            )
        }
    }

    /// The failure of the file at a path; nil if there is none.
    public func failure(at path: RelativePath) throws -> AnalysisFailure? {
        try read { database in
            try database.fetchOne(
                "SELECT * FROM analysis_failures WHERE relative_path = ?", [path.text], Self.failure)
        }
    }

    private static func failure(_ row: borrowing Row) throws -> AnalysisFailure {
        AnalysisFailure(
            path: try TrackRow.path(text: row["relative_path"], bytes: row["path_bytes"]),
            file: FileState(
                size: try row["file_size"], modificationTimeNanoseconds: try row["modified_at_ns"]),
            analyzerVersion: try row["analyzer_version"], errorCode: try row["error_code"],
            message: try row["message"], attempts: try row["attempts"],
            failedAt: Date(storedMilliseconds: try row["failed_at_ms"]))
    }
}
