internal import Analyzer
internal import FileSystem

/// Which tracks of a part have crashed the program.
///
/// A crash of the analysis writes the track's number to a file; a process that is killed from outside does not. So a file that crashes
/// the decoder is left out the next time, instead of keeping its part without results for ever. Where a crashed process cannot write
/// to the run, it runs the program again, which does.
final class PartCrashes {
    private static let markSize = MemoryLayout<Int>.size

    private let run: BatchRun
    private let part: Int
    private let file: FileDescriptor
    private let path: String?

    /// Opens the file of a part, `RUN/crashes/000012`.
    init(_ run: BatchRun, part: Int) throws {
        self.run = run
        self.part = part
        let opened = try run.crashFile(ofPart: part)
        path = opened.path
        file = opened.take()
    }

    /// Whether a track has crashed the program before.
    /// - Parameter index: number of the track in the part.
    func has(_ index: Int) -> Bool {
        let mark = try? file.read(Self.markSize, at: index * Self.markSize)
        return mark?.contains { $0 != 0 } ?? false
    }

    /// Works on a track; if that crashes the program, ``has(_:)`` is true from then on.
    /// - Parameter arguments: the arguments with which the program calls ``note(_:)``; used where this process cannot write to the run.
    func marking<Value, Failure: Error>(
        _ index: Int, noting arguments: [String], _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try CrashMark.leaving(
            index + 1, in: file.number, at: index * Self.markSize, running: path == nil ? arguments : [],
            during: body)
    }

    /// Stores that a track has crashed the program.
    func note(_ index: Int) throws {
        let mark = withUnsafeBytes(of: index + 1) { Array($0) }
        try file.write(mark, at: index * Self.markSize)
        if path == nil { try run.store(crashes: file, ofPart: part) }
    }

    /// Removes the file, unless a track has crashed the program.
    func close() {
        if let path, (try? file.status())?.byteCount == 0 { try? Files.remove(path) }
    }
}
