/// A track waiting for analysis: the body of a 202 response.
public struct PendingTrack: Codable, Sendable, Equatable {
    /// Path relative to the music folder, as requested.
    public var relativePath: String
    /// Position in the queue, from 1: files that clients are waiting for come first, in the order of the requests.
    public var position: Int

    /// Memberwise initializer.
    public init(relativePath: String, position: Int) {
        self.relativePath = relativePath
        self.position = position
    }

    private enum CodingKeys: String, CodingKey {
        case relativePath = "relative_path"
        case position
    }
}
