/// A track that waits for its analysis: the content of an answer with status 202.
public struct PendingTrack: Codable, Sendable, Equatable {
    /// Path in the music folder, as it was asked for.
    public var relativePath: String
    /// Its place in the queue, from 1: what clients wait for comes first, in the order in which it was asked for.
    public var position: Int

    /// Puts the parts together.
    public init(relativePath: String, position: Int) {
        self.relativePath = relativePath
        self.position = position
    }

    private enum CodingKeys: String, CodingKey {
        case relativePath = "relative_path"
        case position
    }
}
