public import Foundation

/// A temporary directory for a test, removed with its contents when the last reference is released.
public final class TemporaryDirectory: Sendable {
    /// The directory.
    public let url: URL

    /// Creates an empty directory.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Path of the directory.
    public var path: String { url.path(percentEncoded: false) }

    /// Returns the path of a file in the directory.
    public func file(_ name: String) -> String {
        url.appending(path: name).path(percentEncoded: false)
    }

    /// Writes a file to the directory and returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, as name: String) throws -> String {
        let path = file(name)
        // fopen rather than Foundation, which syncs to disk: some tests write thousands of files.
        guard let stream = fopen(path, "wb") else { throw CocoaError(.fileWriteUnknown) }
        defer { fclose(stream) }
        let data = Array(bytes)
        guard fwrite(data, 1, data.count, stream) == data.count else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    /// Creates a folder of files, with intermediate folders, and returns its path.
    public func makeFolder(_ name: String, of files: [(name: String, bytes: [UInt8])]) throws -> String {
        let folder = file(name)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for file in files {
            let url = URL(filePath: "\(folder)/\(file.name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: url)
        }
        return folder
    }

    /// Reads a file in the directory.
    public func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: file(name))))
    }
}
