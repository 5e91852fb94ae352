/// The body of `POST /visualizer/precompute`: the files and the requested parts. Without files it covers the whole music folder.
public struct PrecomputeRequest: Codable, Sendable, Equatable {
    /// Maximum number of paths per request.
    public static let largestCount = 10_000

    /// Path of a single file relative to the music folder.
    public var relativePath: String?
    /// Paths of several files.
    public var paths: [String]?
    /// Whether to process all files; the same as naming none.
    public var all: Bool?
    /// "profile", "frames" or both (the default): a single decode produces both.
    public var parts: [String]?
    /// Whether to recompute existing results.
    public var force: Bool?

    /// Creates a request for everything that is missing.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case relativePath = "relative_path"
        case paths, all, parts, force
    }
}
