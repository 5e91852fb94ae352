internal import Analyzer
internal import Companion
internal import Foundation
internal import HTTPServer

/// The files of snapshots, which have a name in the data folder only while they are made.
struct SnapshotFiles {
    private static let prefix = "library.snapshot-"

    let folder: DataFolder

    /// Makes a copy of a library, opens it, and takes its name away.
    func copy(_ library: LibraryStore, _ contents: LibraryCopyContents) throws -> (HTTPFile, EntityTag) {
        try withName("sqlite") { path in
            try library.writeCopy(contents, to: path)
            return (try HTTPFile(path: path), try Self.tag(path))
        }
    }

    /// Compresses a copy. Of a library the fastest level makes no more than the middle ones.
    func compressed(_ file: HTTPFile) throws -> HTTPFile {
        try withName("gz") { try file.gzipped(to: $0, level: 1) }
    }

    /// Removes what programs have left that were killed while they made a copy. Those of a program that runs stay.
    func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where name.hasPrefix(Self.prefix) {
            let maker = name.dropFirst(Self.prefix.count).prefix { $0.isNumber }
            if let process = Int32(maker), process != getpid(), kill(process, 0) == 0 || errno == EPERM {
                continue
            }
            unlink("\(folder.path)/\(name)")
        }
    }

    private func withName<Value>(_ suffix: String, _ body: (String) throws -> Value) throws -> Value {
        // The number of the process, which tells later whether its maker still runs; a name of its own for each host.
        let path = "\(folder.path)/\(Self.prefix)\(getpid())-\(UUID().uuidString).\(suffix)"
        defer { for name in [path, "\(path)-journal", "\(path)-wal", "\(path)-shm"] { unlink(name) } }
        return try body(path)
    }

    /// A tag of the bytes: 128 bits of the hash that payloads are known by.
    private static func tag(_ path: String) throws -> EntityTag {
        let file = try MappedFile(path: Array(path.utf8))
        let hash = file.withBytes { bytes in
            AudioHash(of: bytes, in: 0..<bytes.byteCount, passed: file.release(before:))
        }
        return EntityTag("\(hash)")
    }
}
