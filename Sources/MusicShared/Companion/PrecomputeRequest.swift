/// What `POST /visualizer/precompute` is sent: which files, and what is wanted of them. Without files, all of the music folder.
public struct PrecomputeRequest: Codable, Sendable, Equatable {
    /// The most paths of a request.
    public static let largestCount = 10_000

    /// One file: its path in the music folder.
    public var relativePath: String?
    /// Many files.
    public var paths: [String]?
    /// All files, which is the same as to name none.
    public var all: Bool?
    /// "profile", "frames" or both, as unless told: one decoding makes them together.
    public var parts: [String]?
    /// Make them anew where they are there.
    public var force: Bool?

    /// Everything that is missing.
    public init() {}

    private enum CodingKeys: String, CodingKey {
        case relativePath = "relative_path"
        case paths, all, parts, force
    }
}
