public import Analyzer
public import Foundation
public import Tagging

/// Edits tags of files and keeps the library in step, so that it says at once what the files say.
public struct LibraryEditor: Sendable {
    /// A file that was edited.
    public struct Edited: Sendable {
        /// The file.
        public var file: EditedTrack
        /// Its track; nil where the library does not know the file with this audio, and a pass has to look at it.
        public var trackID: Int?
    }

    private let editor: TagEditor
    private let library: LibraryStore

    /// Edits files of a folder, and the library of that folder.
    public init(music: MusicFolder, library: LibraryStore) {
        editor = TagEditor(music)
        self.library = library
    }

    /// Edits a file and stores what it says now. Waits for the disk.
    /// - Parameter expected: the state that the file must be in; nil where any will do.
    /// - Throws: ``TagEditError``; the file is then as it was. A library that cannot be written is no error: the next pass
    ///   finds the file.
    public func apply(
        _ edit: TagEdit, to path: RelativePath, expecting expected: FileState? = nil, now: Date = Date()
    ) throws(TagEditError) -> Edited {
        let file = try editor.apply(edit, to: path, expecting: expected)
        // Whether it was changed or not: the library may be behind.
        let ids = try? library.record(edited: [file], now: now)
        return Edited(file: file, trackID: ids?.first)
    }

    /// Brings what depends on many tracks up to date; to be called once after some edits.
    /// - Throws: `DatabaseError`; nothing is lost then, the next pass does it.
    public func finish() throws { try library.measureOutdatedAlbums() }
}
