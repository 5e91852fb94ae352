internal import Catalogue
package import LibraryStore
internal import Synchronization

/// The ``SoundLibrary`` of a store, and its map, kept up to date: they are made when they are first needed, and again after
/// changes.
package final class SimilarTracks: Sendable {
    private struct State {
        var revision: String
        var library: SoundLibrary
        /// Counts the different libraries.
        var generation: Int
    }

    private struct MapState {
        let generation: Int
        let map: LibraryMap
    }

    private let store: LibraryStore
    private let state = Mutex<State?>(nil)
    private let map = Mutex<MapState?>(nil)

    /// Creates a reader of a store; nothing is read yet.
    package init(_ store: LibraryStore) { self.store = store }

    /// The current state.
    ///
    /// Callers wait for each other, so that changes are read once. After a change, only the tracks that have changed are
    /// compared with the sample of the index again.
    /// - Throws: `DatabaseError` if the library cannot be read.
    package var current: SoundLibrary { get throws { try newest().library } }

    /// The map of the current state; making it takes some seconds for a large library.
    /// - Throws: `DatabaseError` if the library cannot be read.
    package var currentMap: LibraryMap {
        get throws {
            let newest = try newest()
            return map.withLock { state in
                if let state, state.generation == newest.generation { return state.map }
                let made = LibraryMap(newest.library)
                state = MapState(generation: newest.generation, map: made)
                return made
            }
        }
    }

    private func newest() throws -> State {
        try state.withLock { state in
            try store.catalogue { reader in
                let revision = try reader.revision
                if let state, state.revision == revision { return state }
                let tracks = try reader.soundingTracks()
                if var known = state, known.library.tracks == tracks {
                    known.revision = revision
                    state = known
                    return known
                }
                let new = State(
                    revision: revision, library: SoundLibrary(tracks, earlier: state?.library),
                    generation: (state?.generation ?? 0) + 1)
                state = new
                return new
            }
        }
    }
}
