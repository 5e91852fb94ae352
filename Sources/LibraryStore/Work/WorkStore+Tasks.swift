internal import Analyzer
package import Foundation
package import SQLiteDatabase

// The queue: files waiting for analysis, and the workers analysing them.
extension WorkStore {
    private static let order = "priority, is_suspect, rank, id"

    /// Requests analyses. A file that is already queued keeps its place, unless it becomes more urgent.
    /// - Parameter pass: the worker of the requesting pass, which may withdraw the requests.
    /// - Returns: the places, from 1, in the order of the requests.
    package func enqueue(_ requests: [AnalysisRequest], pass: Int? = nil, wantsPlaces: Bool = true) throws
        -> [Int]
    {
        try write { database in
            for request in requests { try Self.enqueue(request, pass: pass, database) }
            return wantsPlaces ? try Self.places(of: requests.map(\.path), database) : []
        }
    }

    static func enqueue(_ request: AnalysisRequest, pass: Int? = nil, _ database: Database) throws {
        let rank: Int
        if request.priority == .found {
            // The largest first, so that no thread is left with a long file at the end.
            rank = -(request.file?.size ?? 0)
        } else {
            let next: Int? = try database.scalar(
                "UPDATE state SET last_rank = last_rank + 1 RETURNING last_rank")
            rank = next ?? 0
        }
        // Column names on the right-hand side are the values before the statement. A forced request or a
        // changed file resets the counters: the program may have been killed after giving the file up and
        // before removing its task.
        let changed = """
            (excluded.file_size IS NOT NULL AND file_size IS NOT NULL
                AND (excluded.file_size, excluded.modified_at_ns) IS NOT (file_size, modified_at_ns))
            """
        let startsAnew = "(excluded.is_forced > is_forced OR \(changed))"
        try database.execute(
            """
            INSERT INTO tasks
                (relative_path, path_bytes, priority, rank, parts, is_forced, silence_threshold_db,
                minimum_silence_seconds, uses_reference_loudness, file_size, modified_at_ns, pass)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (relative_path) DO UPDATE SET
                revision = revision + (parts | excluded.parts <> parts OR excluded.is_forced > is_forced
                    OR (excluded.file_size IS NOT NULL
                        AND (excluded.file_size, excluded.modified_at_ns) IS NOT (file_size, modified_at_ns))
                    OR (excluded.is_forced AND (excluded.silence_threshold_db,
                        excluded.minimum_silence_seconds, excluded.uses_reference_loudness) IS NOT
                        (silence_threshold_db, minimum_silence_seconds, uses_reference_loudness))),
                parts = parts | excluded.parts,
                attempts = iif(\(startsAnew), 0, attempts),
                crashes = iif(\(startsAnew), 0, crashes),
                is_suspect = iif(\(startsAnew), 0, is_suspect),
                is_forced = max(is_forced, excluded.is_forced),
                silence_threshold_db =
                    iif(excluded.is_forced, excluded.silence_threshold_db, silence_threshold_db),
                minimum_silence_seconds =
                    iif(excluded.is_forced, excluded.minimum_silence_seconds, minimum_silence_seconds),
                uses_reference_loudness =
                    iif(excluded.is_forced, excluded.uses_reference_loudness, uses_reference_loudness),
                file_size = coalesce(excluded.file_size, file_size),
                modified_at_ns = coalesce(excluded.modified_at_ns, modified_at_ns),
                rank = iif(excluded.priority < priority, excluded.rank, rank),
                not_before_ms = iif(excluded.is_forced OR \(changed) OR (excluded.priority < priority AND NOT is_suspect),
                    0, not_before_ms),
                priority = min(priority, excluded.priority),
                pass = iif(pass IS excluded.pass, pass, NULL)
            """,
            [
                request.path.text, request.path.isPlainText ? nil : request.path.bytes,
                request.priority.rawValue, rank, request.parts.rawValue, request.isForced,
                request.settings.silenceThresholdDB, request.settings.minimumSilenceSeconds,
                request.settings.usesReferenceLoudness, request.file?.size,
                request.file?.modificationTimeNanoseconds, pass,
            ])
    }

    /// Number of files that are waiting or being analysed.
    package func taskCount() throws -> Int { try read { try $0.scalar("SELECT count(*) FROM tasks") ?? 0 } }

    /// Whether any file is being analysed.
    package func hasBegunTasks() throws -> Bool {
        try read {
            try $0.scalar("SELECT EXISTS (SELECT 1 FROM tasks WHERE worker IS NOT NULL)") ?? false
        }
    }

    /// Whether a file is waiting or being analysed.
    package func hasTask(_ path: RelativePath) throws -> Bool {
        try read { database in
            try database.scalar("SELECT 1 FROM tasks WHERE relative_path = ?", [path.text]) ?? false
        }
    }

