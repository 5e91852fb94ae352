package import Analyzer
package import Foundation
package import LibraryStore
package import Tagging

/// Edits tags of files and updates the library at once to match.
package struct LibraryEditor: Sendable {
    /// An edited file.
    package struct Edited: Sendable {
        /// The file.
        package var file: TagEditOutcome
        /// Its track; nil if the library does not know the file with this audio, so that a pass has to read
        /// it.
        package var trackID: Int?
    }

    private let editor: TagEditor
    private let library: LibraryStore

    /// Edits files of a music folder and updates the library of that folder.
    package init(music: MusicFolder, library: LibraryStore) {
        editor = TagEditor(music)
        self.library = library
    }

    /// Edits a file and stores its new tags. Waits for the disk.
    /// - Parameter expected: the state that the file must be in; nil to accept any.
    /// - Throws: ``TagEditError``; the file is then unchanged. Failing to write the library is not an error:
    ///   the next pass finds the file.
    package func apply(
        _ edit: TagEdit, to path: RelativePath, expecting expected: FileState? = nil, now: Date = Date()
    ) throws(TagEditError) -> Edited {
        let file = try editor.apply(edit, to: path, expecting: expected)
        // Even if nothing was changed: the library may be out of date.
        let ids = try? library.record(edited: [file], now: now)
        return Edited(file: file, trackID: ids?.first)
    }

    /// Updates what depends on several tracks, such as album loudness; call it once after a series of edits.
    /// - Throws: `DatabaseError`; nothing is lost then, since the next pass does it.
    package func finish() throws { try library.measureOutdatedAlbums() }
}
