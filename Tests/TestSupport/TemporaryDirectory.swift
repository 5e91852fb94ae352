public import Foundation

/// A directory of its own for a test, removed with its contents when the last reference goes.
public final class TemporaryDirectory: Sendable {
    /// The directory.
    public let url: URL

    /// Makes an empty directory.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the directory.
    public func path(_ name: String) -> String {
        url.appending(path: name).path(percentEncoded: false)
    }

    /// Writes a file into the directory and returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
        let path = path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// Reads a file of the directory.
    public func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }
}
