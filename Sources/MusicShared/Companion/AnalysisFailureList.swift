/// Response to `GET /analysis/failures`: files that could not be analysed, sorted by path.
public struct AnalysisFailureList: Codable, Sendable, Equatable {
    /// A file that could not be analysed.
    public struct Failure: Codable, Sendable, Equatable {
        /// Path relative to the music folder.
        public var relativePath: String
        /// Stable error code.
        public var code: String
        /// Human-readable reason.
        public var message: String
        /// Number of failed attempts in this state of the file.
        public var attempts: Int
        /// Time of the last failure, in seconds since 1970.
        public var failedAt: Double
        /// Whether the host no longer retries until the file changes or a client requests it.
        public var isGivenUp: Bool

        /// Memberwise initializer.
        public init(
            relativePath: String, code: String, message: String, attempts: Int, failedAt: Double,
            isGivenUp: Bool
        ) {
            self.relativePath = relativePath
            self.code = code
            self.message = message
            self.attempts = attempts
            self.failedAt = failedAt
            self.isGivenUp = isGivenUp
        }

        private enum CodingKeys: String, CodingKey {
            case relativePath = "relative_path"
            case code, message, attempts
            case failedAt = "failed_at"
            case isGivenUp = "is_given_up"
        }
    }

    /// The failures on this page.
    public var failures: [Failure]
    /// Total number of failures.
    public var total: Int

    /// Memberwise initializer.
    public init(failures: [Failure], total: Int) {
        self.failures = failures
        self.total = total
    }
}
