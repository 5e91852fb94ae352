internal import FileSystem

/// An unnamed temporary file for rows of visualizer frames while a long track is analysed.
///
/// Without a directory entry the system frees it when the process ends, however it ends. It is written with system calls and
/// never mapped: on a full disk a call returns an error, whereas touching a mapped page would kill the process.
///
/// One thread writes, then others may read: every call specifies its position, so no file position is shared.
final class SpectrumSpool: Sendable {
    /// Temporary name on systems without unnamed files; it is removed immediately.
    static let passingName = "frames.spool"

    private let file: FileDescriptor

    /// Creates a file in a folder; returns nil if that is not possible.
    init?(folder: String) {
        do throws(SystemError) {
            file = try FileDescriptor.openUnnamed(in: folder)
        } catch {
            guard let file = try? Self.openUnlinked("\(folder)/\(Self.passingName)") else { return nil }
            self.file = file
        }
    }

    /// Takes ownership of an open file.
    init(_ file: consuming FileDescriptor) { self.file = file }

    /// Writes bytes at an offset.
    /// - Returns: whether all bytes were written; false on a full disk, for instance.
    func write(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.withUnsafeBytes { buffer in (try? file.write(buffer, at: offset)) != nil }
    }

    /// Reads bytes written earlier.
    /// - Throws: `fileUnreadable` if the disk fails.
    func read(_ range: Range<Int>) throws(AnalyzerError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try file.read(range.count, at: range.lowerBound)
        } catch {
            throw AnalyzerError(.fileUnreadable, "the spooled spectra cannot be read: \(error)")
        }
        guard bytes.count == range.count else {
            throw AnalyzerError(.fileUnreadable, "the spooled spectra are incomplete")
        }
        return bytes
    }

    /// Creates a file by name and unlinks it, for file systems without unnamed files.
    ///
    /// An existing file of that name belongs to a process that was killed between the two steps, or is between them; it can be
    /// removed in either case.
    static func openUnlinked(_ path: String) throws(SystemError) -> FileDescriptor {
        var failure: SystemError?
        for _ in 0..<8 {
            do throws(SystemError) {
                let file = try FileDescriptor.open(path, for: .readAndWrite, [.createNew, .noLink])
                try Files.remove(path)
                return file
            } catch {
                guard error.kind == .alreadyExists else { throw error }
                failure = error
                try? Files.remove(path)
            }
        }
        throw failure ?? SystemError(code: 0)
    }
}
