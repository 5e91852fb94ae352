internal import APIDescription
internal import Analyzer
internal import FileSystem
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import Tagging

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
        let name = Self.name(of: analysis)
        let path = Array(files.path(of: name).utf8)
        guard !isStored(name) else { return path }
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

    /// Returns the path of the file of a part with the tags of its track, for clients that keep the file; made if necessary.
    ///
    /// - Parameters:
    ///   - part: the path of the part's file, which has no tags.
    ///   - analysis: the analysis of the part.
    ///   - tags: the tags of the track.
    ///   - source: the absolute path of the whole file, whose embedded cover the part gets.
    /// - Throws: `TaggingError` if the tags cannot be written; `SystemError` if a file cannot be read or stored.
    func taggedPath(
        of part: [UInt8], _ analysis: TrackAnalysis, tags: TrackTags, source: [UInt8]
    ) throws -> [UInt8] {
        var edit = TagEdit().completed(by: tags)
        if let cover = try? EmbeddedCover.read(from: source) {
            var alone = TagEdit()
            alone.cover = .set(cover)
            // Some formats of pictures cannot be written.
            if (try? alone.checked()) != nil { edit.cover = alone.cover }
        }
        let file = try FileDescriptor.open(part)
        let rewrite = try TagRewrite(of: edit, tags: TrackTags(), descriptor: file.number)
        // A change of the tags gives another name.
        let name = Self.name(
            of: analysis, "-\(AudioHash(of: (rewrite.leading + rewrite.trailing).span.bytes))")
        if !isStored(name) {
            try files.store(name) { output in
                try output.descriptor.write(rewrite.leading)
                try file.copy(rewrite.kept, to: output.descriptor)
                try output.descriptor.write(rewrite.trailing)
            }
        }
        return Array(files.path(of: name).utf8)
    }

    private static func name(of analysis: TrackAnalysis, _ addition: String = "") -> String {
        "\(analysis.audioHash)-\(version)\(addition)\(analysis.stream.format.fileExtension)"
    }

    /// Whether a file is stored. If so, its use is recorded.
    private func isStored(_ name: String) -> Bool {
        guard let status = try? Files.status(of: Array(files.path(of: name).utf8)), status.kind == .file,
            status.byteCount > 0
        else { return false }
        // Changes the file's modification time.
        files.noteUse(of: name)
        return true
    }
}
