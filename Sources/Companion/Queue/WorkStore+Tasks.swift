internal import Analyzer
internal import Foundation
internal import SQLiteDatabase

// The queue: files that wait for their analysis, and who analyses them.
extension WorkStore {
    private static let order = "priority, is_suspect, rank, id"

    /// Asks for files. One that was asked for already keeps its place, unless it is wanted sooner.
    /// - Parameter pass: the worker whose pass asks, which may take the wish back.
    /// - Returns: the places, from 1, in the order of the requests.
    func ask(_ requests: [AnalysisRequest], pass: Int? = nil, wantsPlaces: Bool = true) throws -> [Int] {
        try write { database in
            for request in requests { try Self.ask(request, pass: pass, database) }
            return wantsPlaces ? try Self.places(of: requests.map(\.path), database) : []
        }
    }

    static func ask(_ request: AnalysisRequest, pass: Int? = nil, _ database: Database) throws {
        let rank: Int
        if request.priority == .found {
            // The largest first, so that no thread is left alone with a long file at the end.
            rank = -(request.file?.size ?? 0)
        } else {
            let next: Int? = try database.scalar(
                "UPDATE state SET last_rank = last_rank + 1 RETURNING last_rank")
            rank = next ?? 0
        }
        // Names on the right of the equals signs are the values before the statement. Who insists on a file begins to count its
        // attempts anew: a program may have been killed when it had given the file up, and not yet taken it off the list.
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
                attempts = iif(excluded.is_forced > is_forced, 0, attempts),
                is_suspect = iif(excluded.is_forced > is_forced, 0, is_suspect),
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
                not_before_ms = iif(excluded.priority < priority, 0, not_before_ms),
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

    /// How many files wait or are being analysed.
    func taskCount() throws -> Int { try read { try $0.scalar("SELECT count(*) FROM tasks") ?? 0 } }

    /// Whether files are being analysed.
    func hasBegunTasks() throws -> Bool {
        try read {
            try $0.scalar("SELECT EXISTS (SELECT 1 FROM tasks WHERE worker IS NOT NULL)") ?? false
        }
    }

    /// Whether a file waits or is being analysed.
    func hasTask(_ path: RelativePath) throws -> Bool {
        try read { database in
            try database.scalar("SELECT 1 FROM tasks WHERE relative_path = ?", [path.text]) ?? false
        }
    }

    private static func places(of paths: [RelativePath], _ database: Database) throws -> [Int] {
        // Those under way come first. There are few of them.
        var begun: [Int: Int] = [:]
        try database.forEach("SELECT id FROM tasks WHERE worker IS NOT NULL ORDER BY begun_at_ms, id") {
            begun[try $0[0]] = begun.count + 1
        }
        let rows = try paths.map { path in
            try database.fetchOne(
                "SELECT id, priority, is_suspect, rank FROM tasks WHERE relative_path = ?", [path.text]
            ) { row -> (id: Int, priority: Int, isSuspect: Int, rank: Int) in
                (try row[0], try row[1], try row[2], try row[3])
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
        // Many at once: counted through, up to the last priority that occurs.
        var waiting: [Int: Int] = [:]
        let lowest = rows.compactMap { $0?.priority }.max() ?? 0
        try database.forEach(
            "SELECT id FROM tasks WHERE worker IS NULL AND priority <= ? ORDER BY \(order)", [lowest]
        ) { waiting[try $0[0]] = waiting.count + 1 }
        return rows.map { row in
            guard let row else { return 1 }
            return begun[row.id] ?? begun.count + (waiting[row.id] ?? 0)
        }
    }
}

// What workers do.
extension WorkStore {
    /// What there is for a worker.
    enum Claim: Sendable {
        case task(AnalysisTask)
        /// There is something, but not as long as others are at work.
        case later
        /// Nothing waits.
        case nothing
    }

    /// Begins the first task that waits. That it was begun is stored before anything is read of the file.
    /// - Parameters:
    ///   - running: how many files the worker is at.
    ///   - limit: how many files may be under way, over all programs. A worker may always be at one, and what a client waits
    ///     for does not wait for other programs.
    func begin(by worker: WorkerIdentity, running: Int, limit: Int) throws -> Claim {
        let now = Date().storedMilliseconds
        // A look first, which takes no lock.
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
            ) { row -> (AnalysisTask, isSuspect: Bool) in (try Self.task(row), try row["is_suspect"]) }
            guard let (found, isSuspect) = found else { return .nothing }
            var task = found
            if running > 0 {
                // Whatever a program has died of is looked at alone, so that nothing else comes under suspicion.
                if isSuspect { return .later }
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

    /// Ends a task, unless more was asked for meanwhile: then it waits again.
    /// - Returns: whether it has ended.
    static func end(_ task: AnalysisTask, _ database: Database) throws -> Bool {
        try database.execute("DELETE FROM tasks WHERE id = ? AND revision = ?", [task.id, task.revision])
        if database.changedRowCount == 1 { return true }
        try database.execute(
            "UPDATE tasks SET worker = NULL, attempts = 0, is_suspect = 0, retries = 0 WHERE id = ?",
            [task.id])
        return false
    }

    /// Gives a task back that was begun and is to be tried again.
    static func putOff(_ task: AnalysisTask, now: Date, _ database: Database) throws {
        try database.execute(
            """
            UPDATE tasks SET worker = NULL, attempts = 0, is_suspect = 0, retries = retries + 1, not_before_ms = ?
            WHERE id = ?
            """, [(now + task.retryDelay).storedMilliseconds, task.id])
    }

    /// Gives a task back that was interrupted by whoever ended the program.
    static func giveBack(_ task: AnalysisTask, _ database: Database) throws {
        try database.execute(
            "UPDATE tasks SET worker = NULL, attempts = max(0, attempts - 1) WHERE id = ?", [task.id])
    }

    /// Takes back what a pass alone had asked for and nobody has begun.
    func withdraw(pass: WorkerIdentity) throws {
        try write { database in
            try database.execute(
                """
                DELETE FROM tasks WHERE pass = ? AND worker IS NULL
                    AND relative_path NOT IN (SELECT relative_path FROM job_files)
                """, [pass.id])
        }
    }

    /// Frees what workers had begun that live no more.
    func recover(asking worker: WorkerIdentity) throws {
        let begun = try read { database in
            try database.fetchAll("SELECT DISTINCT worker FROM tasks WHERE worker IS NOT NULL") {
                row -> Int in try row[0]
            }
        }
        let dead = begun.filter { !worker.isAlive($0) }
        guard !dead.isEmpty else { return }
        try write { database in
            for id in dead {
                try database.execute(
                    "UPDATE tasks SET worker = NULL, is_suspect = 1 WHERE worker = ?", [id])
                try database.execute("DELETE FROM workers WHERE id = ?", [id])
            }
        }
    }

    private static func task(_ row: borrowing Row) throws -> AnalysisTask {
        let priority: Int = try row["priority"]
        var request = AnalysisRequest(
            try TrackRow.path(text: row["relative_path"], bytes: row["path_bytes"]),
            priority: AnalysisPriority(rawValue: priority) ?? .found)
        request.parts = AnalysisParts(rawValue: try row["parts"])
        request.isForced = try row["is_forced"]
        request.settings.silenceThresholdDB = try row["silence_threshold_db"]
        request.settings.minimumSilenceSeconds = try row["minimum_silence_seconds"]
        request.settings.usesReferenceLoudness = try row["uses_reference_loudness"]
        return AnalysisTask(
            id: try row["id"], revision: try row["revision"], request: request,
            attempts: try row["attempts"], retries: try row["retries"])
    }
}
