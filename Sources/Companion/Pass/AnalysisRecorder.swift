internal import Analyzer
package import LibraryStore
internal import Threads

/// Stores the results for some files: spectra and library in parallel.
///
/// The two databases are written at the same time, each on its own thread. The library's transaction waits
/// for that of the spectra before it commits; so if the process is killed at any moment, there are at most
/// spectra without their track, but never a finished track whose spectra were not written. Spectra lost in a
/// power cut are found missing and computed again by the next pass.
package struct AnalysisRecorder: Sendable {
    private let library: LibraryStore
    private let frames: SpectrumStore

    /// Creates a recorder for the stores of a data folder.
    package init(library: LibraryStore, frames: SpectrumStore) {
        self.library = library
        self.frames = frames
    }

    /// Stores files with their analyses and spectra.
    /// - Parameters:
    ///   - records: the files, in any order.
    ///   - isPresent: whether a file exists now; called for the old paths of files that may have moved.
    /// - Returns: the tracks' ids, in the order of the records.
    /// - Throws: the error that prevented writing one of the databases; the library is then unchanged.
    package func record(_ records: [TrackRecord], isPresent: (RelativePath) -> Bool) throws -> [Int] {
        try recordChanges(records, isPresent: isPresent).map(\.id)
    }

    /// Stores files and returns the change of each track.
    func recordChanges(
        _ records: [TrackRecord], divisions: [FileDivision] = [], isPresent: (RelativePath) -> Bool
    ) throws -> [RecordedTrack] {
        let analyses = records.compactMap(\.analysis)
        guard analyses.contains(where: { $0.frames != nil }) else {
            return try library.recordChanges(records, divisions: divisions, isPresent: isPresent)
        }
        let frames = frames
        let saving = ParallelWork { try frames.save(framesOf: analyses) }
        // Also if the library fails: no work is left running when this returns.
        defer { saving.wait() }
        return try library.recordChanges(records, divisions: divisions, isPresent: isPresent) {
            try saving.finish()
        }
    }
}

/// Work on a separate thread that can be waited for.
private final class ParallelWork: Sendable {
    private let result = Turnstile<Result<Void, any Error>?>(nil)

    init(_ body: @escaping @Sendable () throws -> Void) {
        let isStarted = DedicatedThread.start("spectra writer") { [result] in
            let done = Result { try body() }
            result.change { $0 = done }
        }
        if !isStarted { result.change { $0 = .failure(ThreadError()) } }
    }

    func wait() { _ = result.wait { $0 == nil ? nil : () } }

    /// Waits for the end.
    /// - Throws: the error thrown by the work.
    func finish() throws { try result.wait { $0 }?.get() }
}
