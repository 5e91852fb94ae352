internal import Analyzer
internal import Foundation
internal import Synchronization

/// Stores what a pass has learnt of some files: visualizer frames and library beside each other.
///
/// The two databases are written at the same time, each by its own thread. The library's transaction waits for that of
/// the frames before it ends; so a program that is killed at any moment leaves at most frames that wait for their track,
/// and never a finished track whose frames were not written. What a power cut takes of the frames, the next pass finds
/// missing and makes again.
public struct AnalysisRecorder: Sendable {
    private let library: LibraryStore
    private let frames: FrameStore

    /// Makes a recorder over the stores of a data folder.
    public init(library: LibraryStore, frames: FrameStore) {
        self.library = library
        self.frames = frames
    }

    /// Stores files with their analyses and frames.
    /// - Parameters:
    ///   - records: the files, in any order.
    ///   - isPresent: whether a file is there now; asked for the old places of files that may have moved.
    /// - Returns: the tracks' ids, in the order of the records.
    /// - Throws: what kept one of the databases from being written; the library is then as it was before.
    public func record(_ records: [TrackRecord], isPresent: (RelativePath) -> Bool) throws -> [Int] {
        try recordChanges(records, isPresent: isPresent).map(\.id)
    }

    /// The same, telling of each track what has happened to it.
    func recordChanges(
        _ records: [TrackRecord], isPresent: (RelativePath) -> Bool
    ) throws -> [RecordedTrack] {
        let analyses = records.compactMap(\.analysis)
        guard analyses.contains(where: { $0.frames != nil }) else {
            return try library.recordChanges(records, isPresent: isPresent)
        }
        let frames = frames
        let saving = ParallelWork { try frames.save(framesOf: analyses) }
        // Also when the library fails: nothing is under way any more when this returns.
        defer { saving.wait() }
        return try library.recordChanges(records, isPresent: isPresent) { try saving.finish() }
    }
}

/// Work on a thread of its own, whose end is waited for.
private final class ParallelWork: Sendable {
    private let group = DispatchGroup()
    private let failure = Mutex<(any Error)?>(nil)

    init(_ body: @escaping @Sendable () throws -> Void) {
        group.enter()
        WorkerThread.start(niceness: 0) { [self] in
            do { try body() } catch { failure.withLock { $0 = error } }
            group.leave()
        }
    }

    /// Waits for the end.
    func wait() { group.wait() }

    /// Waits for the end.
    /// - Throws: what the work has thrown.
    func finish() throws {
        wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
