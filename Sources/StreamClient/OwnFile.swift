internal import Foundation

/// Files of the client's own, which only their owner may read.
enum OwnFile {
    /// Puts content in the place of a file at once: who reads it meanwhile sees the old or the new one, whole. Missing folders
    /// are made.
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

    /// Makes a folder, and those above it.
    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Puts a file in the place of another, at once.
    static func move(_ path: String, to other: String) throws {
        guard rename(path, other) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }
}
