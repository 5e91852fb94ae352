internal import Analyzer
internal import FileSystem
internal import LibraryStore

/// The spectra of a part, in a temporary file. Not thread-safe.
final class SpectraFile {
    private let file: TemporaryFile
    private var byteCount = 0

    /// Creates an empty file in a folder for temporary files.
    init(in folder: String) throws(SystemError) { file = try TemporaryFile(in: folder) }

    /// Appends the spectra of an analysis.
    /// - Returns: where they are; nil if it has none.
    func append(_ analysis: TrackAnalysis) throws -> PartSpectra? {
        guard let place = PartSpectra(analysis, byteOffset: byteCount) else { return nil }
        try analysis.frames?.forEachBlock { block in
            try file.descriptor.write(block, at: byteCount)
            byteCount += block.count
        }
        return place
    }

    /// Stores the file in the run.
    func store(in run: BatchRun, part: Int) throws {
        try run.store(file.descriptor, as: .spectra, ofPart: part)
    }
}
