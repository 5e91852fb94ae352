/// Files processed since the host was started: part of `GET /health`.
public struct AnalysisCounts: Codable, Sendable, Equatable {
    /// Files analysed or already known.
    public var doneCount: Int
    /// Files whose analysis failed.
    public var failedCount: Int

    /// Memberwise initializer.
    public init(doneCount: Int, failedCount: Int) {
        self.doneCount = doneCount
        self.failedCount = failedCount
    }

    private enum CodingKeys: String, CodingKey {
        case doneCount = "done_count"
        case failedCount = "failed_count"
    }
}
