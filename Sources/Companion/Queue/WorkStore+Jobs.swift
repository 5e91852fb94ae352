public import Analyzer
internal import Foundation
public import MusicShared
internal import SQLiteDatabase

/// What a job is to do.
public struct JobRequest: Sendable {
    /// What is wanted of each file.
    public var parts: AnalysisParts = .all
    /// Make it again, whatever is stored.
    public var isForced = false

    /// Whatever is missing.
    public init() {}
}

// Jobs: wishes for the analysis of many files, whose progress can be followed.
extension WorkStore {
    /// Failures that a job keeps.
    static let keptFailures = 1_000
    /// Jobs that are remembered.
    public static let keptJobs = 1_000
    /// How often clients are told of a job's progress, in milliseconds.
    private static let progressInterval = 1_000

    /// Makes a job over some files.
    /// - Parameters:
    ///   - wanted: the files that are to be analysed.
    ///   - done: how many files have what is asked for already.
    ///   - failures: files that cannot be analysed.
    public func makeJob(
        _ request: JobRequest, wanted: [AnalysisRequest], done: Int = 0, failures: [FileFailure] = []
    ) throws -> JobReport {
        try write { database in
            let id = try Self.insertJob(request, state: .running, database)
            try Self.fill(id, request, wanted: wanted, done: done, failures: failures, database)
            return try Self.requiredJob(id, database)
        }
    }

    /// Makes a job over the whole folder, whose files are still to be found: ``fillJob(_:wanted:done:failures:)``.
    public func makeFolderJob(_ request: JobRequest) throws -> JobReport {
        try write { database in
            try Self.requiredJob(try Self.insertJob(request, state: .preparing, database), database)
        }
    }

    /// Jobs whose files are still to be found.
    func jobsToPrepare() throws -> [(id: Int, request: JobRequest)] {
        try read { database in
            try database.fetchAll(
                "SELECT id, parts, is_forced FROM jobs WHERE state = ? ORDER BY id",
                [JobState.preparing.rawValue]
            ) { row in
                var request = JobRequest()
                request.parts = AnalysisParts(rawValue: try row[1])
                request.isForced = try row[2]
                return (try row[0], request)
            }
        }
    }

    /// Gives a job that was being prepared its files. One that was cancelled meanwhile stays so.
    func fillJob(_ id: Int, wanted: [AnalysisRequest], done: Int, failures: [FileFailure]) throws {
        try write { database in
            let request = try database.fetchOne(
                "SELECT parts, is_forced FROM jobs WHERE id = ? AND state = ?",
                [id, JobState.preparing.rawValue]
            ) { row -> JobRequest in
                var request = JobRequest()
                request.parts = AnalysisParts(rawValue: try row[0])
                request.isForced = try row[1]
                return request
            }
            guard let request else { return }
            try Self.fill(id, request, wanted: wanted, done: done, failures: failures, database)
        }
    }

    /// A job with its failures; nil if there is none of this number.
    public func job(id: Int) throws -> JobReport? {
        try read { database in
            guard var job = try Self.job(id, database) else { return nil }
            job.failures = try database.fetchAll(
                "SELECT relative_path, code, message FROM job_failures WHERE job_id = ? ORDER BY id", [id]
            ) { row in
                FileFailure(relativePath: try row[0], code: try row[1], message: try row[2])
            }
            return job
        }
    }

    /// The jobs, the newest first.
    public func jobs(limit: Int = keptJobs) throws -> [JobReport] {
        try read { database in
            try database.fetchAll("SELECT * FROM jobs ORDER BY id DESC LIMIT ?", [limit], Self.report)
        }
    }

    /// Ends a job: what is not begun is left out, unless somebody else wants it too; what is under way comes to its end.
    /// - Returns: the job as it is now; nil if there is none of this number. A job that has ended stays as it is.
    public func cancelJob(id: Int) throws -> JobReport? {
        try write { database in
            guard let job = try Self.job(id, database) else { return nil }
            guard job.state == .preparing || job.state == .running else { return job }
            let ofOthers = """
                (priority <> ? OR EXISTS (SELECT 1 FROM job_files AS others
                    WHERE others.relative_path = tasks.relative_path AND others.job_id <> ?))
                """
            let mine = "relative_path IN (SELECT relative_path FROM job_files WHERE job_id = ?)"
            // First the files that are not under way are taken from the job, then the tasks that nobody wants any more.
            try database.execute(
                "DELETE FROM tasks WHERE worker IS NULL AND NOT \(ofOthers) AND \(mine)",
                [AnalysisPriority.ahead.rawValue, id, id])
            try database.execute(
                """
                DELETE FROM job_files WHERE job_id = ? AND relative_path NOT IN
                    (SELECT relative_path FROM tasks WHERE worker IS NOT NULL)
                """, [id])
            try database.execute(
                "UPDATE jobs SET state = ?, cancelled = cancelled + ? WHERE id = ?",
                [JobState.cancelled.rawValue, database.changedRowCount, id])
            try Self.finishJob(id, database)
            let report = try Self.requiredJob(id, database)
            try Self.append([.jobProgress(report)], database)
            return report
        }
    }

