internal import Companion
internal import Foundation
internal import LibraryStore

/// Provides consistent copies of the library database.
///
/// A dedicated thread creates them one at a time; waiting requests do not block a thread. If the library is
/// unchanged, a request only costs a version check. After changes, a copy is created ahead of the next
/// request if the previous one was requested.
///
/// While analyses are being written, a copy up to ``leastAgeSeconds`` old is served, or up to twenty times as
/// old as it took to create, so that storing a track every second does not keep the host copying. Once
/// writing has ended, requests get the final state.
final class LibrarySnapshots: Sendable {
    /// Minimum age in seconds at which a copy is replaced while analyses are being written.
    static let leastAgeSeconds = 30.0

    private let maker: SnapshotMaker

    /// - Parameters:
    ///   - folder: The data folder, where the files are created; its pass lock shows whether a scan is
    ///     running.
    ///   - queue: Shows whether other workers are analysing.
    ///   - hasPrivatePlaylists: Whether copies contain private playlists, as long as there is one account.
    /// - Throws: An error if the library cannot be read.
    init(
        library: LibraryStore, folder: DataFolder, queue: AnalysisQueue,
        hasPrivatePlaylists: @escaping @Sendable () -> Bool
    ) throws {
        maker = try SnapshotMaker(
            library: library,
            files: SnapshotFiles(folder: folder, hasPrivatePlaylists: hasPrivatePlaylists)
        ) {
            PassLock.isHeld(folder) || queue.isBusy
        }
        maker.start()
    }

    deinit { maker.stop() }

    /// Returns a copy of the library's current state, or a slightly older one while analyses are being
    /// written.
    /// - Parameter needsCompression: Whether to wait for the compressed copy as well.
    /// - Throws: An error if the copy cannot be created, for example because the disk is full.
    func snapshot(
        _ contents: LibraryCopyContents, needsCompression: Bool
    ) async throws -> LibrarySnapshot {
        try await withCheckedThrowingContinuation { continuation in
            maker.requestCopy(of: contents, needsCompression: needsCompression) {
                continuation.resume(with: $0)
            }
        }
    }
}
