internal import Glibc

/// The lock of a pass on a data folder, so that a second pass fails instead of doing the work twice.
///
/// It is a file lock of the system: it ends with the process, even if it is killed, so a leftover file
/// locks no one out. The file contains the process id, for error messages only.
public struct PassLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Acquires the lock.
    /// - Throws: `passRunning` at once if a pass in this or another process holds it; `dataFolder` if the
    ///   file cannot be created.
    public init(_ folder: DataFolder) throws(StoreError) {
        let path = folder.passLock
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else {
            throw StoreError(
                .dataFolder, "cannot create the lock file: \(String(cString: strerror(errno)))", path: path)
        }
        guard Self.lock(opened) else {
            let reason = errno
            let holder = Self.holder(opened)
            close(opened)
            guard reason == EWOULDBLOCK else {
                throw StoreError(
                    .dataFolder, "cannot lock: \(String(cString: strerror(reason)))", path: path)
            }
            let process = holder.map { " (process \($0))" } ?? ""
            throw StoreError(
                .passRunning, "another pass is running on this data folder\(process)", path: folder.path)
        }
        descriptor = opened
        let number = Array("\(getpid())\n".utf8)
        // The process id is for messages only, so a failed write does no harm.
        if ftruncate(opened, 0) == 0 { _ = pwrite(opened, number, number.count, 0) }
    }

    deinit { close(descriptor) }

    /// Whether a pass of any process is working on a data folder now.
    public static func isHeld(_ folder: DataFolder) -> Bool {
        let opened = open(folder.passLock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return flock(opened, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func lock(_ descriptor: Int32) -> Bool {
        // A check whether a pass is running holds the lock for a moment.
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            if errno != EWOULDBLOCK || holderIsExclusive(descriptor) { break }
            usleep(1_000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Whether the lock is held by a pass rather than by a check.
    private static func holderIsExclusive(_ descriptor: Int32) -> Bool {
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return true }
        flock(descriptor, LOCK_UN)
        return false
    }

    private static func holder(_ descriptor: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int(String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
    }
}

/// A pass lock shared by several objects.
final class SharedPassLock: Sendable {
    private let lock: PassLock

    init(_ lock: consuming PassLock) { self.lock = lock }
}
