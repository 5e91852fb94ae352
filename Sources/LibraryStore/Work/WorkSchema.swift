internal import SQLiteDatabase

/// The tables of `work.sqlite`: pending work and the event log.
///
/// Kept separate from the library, which clients download: waiting or running analyses do not change it.
/// Times are milliseconds since 1970.
enum WorkSchema {
    /// "KaWo": marks the file as this program's.
    static let applicationID: Int32 = 0x4B61_576F

    static let migrations = [
        Migration("queue", sql: queue),
        Migration("jobs", sql: jobs),
        Migration("events", sql: events),
        Migration("mounted_folders", sql: mountedFolders),
        // Number of times the analysis of the file has crashed the program.
        Migration("crashes", sql: "ALTER TABLE tasks ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0"),
        // The only account that an event concerns; NULL for all.
        Migration("event accounts", sql: "ALTER TABLE events ADD COLUMN account_id INTEGER"),
    ]

    /// A worker is a process that runs tasks; it is alive as long as it holds the lock on its byte of the
    /// lock file. A task is a file to analyse; `worker` is the worker that is analysing it.
    private static let queue = """
        CREATE TABLE workers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            process INTEGER NOT NULL,
            started_at_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE tasks (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            relative_path TEXT NOT NULL UNIQUE,
            path_bytes BLOB,
            -- Smaller values first; then tasks that have not killed a process; then by rank.
            priority INTEGER NOT NULL,
            is_suspect INTEGER NOT NULL DEFAULT 0,
            rank INTEGER NOT NULL,
            parts INTEGER NOT NULL,
            is_forced INTEGER NOT NULL,
            silence_threshold_db REAL NOT NULL,
            minimum_silence_seconds REAL NOT NULL,
            uses_reference_loudness INTEGER NOT NULL,
            -- The state of the file when it was requested.
            file_size INTEGER,
            modified_at_ns INTEGER,
            -- Changes whenever more is requested than before.
            revision INTEGER NOT NULL DEFAULT 0,
            -- Number of starts without an end, including the current one.
            attempts INTEGER NOT NULL DEFAULT 0,
            -- Number of times it was postponed.
            retries INTEGER NOT NULL DEFAULT 0,
            not_before_ms INTEGER NOT NULL DEFAULT 0,
            worker INTEGER,
            begun_at_ms INTEGER,
            -- The worker whose pass is the only requester.
            pass INTEGER
        ) STRICT;
        CREATE INDEX tasks_waiting ON tasks (priority, is_suspect, rank, id) WHERE worker IS NULL;
        CREATE INDEX tasks_begun ON tasks (worker) WHERE worker IS NOT NULL;
        CREATE INDEX tasks_of_pass ON tasks (pass) WHERE pass IS NOT NULL;

        CREATE TABLE state (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            -- Identifies the log since this file was created.
            epoch TEXT NOT NULL,
            -- Number of ranks assigned so far.
            last_rank INTEGER NOT NULL DEFAULT 0,
            -- The state of the library that clients were last notified about.
            library_revision TEXT
        ) STRICT;
        INSERT INTO state (id, epoch) VALUES (1, lower(hex(randomblob(8))));
        """

    /// A job is a request to analyse some files; `job_files` are those that it is still waiting for.
    private static let jobs = """
        CREATE TABLE jobs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            state TEXT NOT NULL,
            parts INTEGER NOT NULL,
            is_forced INTEGER NOT NULL,
            total INTEGER NOT NULL DEFAULT 0,
            done INTEGER NOT NULL DEFAULT 0,
            failed INTEGER NOT NULL DEFAULT 0,
            cancelled INTEGER NOT NULL DEFAULT 0,
            created_at_ms INTEGER NOT NULL,
            finished_at_ms INTEGER,
            told_at_ms INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        CREATE TABLE job_files (
            relative_path TEXT NOT NULL,
            job_id INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
            PRIMARY KEY (relative_path, job_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX job_files_by_job ON job_files (job_id);

        CREATE TABLE job_failures (
            id INTEGER PRIMARY KEY,
            job_id INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
            relative_path TEXT NOT NULL,
            code TEXT NOT NULL,
            message TEXT NOT NULL
        ) STRICT;
        CREATE INDEX job_failures_by_job ON job_failures (job_id);
        """

    private static let events = """
        CREATE TABLE events (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            at_ms INTEGER NOT NULL,
            content TEXT NOT NULL
        ) STRICT;
        """

    /// Folders inside the music folder that were mount points when last seen; "." is the music folder itself.
    private static let mountedFolders = """
        CREATE TABLE mounted_folders (
            relative_path TEXT NOT NULL PRIMARY KEY
        ) STRICT, WITHOUT ROWID;
        """
}
