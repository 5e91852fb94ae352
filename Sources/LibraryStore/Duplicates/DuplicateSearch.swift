internal import Catalogue
internal import Synchronization

/// The duplicates of a library, found again after it has changed.
package final class DuplicateSearch: Sendable {
    private struct State {
        let revision: String
        let groups: [DuplicateGroup]
    }

    private let finder: DuplicateFinder
    private let library: LibraryStore
    private let state = Mutex<State?>(nil)

    /// Creates a search; nothing is read yet.
    package init(library: LibraryStore, spectra: SpectrumStore) {
        self.library = library
        finder = DuplicateFinder(library: library, spectra: spectra)
    }

    /// All groups, those with the largest copies first. Callers wait for each other, so that one search serves all.
    /// - Throws: `DatabaseError` if the library cannot be read.
    package var groups: [DuplicateGroup] {
        get throws {
            try state.withLock { state in
                let revision = try library.catalogue { try $0.revision }
                if let state, state.revision == revision { return state.groups }
                let groups = try finder.groups()
                state = State(revision: revision, groups: groups)
                return groups
            }
        }
    }
}
