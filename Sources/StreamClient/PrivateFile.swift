internal import Foundation

/// Local files of the client that only their owner may read.
enum PrivateFile {
    /// Replaces a file atomically: readers see either the old or the new content, never a mixture. Missing folders are
    /// created.
    static func replace(_ path: String, with content: Data) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try makeFolder(folder.path(percentEncoded: false))
        let fresh = path + ".new"
        try? FileManager.default.removeItem(atPath: fresh)
        guard
            FileManager.default.createFile(
                atPath: fresh, contents: content, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        try move(fresh, to: path)
    }

    /// Creates a folder and its missing parent folders.
    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Moves a file over another, atomically.
    static func move(_ path: String, to other: String) throws {
        guard rename(path, other) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }
}
