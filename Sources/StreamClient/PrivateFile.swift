internal import FileSystem
package import Foundation

/// Local files of the client that only their owner may read.
package enum PrivateFile {
    /// Replaces a file atomically: readers see either the old or the new content, never a mixture. Missing folders are
    /// created.
    package static func replace(_ path: String, with content: Data) throws {
        try makeFolder(URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false))
        try Files.replace(path, with: content, permissions: 0o600)
    }

    /// Creates a folder and its missing parent folders.
    package static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Moves a file over another, atomically.
    package static func move(_ path: String, to other: String) throws { try Files.rename(path, to: other) }
}