    /// Notes that a file is dealt with, in all jobs that wait for it.
    static func settle(_ path: RelativePath, failure: FileFailure?, _ database: Database) throws {
        let jobs = try database.fetchAll(
            "SELECT job_id FROM job_files WHERE relative_path = ?", [path.text]
        ) { row -> Int in try row[0] }
        guard !jobs.isEmpty else { return }
        try database.execute("DELETE FROM job_files WHERE relative_path = ?", [path.text])
        for id in jobs {
            if let failure { try note(failure, in: id, database) }
            try database.execute(
                "UPDATE jobs SET done = done + ?, failed = failed + ? WHERE id = ?",
                [failure == nil ? 1 : 0, failure == nil ? 0 : 1, id])
            try finishJob(id, database)
            try tellProgress(id, database)
        }
    }

    private static func insertJob(
        _ request: JobRequest, state: JobState, _ database: Database
    ) throws -> Int {
        try database.execute(
            "INSERT INTO jobs (kind, state, parts, is_forced, created_at_ms) VALUES (?, ?, ?, ?, ?)",
            [
                "precompute", state.rawValue, request.parts.rawValue, request.isForced,
                Date().storedMilliseconds,
            ])
        let id = Int(database.lastInsertRowID)
        try database.execute(
            "DELETE FROM jobs WHERE id <= ? AND finished_at_ms IS NOT NULL", [id - keptJobs])
        return id
    }

    private static func fill(
        _ id: Int, _ request: JobRequest, wanted: [AnalysisRequest], done: Int, failures: [FileFailure],
        _ database: Database
    ) throws {
        for var wish in wanted {
            wish.parts = request.parts
            wish.isForced = request.isForced
            try ask(wish, database)
            try database.execute(
                "INSERT OR IGNORE INTO job_files (relative_path, job_id) VALUES (?, ?)", [wish.path.text, id])
        }
        for failure in failures.prefix(keptFailures) { try note(failure, in: id, database) }
        let remaining: Int? = try database.scalar("SELECT count(*) FROM job_files WHERE job_id = ?", [id])
        try database.execute(
            "UPDATE jobs SET state = ?, total = ?, done = ?, failed = ? WHERE id = ?",
            [JobState.running.rawValue, (remaining ?? 0) + done + failures.count, done, failures.count, id])
        try finishJob(id, database)
        try append([.jobProgress(try requiredJob(id, database))], database)
    }

    private static func note(_ failure: FileFailure, in id: Int, _ database: Database) throws {
        let count: Int = try database.scalar("SELECT failed FROM jobs WHERE id = ?", [id]) ?? 0
        guard count < keptFailures else { return }
        try database.execute(
            "INSERT INTO job_failures (job_id, relative_path, code, message) VALUES (?, ?, ?, ?)",
            [id, failure.relativePath, failure.code, failure.message])
    }

    /// Notes that a job is at its end, if it is.
    private static func finishJob(_ id: Int, _ database: Database) throws {
        let waits: Bool =
            try database.scalar("SELECT EXISTS (SELECT 1 FROM job_files WHERE job_id = ?)", [id]) ?? false
        guard !waits else { return }
        try database.execute(
            """
            UPDATE jobs SET finished_at_ms = coalesce(finished_at_ms, ?), state = iif(state = ?, ?, state)
            WHERE id = ?
            """,
            [Date().storedMilliseconds, JobState.running.rawValue, JobState.finished.rawValue, id])
    }

    /// Tells clients how far a job has come, unless they were told a moment ago.
    private static func tellProgress(_ id: Int, _ database: Database) throws {
        let now = Date().storedMilliseconds
        try database.execute(
            "UPDATE jobs SET told_at_ms = ? WHERE id = ? AND (told_at_ms < ? OR finished_at_ms IS NOT NULL)",
            [now, id, now - progressInterval])
        if database.changedRowCount == 1 {
            try append([.jobProgress(try requiredJob(id, database))], database)
        }
    }

    private static func job(_ id: Int, _ database: Database) throws -> JobReport? {
        try database.fetchOne("SELECT * FROM jobs WHERE id = ?", [id], report)
    }

    private static func requiredJob(_ id: Int, _ database: Database) throws -> JobReport {
        guard let job = try job(id, database) else {
            throw StoreError(.notFound, "there is no job \(id)")
        }
        return job
    }

    private static func report(_ row: borrowing Row) throws -> JobReport {
        let state: String = try row["state"]
        let parts = AnalysisParts(rawValue: try row["parts"])
        let created: Int = try row["created_at_ms"]
        let finished: Int? = try row["finished_at_ms"]
        guard let state = JobState(rawValue: state) else {
            throw StoreError(.damagedRow, "a job is damaged in its state")
        }
        var report = JobReport(
            id: try row["id"], kind: try row["kind"], state: state,
            parts: (parts.contains(.profile) ? ["profile"] : [])
                + (parts.contains(.frames) ? ["frames"] : []),
            createdAt: Double(created) / 1000)
        report.finishedAt = finished.map { Double($0) / 1000 }
        report.total = try row["total"]
        report.done = try row["done"]
        report.failed = try row["failed"]
        report.cancelled = try row["cancelled"]
        return report
    }
}
