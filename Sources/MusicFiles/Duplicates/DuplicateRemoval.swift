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

    /// Moves one copy of a group to the trash. Stars, ratings, plays, bookmarks and playlist entries are carried over first, so
    /// that none is lost if that fails; restoring the file does not take them back.
    /// - Throws: ``TrashError``, `DatabaseError`.
    package func remove(_ copy: AnalysedTrack, of best: AnalysedTrack) throws -> TrashItem {
        try library.replaceInPlaylists(copy.track.id, by: best.track.id)
        try listening.carryOver(from: .init(copy.track), to: .init(best.track))
        return try trash.put(copy.track.path)
    }
}
