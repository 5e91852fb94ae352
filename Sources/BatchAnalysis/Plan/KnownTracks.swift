package import Analyzer
package import LibraryStore

/// Decides which tracks a plan leaves out because a library knows them.
package struct KnownTracks: Sendable {
    private let library: LibraryStore
    private let frames: SpectrumStore

    /// Opens the library of a data folder.
    /// - Throws: `StoreError` `notFound` if there is no library, `DatabaseError` if a database cannot be used.
    package init(_ data: DataFolder) throws {
        library = try LibraryStore(reading: data)
        frames = try SpectrumStore(data)
    }

    /// Whether the library has a current analysis of a file by path, size and modification time, or knows that the file cannot
    /// be analysed.
    package func contains(_ track: PlannedTrack, parts: AnalysisParts) throws -> Bool {
        // A file that a cue sheet divides is known by its tracks.
        let isKnown = try library.trackPaths(ofFile: track.path).allSatisfy { path in
            guard let state = try library.trackState(of: path), state.isAvailable else { return false }
            return try state.isCurrent(
                file: track.file, parts: parts, hasFrames: { try frames.hasCurrentSpectra(of: $0) })
        }
        if isKnown { return true }
        return try library.failure(at: track.path)?.isLasting(file: track.file) ?? false
    }
}
