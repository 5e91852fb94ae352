/// Answer to `GET /analysis/failures`: files that could not be analysed, in the order of their paths.
public struct AnalysisFailureList: Codable, Sendable, Equatable {
    /// One file.
    public struct Failure: Codable, Sendable, Equatable {
        /// Path in the music folder.
        public var relativePath: String
        /// The stable name of the reason's kind.
        public var code: String
        /// The reason, for a person to read.
        public var message: String
        /// How often it has failed in this state.
        public var attempts: Int
        /// When it last failed, in seconds since 1970.
        public var failedAt: Double
        /// Whether it is left alone until it changes, or somebody asks for it.
        public var isGivenUp: Bool

        /// Puts the parts together.
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

    /// The files of this page.
    public var failures: [Failure]
    /// How many there are in all.
    public var total: Int

    /// Holds a page.
    public init(failures: [Failure], total: Int) {
        self.failures = failures
        self.total = total
    }
}
