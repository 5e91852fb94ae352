internal import Analyzer
internal import FileSystem
internal import LibraryStore

/// The spectra of a part, in an unnamed file that the system frees if the process is killed. Not thread-safe.
final class SpectraFile {
    private let file: FileDescriptor
    private var byteCount = 0

    /// Creates an empty file in a folder for temporary files.
    init(in folder: String) throws(SystemError) {
        if let file = try? FileDescriptor.openUnnamed(in: folder) {
            self.file = file
        } else {
            // Not all file systems have unnamed files.
            let path = "\(folder)/spectra-" + String(UInt64.random(in: .min ... .max), radix: 16)
            file = try FileDescriptor.open(path, for: .readAndWrite, .createNew)
            try Files.remove(path)
        }
    }

    /// Appends the spectra of an analysis.
    /// - Returns: where they are; nil if it has none.
    func append(_ analysis: TrackAnalysis) throws -> PartSpectra? {
        guard let place = PartSpectra(analysis, byteOffset: byteCount) else { return nil }
        try analysis.frames?.forEachBlock { block in
            try file.write(block, at: byteCount)
            byteCount += block.count
        }
        return place
    }

    /// Copies the file.
    func copy(to other: borrowing FileDescriptor) throws(SystemError) {
        try file.copy(0..<byteCount, to: other)
    }
}
