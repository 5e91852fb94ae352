internal import Foundation
internal import Synchronization

/// The one queue of files to be analysed: whoever wants an analysis asks here, and whoever analyses takes from here.
///
/// It lies in `work.sqlite`, so that it outlives the program and is shared by all that work on a data folder. No file is
/// analysed by two at once. All calls may come from any thread, and block while the disk works.
public final class AnalysisQueue: Sendable {
    /// The store that it lies in, with jobs and events.
    public let store: WorkStore
    private let albumsAreWanted = Atomic(false)

    /// The queue of a data folder.
    /// - Throws: `DatabaseError` as for ``LibraryStore``.
    public convenience init(_ folder: DataFolder) throws {
        self.init(try WorkStore(folder))
    }

    /// The queue in a store.
    public init(_ store: WorkStore) { self.store = store }

    /// Asks for files. One that was asked for already keeps its place, unless it is wanted sooner.
    /// - Returns: for each its place, from 1: how many files are looked at before it, those under way included, and one.
    @discardableResult
    public func ask(_ requests: [AnalysisRequest]) throws -> [Int] {
        requests.isEmpty ? [] : try store.ask(requests)
    }

    /// Asks for files whose places nobody wants to know, however many.
    func add(_ requests: [AnalysisRequest]) throws {
        // In parts, so that whoever asks for one file meanwhile does not wait for all.
        for start in stride(from: 0, to: requests.count, by: 2_000) {
            let part = requests[start..<min(requests.count, start + 2_000)]
            _ = try store.ask(Array(part), wantsPlaces: false)
        }
    }

    /// Asks for all that is missing of one file, or to look whether it is still there.
    /// - Returns: its place, from 1.
    @discardableResult
    public func ask(_ path: RelativePath, priority: AnalysisPriority) throws -> Int {
        try ask([AnalysisRequest(path, priority: priority)])[0]
    }

    /// Asks for the loudness of albums whose tracks have changed. The workers do it when nothing waits that is more urgent,
    /// or after some seconds.
    public func measureAlbums() {
        albumsAreWanted.store(true, ordering: .relaxed)
        store.changes.tell()
    }

    /// Files that wait or are being analysed.
    public var length: Int {
        get throws { try store.taskCount() }
    }

    /// Whether files are being analysed at the moment, by whatever program.
    public var isBusy: Bool { (try? store.hasBegunTasks()) ?? false }

    /// Whether the loudness of albums is asked for; not any more afterwards.
    func takeAlbumWish() -> Bool { albumsAreWanted.exchange(false, ordering: .relaxed) }
}