    private static func places(of paths: [RelativePath], _ database: Database) throws -> [Int] {
        // Running tasks come first. There are few of them.
        var begun: [Int: Int] = [:]
        try database.forEach("SELECT id FROM tasks WHERE worker IS NOT NULL ORDER BY begun_at_ms, id") {
            begun[try $0["id"]] = begun.count + 1
        }
        let rows = try paths.map { path in
            try database.fetchOne(
                "SELECT id, priority, is_suspect, rank FROM tasks WHERE relative_path = ?", [path.text]
            ) { row -> (id: Int, priority: Int, isSuspect: Int, rank: Int) in
                (try row["id"], try row["priority"], try row["is_suspect"], try row["rank"])
            }
        }
        if paths.count <= 4 {
            return try rows.map { row in
                guard let row else { return 1 }
                if let place = begun[row.id] { return place }
                let before: Int? = try database.scalar(
                    """
                    SELECT count(*) FROM tasks WHERE worker IS NULL AND (\(order)) < (?, ?, ?, ?)
                    """, [row.priority, row.isSuspect, row.rank, row.id])
                return begun.count + (before ?? 0) + 1
            }
        }
        // Many at once: count all rows up to the lowest priority among them.
        var waiting: [Int: Int] = [:]
        let lowest = rows.compactMap { $0?.priority }.max() ?? 0
        try database.forEach(
            "SELECT id FROM tasks WHERE worker IS NULL AND priority <= ? ORDER BY \(order)", [lowest]
        ) { waiting[try $0["id"]] = waiting.count + 1 }
        return rows.map { row in
            guard let row else { return 1 }
            return begun[row.id] ?? begun.count + (waiting[row.id] ?? 0)
        }
    }
}

// Operations of workers.
extension WorkStore {
    /// The result of a request for a task.
    package enum Claim: Sendable {
        case task(AnalysisTask)
        /// A task is waiting, but cannot be started while others are running.
        case later
        /// No task is waiting.
        case nothing
    }

    /// Starts the first waiting task. The start is stored before anything is read from the file.
    /// - Parameters:
    ///   - running: the number of tasks that the worker is running.
    ///   - limit: the maximum number of running tasks in all programs. A worker may always run one, and tasks
    ///     that a client is waiting for do not count the tasks of other programs.
    package func begin(by worker: WorkerIdentity, running: Int, limit: Int) throws -> Claim {
        let now = Date().storedMilliseconds
        // Check first without taking the write lock.
        let waits = try read { database -> Bool in
            try database.scalar(
                "SELECT EXISTS (SELECT 1 FROM tasks WHERE worker IS NULL AND not_before_ms <= ?)", [now])
                ?? false
        }
        guard waits else { return .nothing }
        return try write { database in
            let found = try database.fetchOne(
                """
                SELECT * FROM tasks WHERE worker IS NULL AND not_before_ms <= ? ORDER BY \(Self.order) LIMIT 1
                """, [now]
            ) { row in try Self.task(row) }
            guard var task = found else { return .nothing }
            if running > 0 {
                // A suspect is analysed alone, so that nothing else becomes suspect and it has all the
                // memory.
                if task.isSuspect { return .later }
                let isBesideSuspect: Bool? = try database.scalar(
                    "SELECT EXISTS (SELECT 1 FROM tasks WHERE worker = ? AND is_suspect)", [worker.id])
                if isBesideSuspect == true { return .later }
                if task.request.priority != .waitedFor {
                    let others: Int? = try database.scalar(
                        "SELECT count(*) FROM tasks WHERE worker IS NOT NULL AND worker <> ?", [worker.id])
                    if running + (others ?? 0) >= limit { return .later }
                }
            }
            task.attempts += 1
            try database.execute(
                "UPDATE tasks SET worker = ?, begun_at_ms = ?, attempts = attempts + 1 WHERE id = ?",
                [worker.id, now, task.id])
            return .task(task)
        }
    }

    /// Ends a task, or returns it to the queue if more has been requested in the meantime.
    /// - Returns: whether it has ended.
    package static func end(_ task: AnalysisTask, _ database: Database) throws -> Bool {
        try database.execute("DELETE FROM tasks WHERE id = ? AND revision = ?", [task.id, task.revision])
        if database.changedRowCount == 1 { return true }
        try database.execute(
            """
            UPDATE tasks SET worker = NULL, attempts = 0, crashes = 0, is_suspect = 0, retries = 0 WHERE id = ?
            """,
            [task.id])
        return false
    }

