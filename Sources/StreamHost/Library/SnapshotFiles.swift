internal import Analyzer
internal import Companion
internal import FileSystem
internal import Foundation
internal import HTTPServer
internal import LibraryStore

/// Creates the files of snapshots, which have a name in the data folder only while they are being written.
struct SnapshotFiles {
    private static let prefix = "library.snapshot-"

    let folder: DataFolder
    /// Whether copies contain playlists that only their account sees.
    let hasPrivatePlaylists: @Sendable () -> Bool

    /// Creates a copy of a library, opens it and unlinks it.
    func copy(_ library: LibraryStore, _ contents: LibraryCopyContents) throws -> (HTTPFile, EntityTag) {
        try withName("sqlite") { path in
            try library.writeCopy(
                contents, hasPrivatePlaylists: hasPrivatePlaylists(), to: path)
            return (try HTTPFile(path: path), try Self.tag(path))
        }
    }

    /// Compresses a copy, at the fastest level: the middle levels hardly make library databases smaller.
    func compressed(_ file: HTTPFile) throws -> HTTPFile {
        try withName("gz") { try file.gzipped(to: $0, level: 1) }
    }

    /// Opens a file that a closure writes, and unlinks it.
    /// - Returns: nil where the closure returns false.
    func file(_ write: (_ path: String) throws -> Bool) throws -> HTTPFile? {
        try withName("sqlite") { path in try write(path) ? HTTPFile(path: path) : nil }
    }

    /// Deletes files of killed processes. Files of running processes are kept.
    func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(Self.prefix) {
            let maker = name.dropFirst(Self.prefix.count).prefix { $0.isNumber }
            if let process = Int32(maker), process != getpid(), kill(process, 0) == 0 || errno == EPERM {
                continue
            }
            try? Files.remove("\(folder.path)/\(name)")
        }
    }

    private func withName<Value>(_ suffix: String, _ body: (String) throws -> Value) throws -> Value {
        // The process ID shows later whether the creator still runs; the UUID separates hosts in one process.
        let path = "\(folder.path)/\(Self.prefix)\(getpid())-\(UUID().uuidString).\(suffix)"
        defer {
            for name in [path, "\(path)-journal", "\(path)-wal", "\(path)-shm"] { try? Files.remove(name) }
        }
        return try body(path)
    }

    /// Returns an ETag of the content: the same 128-bit hash that identifies audio.
    private static func tag(_ path: String) throws -> EntityTag {
        let file = try MappedFile(path: Array(path.utf8))
        let hash = file.withBytes { bytes in
            AudioHash(of: bytes, in: 0..<bytes.byteCount, passed: file.release(before:))
        }
        return EntityTag("\(hash)")
    }
}
