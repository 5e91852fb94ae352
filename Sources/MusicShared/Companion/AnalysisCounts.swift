/// Files that the host has dealt with since it was started: part of `GET /health`.
public struct AnalysisCounts: Codable, Sendable, Equatable {
    /// Analysed, or known already.
    public var doneCount: Int
    /// Not to be analysed.
    public var failedCount: Int

    /// Puts the parts together.
    public init(doneCount: Int, failedCount: Int) {
        self.doneCount = doneCount
        self.failedCount = failedCount
    }

    private enum CodingKeys: String, CodingKey {
        case doneCount = "done_count"
        case failedCount = "failed_count"
    }
}
