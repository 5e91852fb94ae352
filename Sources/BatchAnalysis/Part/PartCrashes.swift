internal import Analyzer
internal import FileSystem
internal import Foundation

/// Which tracks of a part have crashed the program.
///
/// A crash of the analysis writes the track's number to a file; a process that is killed from outside does not. So a file that crashes
/// the decoder is left out the next time, instead of keeping its part without results for ever.
final class PartCrashes {
    private static let markSize = MemoryLayout<Int>.size

    private let path: String
    private let file: FileDescriptor

    /// Opens the file of a part, `RUN/crashes/000012`.
    init(_ run: BatchRun, part: Int) throws(BatchError) {
        path = try run.crashFile(ofPart: part)
        do throws(SystemError) {
            file = try FileDescriptor.open(path, for: .readAndWrite, [.create], permissions: 0o644)
        } catch {
            throw BatchError(.run, "cannot be written: \(error)", place: path)
        }
    }

    /// Whether a track has crashed the program before.
    /// - Parameter index: number of the track in the part.
    func has(_ index: Int) -> Bool {
        let mark = try? file.read(Self.markSize, at: index * Self.markSize)
        return mark?.contains { $0 != 0 } ?? false
    }

    /// Works on a track; if that crashes the program, ``has(_:)`` is true from then on.
    func marking<Value, Failure: Error>(_ index: Int, _ body: () throws(Failure) -> Value) throws(Failure)
        -> Value
    {
        try CrashMark.leaving(index + 1, in: file.number, at: index * Self.markSize, during: body)
    }

    /// Removes the file, unless a track has crashed the program.
    func close() {
        if (try? Files.status(of: path))?.byteCount == 0 { try? Files.remove(path) }
    }
}
