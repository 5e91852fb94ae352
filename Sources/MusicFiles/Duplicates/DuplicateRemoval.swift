package import LibraryStore
package import MusicShared

/// Moves the copies of recordings to the trash, and carries what listeners have of them over to the file that stays.
package struct DuplicateRemoval: Sendable {
    private let library: LibraryStore
    private let listening: ListeningStore
    private let trash: MusicTrash

    package init(library: LibraryStore, listening: ListeningStore, trash: MusicTrash) {
        self.library = library
        self.listening = listening
        self.trash = trash
    }

    /// Checks that both files exist and are those that were analysed, so that the last file of a recording is never removed.
    /// - Throws: ``TrashError`` `partOfFile` if the copy is a part of a file; `noFile`, `changed`.
    package func check(_ copy: DuplicateGroup.File, of kept: DuplicateGroup.File) throws(TrashError) {
        try trash.requireOwnFile(copy.track.path)
        for track in [kept.track, copy.track] {
            guard let entry = trash.music.entry(at: track.path.audioFile) else {
                throw TrashError(.noFile, "The file \(track.path.text) does not exist.")
            }
            guard entry.file == track.file else {
                throw TrashError(
                    .changed, "\(track.path.text) has changed since its analysis. Analyse it again first.")
            }
        }
    }

    /// Moves one copy of a group to the trash. Stars, ratings, plays, bookmarks and playlist entries are carried over first, so
    /// that none is lost if that fails; restoring the file does not take them back.
    /// - Throws: ``TrashError``, `DatabaseError`.
    package func remove(_ copy: DuplicateGroup.File, of kept: DuplicateGroup.File) throws -> TrashItem {
        try check(copy, of: kept)
        try library.replaceInPlaylists(copy.track.id, by: kept.track.id)
        try listening.carryOver(from: .init(copy.track), to: .init(kept.track))
        return try trash.put(copy.track.path)
    }
}
