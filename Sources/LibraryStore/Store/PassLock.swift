internal import FileSystem
internal import Glibc

/// The lock of a pass on a data folder, so that a second pass fails instead of doing the work twice.
///
/// It is a file lock of the system: it ends with the process, even if it is killed, so a leftover file
/// locks no one out. The file contains the process id, for error messages only.
package struct PassLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Acquires the lock.
    /// - Throws: `passRunning` at once if a pass in this or another process holds it; `dataFolder` if the
    ///   file cannot be created.
    package init(_ folder: DataFolder) throws(StoreError) {
        let path = folder.passLock
        let opened = try SystemError.map(to: {
            StoreError(.dataFolder, "cannot create the lock file: \($0)", path: path)
        }) {
            () throws(SystemError) in
            try FileDescriptor.open(path, for: .readAndWrite, [.create, .noLink])
        }
        // A check whether a pass is running holds the lock for a moment.
        let isLocked = Result { () throws(SystemError) in
            try opened.lockDespiteChecks(attempts: 20, intervalMicroseconds: 1_000)
        }
        switch isLocked {
        case .success(true): break
        case .success(false):
            let process = Self.holder(opened).map { " (process \($0))" } ?? ""
            throw StoreError(
                .passRunning, "another pass is running on this data folder\(process)", path: folder.path)
        case .failure(let error):
            throw StoreError(.dataFolder, "cannot lock: \(error)", path: path)
        }
        // The process id is for messages only, so a failed write does no harm.
        try? opened.truncate(to: 0)
        try? opened.write("\(getpid())\n".utf8)
        file = opened
    }

    /// Whether a pass of any process is working on a data folder now.
    package static func isHeld(_ folder: DataFolder) -> Bool {
        guard let file = try? FileDescriptor.open(folder.passLock, for: .read, .noLink) else { return false }
        return (try? file.lock(.shared)) == false
    }

    private static func holder(_ file: borrowing FileDescriptor) -> Int? {
        guard let bytes = try? file.read(16) else { return nil }
        return Int(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self))
    }
}

/// A pass lock shared by several objects.
package final class SharedPassLock: Sendable {
    private let lock: PassLock

    package init(_ lock: consuming PassLock) { self.lock = lock }
}
