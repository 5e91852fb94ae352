/// A job and how far it has come: the answer to `POST /visualizer/precompute` and `GET /jobs/:job_id`.
public struct JobReport: Codable, Sendable, Equatable {
    /// Number of the job.
    public var id: Int
    /// What is done: "precompute".
    public var kind: String
    /// How it stands.
    public var state: JobState
    /// What is made: "profile", "frames" or both.
    public var parts: [String]
    /// Files of the job, as far as they are known: a job over the whole folder looks for them first.
    public var total: Int
    /// Files that have what was asked for.
    public var done: Int
    /// Files that could not be analysed.
    public var failed: Int
    /// Files that were left out because the job was cancelled.
    public var cancelled: Int
    /// When it was asked for, in seconds since 1970 (UTC).
    public var createdAt: Double
    /// When it came to its end.
    public var finishedAt: Double?
    /// The first of the files that could not be analysed, with the reason; in `GET /jobs/:job_id` only.
    public var failures: [FileFailure]?

    /// A job of which nothing is done yet.
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

/// How a job stands.
public enum JobState: String, Codable, Sendable, CaseIterable {
    /// Its files are being looked for.
    case preparing
    /// Its files wait or are being analysed.
    case running
    /// All its files are dealt with.
    case finished
    /// It was ended; files that were being analysed at that moment have come to their end.
    case cancelled
}

/// Answer to `GET /jobs`.
public struct JobList: Codable, Sendable, Equatable {
    /// The jobs, the newest first.
    public var jobs: [JobReport]

    /// Holds the jobs.
    public init(jobs: [JobReport]) { self.jobs = jobs }
}