    /// Returns a started task to the queue, to be retried later.
    package static func deferTask(_ task: AnalysisTask, now: Date, _ database: Database) throws {
        try database.execute(
            """
            UPDATE tasks SET worker = NULL, attempts = 0, crashes = 0, is_suspect = 0, retries = retries + 1,
                not_before_ms = ?
            WHERE id = ?
            """, [(now + task.retryDelay).storedMilliseconds, task.id])
    }

    /// Returns a task to the queue that was interrupted because the program is stopping.
    package static func requeue(_ task: AnalysisTask, _ database: Database) throws {
        try database.execute(
            "UPDATE tasks SET worker = NULL, attempts = max(0, attempts - 1) WHERE id = ?", [task.id])
    }

    /// Returns a task to the queue whose file is known to have crashed the program before: it will be
    /// analysed alone, after the others, and given up at the next crash.
    package func requeueAlone(_ task: AnalysisTask) throws {
        try write { database in
            try database.execute(
                """
                UPDATE tasks SET worker = NULL, attempts = max(0, attempts - 1), is_suspect = 1, crashes = ? WHERE id = ?
                """, [AnalysisTask.mostCrashes - 1, task.id])
        }
    }

    /// The time of the next attempt for a file whose analysis was killed too often, and the number of
    /// attempts; nil if the file is not postponed.
    package func delayAfterKills(_ path: RelativePath) throws -> (until: Date, attempts: Int)? {
        try read { database in
            try database.fetchOne(
                """
                SELECT not_before_ms, attempts FROM tasks
                WHERE relative_path = ? AND worker IS NULL AND is_suspect AND not_before_ms > ?
                """, [path.text, Date().storedMilliseconds]
            ) { (Date(storedMilliseconds: try $0["not_before_ms"]), try $0["attempts"]) }
        }
    }

    /// Withdraws the requests that only this pass has made and that have not been started.
    package func withdraw(pass: WorkerIdentity) throws {
        try write { database in
            try database.execute(
                """
                DELETE FROM tasks WHERE pass = ? AND worker IS NULL
                    AND relative_path NOT IN (SELECT relative_path FROM job_files)
                """, [pass.id])
        }
    }

    /// Recovers the tasks of workers whose process has ended.
    ///
    /// If the analysis of a file has crashed the process, only that file becomes suspect. A process that was
    /// killed from outside is no evidence against its files; they are analysed alone from then on, after the
    /// others, and postponed for increasing times.
    package func recover(asking worker: WorkerIdentity) throws {
        let begun: [Int] = try read { database in
            try database.values("SELECT DISTINCT worker FROM tasks WHERE worker IS NOT NULL")
        }
        let dead = begun.filter { !worker.isAlive($0) }
        guard !dead.isEmpty else { return }
        try write { database in
            for id in dead {
                if let crashed = worker.crashedTask(of: id) {
                    try database.execute(
                        """
                        UPDATE tasks SET worker = NULL, is_suspect = 1, crashes = crashes + 1
                        WHERE worker = ? AND id = ?
                        """, [id, crashed])
                    try database.execute(
                        "UPDATE tasks SET worker = NULL, attempts = max(0, attempts - 1) WHERE worker = ?",
                        [id])
                } else {
                    try free(id, database)
                }
                try database.execute("DELETE FROM workers WHERE id = ?", [id])
            }
        }
    }

    /// Recovers the tasks of a worker whose process was killed from outside.
    private func free(_ worker: Int, _ database: Database) throws {
        let now = Date()
        let tasks = try database.fetchAll("SELECT id, attempts FROM tasks WHERE worker = ?", [worker]) {
            row -> (id: Int, attempts: Int) in (try row["id"], try row["attempts"])
        }
        for task in tasks {
            let delay = AnalysisTask.delay(afterAttempts: task.attempts)
            try database.execute(
                """
                UPDATE tasks SET worker = NULL, is_suspect = 1, not_before_ms = max(not_before_ms, ?) WHERE id = ?
                """, [delay > 0 ? (now + delay).storedMilliseconds : 0, task.id])
        }
    }

    private static func task(_ row: borrowing Row) throws -> AnalysisTask {
        let priority: Int = try row["priority"]
        var request = AnalysisRequest(
            try TrackRow.path(row), priority: AnalysisPriority(rawValue: priority) ?? .found)
        request.parts = AnalysisParts(rawValue: try row["parts"])
        request.isForced = try row["is_forced"]
        request.settings.silenceThresholdDB = try row["silence_threshold_db"]
        request.settings.minimumSilenceSeconds = try row["minimum_silence_seconds"]
        request.settings.usesReferenceLoudness = try row["uses_reference_loudness"]
        return AnalysisTask(
            id: try row["id"], revision: try row["revision"], request: request,
            attempts: try row["attempts"], retries: try row["retries"],
            crashes: try row["crashes"], isSuspect: try row["is_suspect"])
    }
}
