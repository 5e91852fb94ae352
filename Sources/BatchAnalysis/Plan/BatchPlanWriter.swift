package import Analyzer
internal import FileSystem
package import LibraryStore
internal import SQLiteDatabase

/// Writes the plan of a run. Memory does not grow with the number of tracks. Not thread-safe.
package final class BatchPlanWriter {
    private let database: Database
    private let temporary: String
    private let run: BatchRun
    private let sample: Int?
    private var count = 0

    /// Creates the file under a temporary name.
    /// - Parameter sample: the number of tracks to keep, chosen at random but the same each time; nil keeps all.
    /// - Throws: `BatchError` `run` if the folder cannot be used or has a plan; `DatabaseError` if it cannot be written.
    package init(_ run: BatchRun, sample: Int? = nil) throws {
        self.run = run
        guard try !run.hasPlan() else {
            throw BatchError(
                .run, "has a plan already; run its parts, or choose another folder", place: run.place)
        }
        temporary =
            "\(try run.scratchFolder)/plan.sqlite.new-" + String(UInt64.random(in: .min ... .max), radix: 16)
        self.sample = sample
        database = try Database(path: temporary, options: .init(access: .create))
        // Nothing reads the file before it is complete, and the log would be a second file.
        for pragma in ["journal_mode = OFF", "synchronous = OFF"] { try database.execute("PRAGMA \(pragma)") }
        try database.migrate(BatchPlan.migrations, applicationID: BatchPlan.applicationID)
        try database.execute("CREATE TEMP TABLE found AS SELECT * FROM tracks")
        try database.execute("CREATE TEMP TABLE divisible (folder TEXT, name TEXT)")
        try database.execute("BEGIN")
    }

    deinit { try? Files.remove(temporary) }

    /// Adds a track.
    package func add(_ track: PlannedTrack) throws {
        count += 1
        try database.execute(
            "INSERT INTO \(sample == nil ? "main.tracks" : "temp.found") VALUES (?, ?, ?, ?, ?)",
            [
                count, track.path.text, track.file.size, track.file.modificationTimeNanoseconds,
                track.entityTag,
            ])
    }

    /// Adds a cue sheet of a bucket.
    package func add(_ sheet: PlannedSheet) throws {
        try database.execute(
            "INSERT INTO sheets VALUES (?, ?, ?, ?, ?)",
            [
                sheet.path.folder?.text ?? "", sheet.path.text, sheet.file.size,
                sheet.file.modificationTimeNanoseconds, sheet.entityTag,
            ])
    }

    /// Notes an object of a bucket, planned or not, that a cue sheet in its folder may divide.
    package func addDivisible(_ path: RelativePath) throws {
        try database.execute(
            "INSERT INTO temp.divisible VALUES (?, ?)", [path.folder?.text ?? "", path.name])
    }

    /// Completes the plan and gives the file its name.
    /// - Returns: the number of tracks.
    package func finish(root: TrackRoot, parts: AnalysisParts, partSize: Int) throws -> Int {
        if let sample {
            // Multiples of a large odd number modulo 2^32 are spread evenly (D. Knuth, TAOCP 3, section 6.4).
            try database.execute(
                """
                INSERT INTO main.tracks (relative_path, file_size, modified_at_ns, entity_tag)
                SELECT relative_path, file_size, modified_at_ns, entity_tag FROM (
                    SELECT * FROM temp.found ORDER BY id * 2654435761 % 4294967296 LIMIT ?) ORDER BY id
                """, [sample])
        }
        try database.execute(
            """
            INSERT INTO divisible_files
            SELECT DISTINCT folder, name FROM temp.divisible WHERE folder IN (SELECT folder FROM sheets)
            """)
        let total: Int = try database.scalar("SELECT count(*) FROM main.tracks") ?? 0
        try database.execute(
            "INSERT INTO plan VALUES (?, ?, ?, ?, ?)",
            [root.text, TrackAnalysis.currentVersion, parts.contains(.frames), partSize, total])
        try database.execute("COMMIT")
        try run.storePlan(FileDescriptor.open(temporary))
        return total
    }
}
