/// A file that something could not be done with.
public struct FileFailure: Codable, Sendable, Equatable {
    /// Path in the music folder.
    public var relativePath: String
    /// The stable name of the reason's kind.
    public var code: String
    /// The reason, for a person to read.
    public var message: String

    /// Puts the parts together.
    public init(relativePath: String, code: String, message: String) {
        self.relativePath = relativePath
        self.code = code
        self.message = message
    }

    private enum CodingKeys: String, CodingKey {
        case relativePath = "relative_path"
        case code, message
    }
}
