internal import Analyzer
package import Companion
internal import Foundation
package import LibraryStore
package import MusicFiles
internal import MusicShared
internal import Synchronization
internal import Tagging

/// Edits files one at a time on a dedicated queue, and updates the library and clients afterwards.
package final class EditQueue: Sendable {
    /// Number of attempts for a busy file; `pause` is the delay between attempts.
    private static let attempts = 20
    private static let pause = Duration.milliseconds(50)
    /// Age in seconds after which an unlocked temporary file is considered abandoned: edits lock theirs by
    /// then.
    private static let leftoverSeconds = 2.0

    let music: MusicFolder
    let library: LibraryStore
    let history: EditHistory
    private let editor: LibraryEditor
    private let analysisQueue: AnalysisQueue
    private let log: (@Sendable (String) -> Void)?
    private let report: @Sendable (String) -> Void
    // Disk access blocks, so it must not run on Swift's small cooperative thread pool.
    private let queue = DispatchQueue(label: "tag edits")

    /// - Parameters:
    ///   - queue: Queues files that are not in the library yet; its log notifies clients and the media server
    ///     of changes.
    ///   - history: Keeps the former values of edited tags.
    ///   - log: Called with one line per set of edits.
    ///   - report: Called with messages for the owner.
    package init(
        music: MusicFolder, library: LibraryStore, queue: AnalysisQueue, history: EditHistory,
        log: (@Sendable (String) -> Void)? = nil, report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.log = log
        self.report = report
        self.history = history
        self.music = music
        self.library = library
        analysisQueue = queue
        editor = LibraryEditor(music: music, library: library)
    }

    /// Deletes temporary files of killed edits without delaying other edits.
    package func removeLeftovers() {
        let music = music
        let cleaning = DispatchQueue(label: "edit leftovers", qos: .utility)
        cleaning.async { music.removeEditLeftovers(olderThanSeconds: Self.leftoverSeconds) }
        // Again for files that are too recent now: the previous process may have been killed just before this start.
        cleaning.asyncAfter(deadline: .now() + 2 * Self.leftoverSeconds) {
            music.removeEditLeftovers(olderThanSeconds: Self.leftoverSeconds)
        }
    }

    /// Runs a blocking operation on the same queue as the edits.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    /// Edits one file.
    /// - Parameters:
    ///   - recorder: Records the former values; nil if the edit cannot be undone.
    ///   - changes: The changes by fixes, for the record.
    /// - Throws: ``TagEditError``; the file is then unchanged.
    func apply(
        _ edit: TagEdit, to path: RelativePath, expecting expected: FileState?, _ recorder: EditRecorder?,
        changes: [EditResult.Change] = []
    ) async throws -> LibraryEditor.Edited {
        var attempt = 1
        let edited: LibraryEditor.Edited
        while true {
            do {
                edited = try await run { [editor, history, report] in
                    let edited = try editor.apply(edit, to: path, expecting: expected)
                    recorder?.add(edited.file, changes, to: history, complain: report)
                    return edited
                }
                break
            } catch let error as TagEditError where error.code == .busy && attempt < Self.attempts {
                // Most programs only hold a file open briefly. Other edits proceed in the meantime.
                attempt += 1
                try await Task.sleep(for: Self.pause)
            }
        }
        if edited.trackID == nil {
            // If this fails, the watcher or the next scan finds the file.
            _ = try? await run { [analysisQueue] in try analysisQueue.enqueue(path, priority: .waitedFor) }
        }
        return edited
    }

    /// Updates album measurements and notifies clients. Must be called once after a set of edits, even if
    /// some failed.
    func finish(_ edited: [LibraryEditor.Edited]) async {
        let changed = edited.filter(\.file.isChanged)
        guard !changed.isEmpty else { return }
        if let log, let line = ActivityLine.text("edit", changed.map(\.file.path), "changed") { log(line) }
        // If the library cannot be written now, the next scan updates the albums.
        _ = try? await run { [editor] in try editor.finish() }
        // The edits have succeeded even if clients cannot be notified.
        _ = try? await run { [analysisQueue] in try analysisQueue.store.announce(edited: changed) }
    }
}
