internal import APIDescription
internal import Analyzer
internal import FileSystem
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Files of the tracks that are parts of another file, made on first use and cached: a part is then streamed like any other track.
///
/// Files are named by audio hash, and checked against it when they are made.
package final class PartFiles: Sendable {
    /// Maximum total size in bytes.
    private static let capacity = 4 << 30
    /// Incremented when parts are written differently.
    private static let version = 1

    private let files: FileCache

    /// - Parameter folder: created when the first file is stored.
    package init(folder: String) {
        files = FileCache(folder: folder, capacity: Self.capacity)
    }

    /// Returns the path of the file of a part, making it if necessary.
    /// - Parameters:
    ///   - part: the part of the source.
    ///   - analysis: the analysis of the part.
    ///   - source: the absolute path of the whole file, in the state in which the part was found.
    /// - Throws: `AnalyzerError` if the source has changed or cannot be read; `SystemError` if the file cannot be stored.
    func path(of part: AudioPart, _ analysis: TrackAnalysis, source: [UInt8]) throws -> [UInt8] {
        let name = "\(analysis.audioHash)-\(Self.version)\(analysis.stream.format.fileExtension)"
        let path = Array(files.path(of: name).utf8)
        if let status = try? Files.status(of: path), status.kind == .file, status.byteCount > 0 {
            // Changes the file's modification time.
            files.noteUse(of: name)
            return path
        }
        let whole = try MappedFile(path: source)
        try files.store(name) { file in
            try PartFile.write(part, of: whole, to: file.descriptor)
            let made = try AudioIdentity(of: MappedFile(descriptor: file.descriptor.number))
            guard made.audioHash == analysis.audioHash else {
                throw AnalyzerError(.fileChanged, "the part is not the audio that was analysed")
            }
        }
        return path
    }
}
