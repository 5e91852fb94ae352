internal import Companion
internal import Foundation

/// Consistent copies of the library database to hand out.
///
/// One thread of its own makes them, one at a time, however many ask; who asks waits without holding a thread. A library
/// that has not changed costs a request nothing but the question whether it has. After changes a copy is made ahead, so
/// that the next who asks finds it, if the one before was asked for.
///
/// While a pass writes, a copy is handed out that is up to ``leastAgeSeconds`` old, or twenty times as old as its making
/// took, so that a pass which stores a track every second does not keep the host copying. Once the pass has ended, whoever
/// asks gets the final state.
final class LibrarySnapshots: Sendable {
    /// Seconds for which a copy serves at least while a pass goes on.
    static let leastAgeSeconds = 30.0

    private let maker: SnapshotMaker

    /// - Parameters:
    ///   - folder: where the files are until they are open, and who passes over it.
    ///   - queue: tells who else analyses.
    /// - Throws: what keeps the library from being looked at.
    init(library: LibraryStore, folder: DataFolder, queue: AnalysisQueue) throws {
        maker = try SnapshotMaker(library: library, folder: folder) {
            PassLock.isHeld(folder) || queue.isBusy
        }
        maker.start()
    }

    deinit { maker.stop() }

    /// The copy of the library as it is now, or, while a pass writes, as it was a short while ago.
    /// - Parameter needsCompression: wait until its compressed form is there as well.
    /// - Throws: what keeps the copy from being made: a full disk, for instance.
    func snapshot(
        _ contents: LibraryCopyContents, needsCompression: Bool
    ) async throws -> LibrarySnapshot {
        try await withCheckedThrowingContinuation { continuation in
            maker.ask(for: contents, needsCompression: needsCompression) { continuation.resume(with: $0) }
        }
    }
}
