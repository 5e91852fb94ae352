internal import Analyzer
internal import Companion
internal import Foundation
internal import Synchronization
internal import Tagging

/// Edits of files on a thread of their own, one at a time, and what has to happen afterwards.
final class LibraryEdits: Sendable {
    /// How often a file that is busy is tried, and how long is waited before each further time.
    private static let attempts = 20
    private static let pause = Duration.milliseconds(50)

    let music: MusicFolder
    let library: LibraryStore
    private let editor: LibraryEditor
    private let analysisQueue: AnalysisQueue
    // Not one of Swift's threads, of which there are few: a disk may take its time.
    private let queue = DispatchQueue(label: "tag edits")

    /// - Parameter queue: asked for files that the library does not know; its log tells clients, and the media server, what
    ///   was changed.
    init(music: MusicFolder, library: LibraryStore, queue: AnalysisQueue) {
        self.music = music
        self.library = library
        analysisQueue = queue
        editor = LibraryEditor(music: music, library: library)
    }

    /// Deletes what edits have left that were killed, without keeping anybody waiting.
    func removeLeftovers() {
        let music = music
        queue.async { music.removeEditLeftovers() }
    }

    /// Runs something that waits for the disk in turn with the edits.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }

    /// Edits one file.
    /// - Throws: ``TagEditError``; the file is then as it was.
    func apply(
        _ edit: TagEdit, to path: RelativePath, expecting expected: FileState?
    ) async throws -> LibraryEditor.Edited {
        var attempt = 1
        let edited: LibraryEditor.Edited
        while true {
            do {
                edited = try await run { [editor] in try editor.apply(edit, to: path, expecting: expected) }
                break
            } catch let error as TagEditError where error.code == .busy && attempt < Self.attempts {
                // Many programs have a file open for a moment only; others need not wait for it meanwhile.
                attempt += 1
                try await Task.sleep(for: Self.pause)
            }
        }
        if edited.trackID == nil {
            // If the queue cannot be written now, the watcher or the next pass finds the file.
            _ = try? await run { [analysisQueue] in try analysisQueue.ask(path, priority: .waitedFor) }
        }
        return edited
    }

    /// To be called once after some edits, whatever became of them.
    func finish(_ edited: [LibraryEditor.Edited]) async {
        let changed = edited.filter(\.file.isChanged)
        guard !changed.isEmpty else { return }
        // If the library cannot be written now, the next pass measures the albums.
        _ = try? await run { [editor] in try editor.finish() }
        // The edits are done, whether clients can be told or not.
        _ = try? await run { [analysisQueue] in try analysisQueue.store.announce(edited: changed) }
    }
}
