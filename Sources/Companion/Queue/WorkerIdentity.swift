internal import Analyzer
import Foundation
internal import SQLiteDatabase

/// A program, or a part of one, that runs tasks from the queue.
///
/// It is alive as long as it holds the lock on its own byte of a file. The system releases the lock with the
/// process, even if it was killed: its tasks are then free for others, without relying on clocks. In the same
/// file, each worker has 8 bytes for the task whose analysis has crashed the process.
final class WorkerIdentity: Sendable {
    /// The worker's id, never reused.
    let id: Int
    private let descriptor: Int32

    /// Registers a worker.
    /// - Throws: `dataFolder` if the lock file cannot be created, `DatabaseError`.
    init(_ store: WorkStore) throws {
        let opened = try Self.open(store.folder)
        descriptor = opened
        do {
            id = try store.write { database in
                try database.execute(
                    "INSERT INTO workers (process, started_at_ms) VALUES (?, ?)",
                    [Int(getpid()), Date().storedMilliseconds])
                let id = Int(database.lastInsertRowID)
                // For debugging only: the locks determine which workers are alive.
                try database.execute("DELETE FROM workers WHERE id <= ?", [id - 100])
                return id
            }
        } catch {
            close(opened)
            throw error
        }
        // The lock file may be older than the database that assigns the ids.
        var none = 0
        pwrite(opened, &none, Self.markSize, off_t(id * Self.markSize))
        var request = Self.byte(id)
        guard fcntl(opened, Self.setLock, &request) == 0 else {
            let reason = String(cString: strerror(errno))
            // No task has been started under this id yet; the descriptor is closed by deinit.
            throw StoreError(.dataFolder, "cannot lock: \(reason)", path: store.folder.workLock)
        }
    }

    deinit { close(descriptor) }

    /// Whether a worker of any process is alive.
    func isAlive(_ other: Int) -> Bool {
        if other == id { return true }
        var request = Self.byte(other)
        // If the system call fails, assume that it is alive.
        return fcntl(descriptor, Self.getLock, &request) != 0 || request.l_type != Int16(F_UNLCK)
    }

    private static let markSize = MemoryLayout<Int>.size

    /// Runs the analysis of a task on this thread. If it crashes, other workers can find out which task it
    /// was.
    func marking<Value>(_ task: AnalysisTask, _ body: () -> Value) -> Value {
        CrashMark.leaving(task.id, in: descriptor, at: id * Self.markSize, during: body)
    }

    /// The task whose analysis has crashed a worker's process; nil if the process was killed from outside.
    func crashedTask(of other: Int) -> Int? {
        var task = 0
        let count = pread(descriptor, &task, Self.markSize, off_t(other * Self.markSize))
        return count == Self.markSize && task != 0 ? task : nil
    }

    private static func open(_ folder: DataFolder) throws(StoreError) -> Int32 {
        let opened = Foundation.open(
            folder.workLock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else {
            throw StoreError(
                .dataFolder, "cannot create the lock file: \(String(cString: strerror(errno)))",
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

    /// `F_OFD_GETLK` and `F_OFD_SETLK` of Linux, which the C library declares for GNU sources only: locks of
    /// the descriptor, not of the process.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37
}
