import Foundation
internal import SQLiteDatabase

/// A program, or a part of one, that takes tasks from the queue.
///
/// It lives as long as it holds the lock on its own byte of a file. The system lets go of the lock with the process, even a
/// killed one: what it had begun is then free for others, without any clock that might be wrong.
final class WorkerIdentity: Sendable {
    /// The worker's number, never given again.
    let id: Int
    private let descriptor: Int32

    /// Makes a worker.
    /// - Throws: `dataFolder` when the lock file cannot be made, `DatabaseError`.
    init(_ store: WorkStore) throws {
        let opened = try Self.open(store.folder)
        descriptor = opened
        do {
            id = try store.write { database in
                try database.execute(
                    "INSERT INTO workers (process, started_at_ms) VALUES (?, ?)",
                    [Int(getpid()), Date().storedMilliseconds])
                let id = Int(database.lastInsertRowID)
                // For people to read only: who lives is told by the locks.
                try database.execute("DELETE FROM workers WHERE id <= ?", [id - 100])
                return id
            }
        } catch {
            close(opened)
            throw error
        }
        var request = Self.byte(id)
        guard fcntl(opened, Self.setLock, &request) == 0 else {
            let reason = String(cString: strerror(errno))
            // Nothing is begun yet in its name; the file is closed with this.
            throw StoreError(.dataFolder, "cannot lock: \(reason)", path: store.folder.workLock)
        }
    }

    deinit { close(descriptor) }

    /// Whether a worker lives, of any process.
    func isAlive(_ other: Int) -> Bool {
        if other == id { return true }
        var request = Self.byte(other)
        // If the system does not tell, nothing is taken from anybody.
        return fcntl(descriptor, Self.getLock, &request) != 0 || request.l_type != Int16(F_UNLCK)
    }

    private static func open(_ folder: DataFolder) throws(StoreError) -> Int32 {
        let opened = Foundation.open(
            folder.workLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard opened >= 0 else {
            throw StoreError(
                .dataFolder, "cannot make the lock: \(String(cString: strerror(errno)))",
                path: folder.workLock)
        }
        return opened
    }

    private static func byte(_ id: Int) -> flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(id)
        lock.l_len = 1
        return lock
    }

    /// `F_OFD_GETLK` and `F_OFD_SETLK` of Linux, which the C library shows to GNU sources only: locks of this descriptor, not
    /// of the process.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37
}
