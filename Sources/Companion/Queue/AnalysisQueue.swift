internal import Foundation
package import LibraryStore
internal import Synchronization

/// The queue of files to be analysed, shared by everything that requests or performs analyses.
///
/// It is stored in `work.sqlite`, so that it survives restarts and is shared by all programs that use a data
/// folder. No file is analysed twice at the same time. All methods are thread-safe, and block on disk access.
package final class AnalysisQueue: Sendable {
    /// The store of the queue, with jobs and events.
    package let store: WorkStore
    private let albumsAreWanted = Atomic(false)

    /// Opens the queue of a data folder.
    /// - Throws: `DatabaseError` as for ``LibraryStore``.
    package convenience init(_ folder: DataFolder) throws {
        self.init(try WorkStore(folder))
    }

    /// Creates a queue in a store.
    package init(_ store: WorkStore) { self.store = store }

    /// Requests analyses. A file that is already queued keeps its place, unless it becomes more urgent.
    /// - Returns: the place of each file, from 1: the number of files ahead of it, including those in
    ///   progress, plus one.
    @discardableResult
    package func enqueue(_ requests: [AnalysisRequest]) throws -> [Int] {
        requests.isEmpty ? [] : try store.enqueue(requests)
    }

    /// Requests analyses without determining places; suitable for any number of files.
    func add(_ requests: [AnalysisRequest]) throws {
        // In parts, so that a request for a single file in the meantime does not wait for all of them.
        for start in stride(from: 0, to: requests.count, by: 2_000) {
            let part = requests[start..<min(requests.count, start + 2_000)]
            _ = try store.enqueue(Array(part), wantsPlaces: false)
        }
    }

    /// Requests everything that is missing for one file, or a check whether it still exists.
    /// - Returns: its place, from 1.
    @discardableResult
    package func enqueue(_ path: RelativePath, priority: AnalysisPriority) throws -> Int {
        try enqueue([AnalysisRequest(path, priority: priority)])[0]
    }

    /// Requests the loudness of albums whose tracks have changed. The workers compute it when nothing more
    /// urgent is waiting, or after some seconds.
    package func measureAlbums() {
        albumsAreWanted.store(true, ordering: .relaxed)
        store.changes.signal()
    }

    /// Number of files that are waiting or being analysed.
    package var length: Int {
        get throws { try store.taskCount() }
    }

    /// Whether any program is analysing files now.
    package var isBusy: Bool { (try? store.hasBegunTasks()) ?? false }

    /// Whether the loudness of albums was requested; resets the request.
    func takeAlbumWish() -> Bool { albumsAreWanted.exchange(false, ordering: .relaxed) }
}
