internal import Glibc

/// Held while a pass works on a data folder, so that a second one is told instead of doing the work twice.
///
/// It is a lock of the system on a file: it ends with the process, even a killed one, so a file that is left
/// over locks nobody out. The file holds the number of the process, for the message only.
public struct PassLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    /// - Throws: `passRunning` at once if another process, or this one, has it; `dataFolder` if the file
    ///   cannot be made.
    public init(_ folder: DataFolder) throws(StoreError) {
        let path = folder.passLock
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard opened >= 0 else {
            throw StoreError(
                .dataFolder, "cannot make the lock: \(String(cString: strerror(errno)))", path: path)
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
        // The number only serves the message, so that a failed write does no harm.
        if ftruncate(opened, 0) == 0 { _ = pwrite(opened, number, number.count, 0) }
    }

    deinit { close(descriptor) }

    /// Whether a pass, of any process, works on a data folder at this moment.
    public static func isHeld(_ folder: DataFolder) -> Bool {
        let opened = open(folder.passLock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return flock(opened, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func lock(_ descriptor: Int32) -> Bool {
        // Whoever only asks whether a pass is running has the lock for a moment.
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            if errno != EWOULDBLOCK || holderIsExclusive(descriptor) { break }
            usleep(1_000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Whether a pass has the lock, and not somebody who asks.
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
