internal import Analyzer
internal import FileSystem
internal import Foundation
internal import SQLiteDatabase

/// A program, or a part of one, that runs tasks from the queue.
///
/// It is alive as long as it holds the lock on its own byte of a file. The system releases the lock with the
/// process, even if it was killed: its tasks are then free for others, without relying on clocks. In the same
/// file, each worker has 8 bytes for the task whose analysis has crashed the process.
package final class WorkerIdentity: Sendable {
    /// The worker's id, never reused.
    package let id: Int
    private let file: FileDescriptor

    /// Registers a worker.
    /// - Throws: `dataFolder` if the lock file cannot be created, `DatabaseError`.
    package init(_ store: WorkStore) throws {
        let path = store.folder.workLock
        file = try SystemError.map(to: {
            StoreError(.dataFolder, "cannot create the lock file: \($0)", path: path)
        }) { () throws(SystemError) in
            try FileDescriptor.open(path, for: .readAndWrite, [.create, .noLink])
        }
        id = try store.write { database in
            try database.execute(
                "INSERT INTO workers (process, started_at_ms) VALUES (?, ?)",
                [Int(getpid()), Date().storedMilliseconds])
            let id = Int(database.lastInsertRowID)
            // For debugging only: the locks determine which workers are alive.
            try database.execute("DELETE FROM workers WHERE id <= ?", [id - 100])
            return id
        }
        // The lock file may be older than the database that assigns the ids.
        try? file.write([UInt8](repeating: 0, count: Self.markSize), at: id * Self.markSize)
        let isLocked: Bool
        do throws(SystemError) {
            isLocked = try file.lockByte(id)
        } catch {
            throw StoreError(.dataFolder, "cannot lock: \(error)", path: path)
        }
        guard isLocked else {
            throw StoreError(.dataFolder, "cannot lock: another worker has the same number", path: path)
        }
    }

    /// Whether a worker of any process is alive.
    package func isAlive(_ other: Int) -> Bool {
        // If the system call fails, assume that it is alive.
        other == id || (try? file.isByteLockedElsewhere(other)) ?? true
    }

    private static let markSize = MemoryLayout<Int>.size

    /// Runs the analysis of a task on this thread. If it crashes, other workers can find out which task it
    /// was.
    package func marking<Value>(_ task: AnalysisTask, _ body: () -> Value) -> Value {
        CrashMark.leaving(task.id, in: file.number, at: id * Self.markSize, during: body)
    }

    /// The task whose analysis has crashed a worker's process; nil if the process was killed from outside.
    package func crashedTask(of other: Int) -> Int? {
        guard let bytes = try? file.read(Self.markSize, at: other * Self.markSize),
            bytes.count == Self.markSize
        else { return nil }
        let task = bytes.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
        return task == 0 ? nil : task
    }
}
