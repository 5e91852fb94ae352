/// A job and its progress: the response to `POST /visualizer/precompute` and `GET /jobs/:job_id`.
public struct JobReport: Codable, Sendable, Equatable {
    /// Job ID.
    public var id: Int
    /// Kind of job: "precompute".
    public var kind: String
    /// Current state.
    public var state: JobState
    /// Requested parts: "profile", "frames" or both.
    public var parts: [String]
    /// Number of files found so far: a job over the whole folder lists the files first.
    public var total: Int
    /// Number of files completed.
    public var done: Int
    /// Number of files that could not be analysed.
    public var failed: Int
    /// Number of files skipped because the job was cancelled.
    public var cancelled: Int
    /// Creation time in seconds since 1970 (UTC).
    public var createdAt: Double
    /// Completion time in seconds since 1970 (UTC); nil while the job is running.
    public var finishedAt: Double?
    /// The first failures with their reasons; in `GET /jobs/:job_id` only.
    public var failures: [FileFailure]?

    /// Creates a job without progress.
    public init(id: Int, kind: String, state: JobState, parts: [String], createdAt: Double) {
        self.id = id
        self.kind = kind
        self.state = state
        self.parts = parts
        self.createdAt = createdAt
        total = 0
        done = 0
        failed = 0
        cancelled = 0
    }

    private enum CodingKeys: String, CodingKey {
        case id, kind, state, parts, total, done, failed, cancelled, failures
        case createdAt = "created_at"
        case finishedAt = "finished_at"
    }
}

/// State of a job.
public enum JobState: String, Codable, Sendable, CaseIterable {
    /// Listing its files.
    case preparing
    /// Files are waiting or being analysed.
    case running
    /// All files have been processed.
    case finished
    /// The job was cancelled; analyses in progress at that moment were completed.
    case cancelled
}

/// Response to `GET /jobs`.
public struct JobList: Codable, Sendable, Equatable {
    /// The jobs, newest first.
    public var jobs: [JobReport]

    /// Memberwise initializer.
    public init(jobs: [JobReport]) { self.jobs = jobs }
}
