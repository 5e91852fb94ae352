internal import Catalogue
package import LibraryStore
internal import Synchronization
internal import Threads

/// The ``SoundLibrary`` of a store, and its map, kept up to date: they are made when they are first needed, and again after
/// changes.
package final class SimilarTracks: Sendable {
    private struct State {
        var revision: String
        var library: SoundLibrary
        /// Counts the different libraries.
        var generation: Int
        /// When it was read, and how long that took.
        var readAt: ContinuousClock.Instant
        var cost: Duration

        /// Whether it is too early to read the library again: it is large, and changes all the time during an analysis.
        func isFresh(at now: ContinuousClock.Instant) -> Bool {
            cost > SimilarTracks.leastCost && now - readAt < cost * SimilarTracks.restFactor
        }
    }

    /// Libraries that are read faster are read after every change.
    private static let leastCost = Duration.milliseconds(500)
    /// Time between two reads of a large library, in multiples of the time of one.
    private static let restFactor = 20

    private let store: LibraryStore
    private let state = Mutex<State?>(nil)
    /// By generation.
    private let maps = Memo<Int, LibraryMap>(capacity: 1)

    /// Creates a reader of a store; nothing is read yet.
    package init(_ store: LibraryStore) { self.store = store }

    /// The current state.
    ///
    /// Callers wait for each other, so that changes are read once. After a change, only the tracks that have changed are
    /// compared with the sample of the index again. A library that takes more than half a second to read is read again after
    /// twenty times as long at the earliest.
    /// - Throws: `DatabaseError` if the library cannot be read.
    package var current: SoundLibrary { get throws { try newest().library } }

    /// The map of the current state; making it takes some seconds for a large library.
    /// - Throws: `DatabaseError` if the library cannot be read.
    package var currentMap: LibraryMap {
        get throws {
            let newest = try newest()
            return maps.valueMadeOnce(for: newest.generation) { LibraryMap(newest.library) }
        }
    }

    private func newest() throws -> State {
        try state.withLock { state in
            try store.catalogue { reader in
                let revision = try reader.revision
                let start = ContinuousClock.now
                if let state, state.revision == revision || state.isFresh(at: start) { return state }
                let tracks = try reader.soundingTracks()
                if var known = state, known.library.tracks == tracks {
                    known.revision = revision
                    known.readAt = .now
                    known.cost = .now - start
                    state = known
                    return known
                }
                let library = SoundLibrary(tracks, earlier: state?.library)
                let new = State(
                    revision: revision, library: library, generation: (state?.generation ?? 0) + 1,
                    readAt: .now, cost: .now - start)
                state = new
                return new
            }
        }
    }
}
