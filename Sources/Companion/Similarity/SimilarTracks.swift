internal import Catalogue
package import LibraryStore
internal import Synchronization
package import Threads

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
    }

    /// Libraries that are read faster are read after every change, while callers wait.
    private let leastCost: Duration
    /// Time between two reads of a large library, in multiples of the time of one.
    private let restFactor: Int

    /// Limits the requests that wait for a large library to be read, so that the host has threads for others.
    package let limit = ConcurrencyLimit(availableCoreCount())
    private let store: LibraryStore
    /// Held while the library is read.
    private let reading = Mutex(())
    private let known = Mutex<State?>(nil)
    private let isReadingLater = Atomic(false)
    /// By generation.
    private let maps = Memo<Int, LibraryMap>(capacity: 1)

    /// Creates a reader of a store; nothing is read yet.
    /// - Parameters:
    ///   - leastCost: the time of reading from which on a library is large.
    ///   - restFactor: the time between two reads of a large library, in multiples of the time of one.
    package init(_ store: LibraryStore, leastCost: Duration = .milliseconds(500), restFactor: Int = 20) {
        self.store = store
        self.leastCost = leastCost
        self.restFactor = restFactor
    }

    /// The current state.
    ///
    /// Callers wait for each other, so that changes are read once. After a change, only the tracks that have changed are
    /// compared with the sample of the index again. A library that takes more than half a second to read changes all the time
    /// during an analysis: it is read again after twenty times as long at the earliest, and the former state is returned
    /// meanwhile.
    /// - Throws: `DatabaseError` if the library cannot be read.
    package var current: SoundLibrary { get throws { try newest().library } }

    /// The map of the current state; making it takes some seconds for a large library.
    /// - Throws: `DatabaseError` if the library cannot be read.
    package var currentMap: LibraryMap {
        get throws {
            let newest = try newest()
            return try maps.valueMadeOnce(for: newest.generation) {
                try LibraryMap(newest.library) { ids in try store.catalogue { try $0.artistNames(ids: ids) } }
            }
        }
    }

    private func newest() throws -> State {
        guard let known = known.withLock({ $0 }), known.cost > leastCost else { return try read() }
        let isDue = .now - known.readAt >= known.cost * restFactor
        if isDue, try store.catalogue({ try $0.revision }) != known.revision { readLater() }
        return known
    }

    private func readLater() {
        guard !isReadingLater.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let isStarted = DedicatedThread.start("similar tracks") { [self] in
            // After an error, the next caller tries again.
            _ = try? read()
            isReadingLater.store(false, ordering: .releasing)
        }
        if !isStarted { isReadingLater.store(false, ordering: .releasing) }
    }

    private func read() throws -> State {
        try reading.withLock { _ in
            try store.catalogue { reader in
                let revision = try reader.revision
                let start = ContinuousClock.now
                let known = known.withLock { $0 }
                if let known, known.revision == revision { return known }
                let (tracks, descriptors) = try reader.soundingTracks()
                let isSame = known?.library.isSame(tracks, descriptors) ?? false
                let library = isSame ? known?.library : nil
                let state = State(
                    revision: revision,
                    library: library ?? SoundLibrary(tracks, descriptors, earlier: known?.library),
                    generation: (known?.generation ?? 0) + (isSame ? 0 : 1), readAt: .now, cost: .now - start)
                self.known.withLock { $0 = state }
                return state
            }
        }
    }
}
