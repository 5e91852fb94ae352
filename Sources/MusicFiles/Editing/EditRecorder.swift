package import LibraryStore
package import MusicShared
internal import Synchronization
internal import Tagging

/// Records the files that one request or command edits in the history, as one edit that can be undone.
package final class EditRecorder: Sendable {
    private struct State {
        var id: Int?
        var hasFailed = false
    }

    private let kind: EditRecord.Kind
    private let continued: Int?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - kind: what makes the edits.
    ///   - id: the edit that an earlier request began; nil to begin one with the first changed file.
    package init(_ kind: EditRecord.Kind, continuing id: Int? = nil) {
        self.kind = kind
        continued = id
        state = Mutex(State())
    }

    /// The edit's ID; nil if this request has changed nothing that can be undone.
    package var id: Int? { state.withLock { $0.id } }

    /// Adds a file, unless nothing of it can be restored.
    /// - Parameters:
    ///   - changes: the changes by fixes.
    ///   - complain: called once if the history cannot be written. The edits go on: they are what was asked for.
    package func add(
        _ file: TagEditOutcome, _ changes: [EditResult.Change] = [], to history: EditHistory,
        complain: (String) -> Void
    ) {
        guard file.isChanged, !file.formerTags.isEmpty else { return }
        let fields = file.formerTags.fields
        let fixes = Set(changes.filter { fields.contains($0.field) }.map(\.fix)).sorted()
        state.withLock { state in
            do {
                state.id = try history.add(
                    file.path, from: file.previousFile, to: file.file, file.formerTags,
                    edit: state.id ?? continued,
                    kind: kind, fixes: fixes)
            } catch {
                if !state.hasFailed {
                    complain("edits cannot be undone: the former values were not stored: \(error)")
                }
                state.hasFailed = true
            }
        }
    }
}
