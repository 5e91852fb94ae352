/// A file for which an operation failed.
public struct FileFailure: Codable, Sendable, Equatable {
    /// Path relative to the music folder.
    public var relativePath: String
    /// Stable error code.
    public var code: String
    /// Human-readable reason.
    public var message: String

    /// Memberwise initializer.
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
