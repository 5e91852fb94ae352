package import Analyzer
internal import Foundation
package import MusicShared
package import SQLiteDatabase

/// The options of a job.
package struct JobRequest: Sendable {
    /// The requested parts of each analysis.
    package var parts: AnalysisParts = .all
    /// Whether to compute them again even if they are stored.
    package var isForced = false

    /// Creates a request for everything that is missing.
    package init() {}
}

// Jobs: requests to analyse many files, with progress reports.
extension WorkStore {
    /// Maximum number of failures stored per job.
    static let keptFailures = 1_000
    /// Maximum number of jobs kept.
    package static let keptJobs = 1_000
    /// Minimum interval between two progress events of a job, in milliseconds.
    private static let progressInterval = 1_000

    /// Creates a job for some files.
    /// - Parameters:
    ///   - wanted: the files to analyse.
    ///   - done: the number of files that already have the requested parts.
    ///   - failures: files that cannot be analysed.
    package func makeJob(
        _ request: JobRequest, wanted: [AnalysisRequest], done: Int = 0, failures: [FileFailure] = []
    ) throws -> JobReport {
        try write { database in
            let id = try Self.insertJob(request, state: .running, database)
            try Self.fill(id, request, wanted: wanted, done: done, failures: failures, database)
            return try Self.requiredJob(id, database)
        }
    }

    /// Creates a job for the whole folder. Its files are added later with
    /// ``fillJob(_:wanted:done:failures:)``.
    package func makeFolderJob(_ request: JobRequest) throws -> JobReport {
        try write { database in
            try Self.requiredJob(try Self.insertJob(request, state: .preparing, database), database)
        }
    }

    /// Jobs whose files have not been determined yet.
    package func jobsToPrepare() throws -> [(id: Int, request: JobRequest)] {
        try read { database in
            try database.fetchAll(
                "SELECT id, parts, is_forced FROM jobs WHERE state = ? ORDER BY id",
                [JobState.preparing.rawValue]
            ) { row in (try row["id"], try Self.request(row)) }
        }
    }

    /// Adds the files of a job that was being prepared. Does nothing if the job was cancelled in the
    /// meantime.
    package func fillJob(_ id: Int, wanted: [AnalysisRequest], done: Int, failures: [FileFailure]) throws {
        try write { database in
            let request = try database.fetchOne(
                "SELECT parts, is_forced FROM jobs WHERE id = ? AND state = ?",
                [id, JobState.preparing.rawValue], Self.request)
            guard let request else { return }
            try Self.fill(id, request, wanted: wanted, done: done, failures: failures, database)
        }
    }

    /// A job with its failures; nil if there is no job with this id.
    package func job(id: Int) throws -> JobReport? {
        try read { database in
            guard var job = try Self.job(id, database) else { return nil }
            job.failures = try database.fetchAll(
                "SELECT relative_path, code, message FROM job_failures WHERE job_id = ? ORDER BY id", [id]
            ) { row in
                FileFailure(
                    relativePath: try row["relative_path"], code: try row["code"], message: try row["message"]
                )
            }
            return job
        }
    }

    /// Jobs, the newest first.
    package func jobs(limit: Int = keptJobs) throws -> [JobReport] {
        try read { database in
            try database.fetchAll("SELECT * FROM jobs ORDER BY id DESC LIMIT ?", [limit], Self.report)
        }
    }

    /// Cancels a job: files that have not been started are dropped, unless they are requested elsewhere too;
    /// files in progress are finished.
    /// - Returns: the updated job; nil if there is no job with this id. A job that has ended is not changed.
    package func cancelJob(id: Int) throws -> JobReport? {
        try write { database in
            guard let job = try Self.job(id, database) else { return nil }
            guard job.state == .preparing || job.state == .running else { return job }
            let ofOthers = """
                (priority <> ? OR EXISTS (SELECT 1 FROM job_files AS others
                    WHERE others.relative_path = tasks.relative_path AND others.job_id <> ?))
                """
            let mine = "relative_path IN (SELECT relative_path FROM job_files WHERE job_id = ?)"
            // First delete the waiting tasks that only this job requests, then remove from the job the files
            // that are not in progress.
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

    /// Records the result of a file in all jobs that are waiting for it.
    package static func settle(_ path: RelativePath, failure: FileFailure?, _ database: Database) throws {
        let jobs: [Int] = try database.values(
            "SELECT job_id FROM job_files WHERE relative_path = ?", [path.text])
        guard !jobs.isEmpty else { return }
        try database.execute("DELETE FROM job_files WHERE relative_path = ?", [path.text])
        for id in jobs {
            if let failure { try note(failure, in: id, database) }
            try database.execute(
                "UPDATE jobs SET done = done + ?, failed = failed + ? WHERE id = ?",
                [failure == nil ? 1 : 0, failure == nil ? 0 : 1, id])
            try finishJob(id, database)
            try announceProgress(id, database)
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
            try enqueue(wish, database)
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

    /// Marks a job as finished if it has no files left.
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

    /// Logs a progress event for a job, at most once per interval until the job has finished.
    private static func announceProgress(_ id: Int, _ database: Database) throws {
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
            throw StoreError(.notFound, "no such job: \(id)")
        }
        return job
    }

    private static func request(_ row: borrowing Row) throws -> JobRequest {
        var request = JobRequest()
        request.parts = AnalysisParts(rawValue: try row["parts"])
        request.isForced = try row["is_forced"]
        return request
    }

    private static func report(_ row: borrowing Row) throws -> JobReport {
        let state: String = try row["state"]
        let parts = AnalysisParts(rawValue: try row["parts"])
        let created: Int = try row["created_at_ms"]
        let finished: Int? = try row["finished_at_ms"]
        guard let state = JobState(rawValue: state) else {
            throw StoreError(.damagedRow, "a job has an invalid state")
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
