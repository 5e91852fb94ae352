import CommandLineProgram
import LibraryStore
import MusicFiles
import MusicShared

/// The edits of one command in the history of the data folder: a host with the same folder lists them as one edit, and can undo it.
struct RecordedEdits {
    private let history: EditHistory
    private let recorder: EditRecorder

    /// Opens the history.
    /// - Throws: `DatabaseError` if this fails; nothing should be edited then.
    init(_ kind: EditRecord.Kind, in data: DataFolder) throws {
        history = try EditHistory(data)
        recorder = EditRecorder(kind)
    }

    /// Adds an edited file. If its former values cannot be stored, a warning says so once.
    func add(_ file: TagEditOutcome) {
        recorder.add(file, to: history) { Terminal.complain("warning: \($0)") }
    }
}
