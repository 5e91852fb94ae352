package import Foundation
package import LibraryStore

/// Prunes a data folder from a separate program, possibly while a host is running.
package struct LibraryPruning: Sendable {
    private let lock: SharedPassLock
    private let library: LibraryStore
    private let frames: SpectrumStore
    private let queue: AnalysisQueue

    /// Opens the databases, which must exist, and locks out passes.
    /// - Throws: `StoreError` `notFound` if there is no library yet, `passRunning` if a pass is running;
    ///   `DatabaseError` if a database cannot be used.
    package init(_ data: DataFolder) throws {
        _ = try LibraryStore(reading: data)
        lock = SharedPassLock(try PassLock(data))
        library = try LibraryStore(data)
        frames = try SpectrumStore(data)
        queue = try AnalysisQueue(data)
    }

    /// Removes, or counts, unreferenced data.
    /// - Parameters:
    ///   - date: tracks missing since before this date are removed.
    ///   - isTrial: whether to only count.
    /// - Throws: `StoreError` `dataFolderInUse` if a host is analysing files, whose spectra are stored before
    ///   their tracks.
    package func run(goneBefore date: Date, isTrial: Bool) throws -> PruningResult {
        if !isTrial, queue.isBusy {
            throw StoreError(
                .dataFolderInUse, "files are being analysed; try again when the queue is empty",
                path: library.path)
        }
        let result = try library.prune(goneBefore: date, frames: frames, isTrial: isTrial)
        if !isTrial {
            try library.checkpoint()
            try frames.checkpoint()
        }
        return result
    }
}
