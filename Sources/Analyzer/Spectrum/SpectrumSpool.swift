internal import Glibc

/// An unnamed temporary file for rows of visualizer frames while a long track is analysed.
///
/// Without a directory entry the system frees it when the process ends, however it ends. It is written with system calls and
/// never mapped: on a full disk a call returns an error, whereas touching a mapped page would kill the process.
///
/// One thread writes, then others may read: every call specifies its position, so no file position is shared.
final class SpectrumSpool: Sendable {
    /// Temporary name on systems without unnamed files; it is removed immediately.
    static let passingName = "frames.spool"

    private let descriptor: Int32

    /// Creates a file in a folder; returns nil if that is not possible.
    init?(folder: String) {
        let nameless = open(folder, O_RDWR | O_CLOEXEC | Self.namelessFile, 0o600)
        let opened = nameless >= 0 ? nameless : Self.openUnlinked("\(folder)/\(Self.passingName)")
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    /// Takes ownership of a descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes bytes at an offset.
    /// - Returns: whether all bytes were written; false on a full disk, for instance.
    func write(_ bytes: [UInt8], at offset: Int) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                guard let base = buffer.baseAddress else { return false }
                let count = pwrite(descriptor, base + written, buffer.count - written, offset + written)
                if count > 0 {
                    written += count
                } else if count == 0 || errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Reads bytes written earlier.
    /// - Throws: `fileUnreadable` if the disk fails.
    func read(_ range: Range<Int>) throws(AnalyzerError) -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            while initialized < range.count {
                guard let base = buffer.baseAddress else { return }
                let count = pread(
                    descriptor, base + initialized, range.count - initialized, range.lowerBound + initialized)
                if count > 0 {
                    initialized += count
                } else if count == 0 || errno != EINTR {
                    failure = count == 0 ? EIO : errno
                    return
                }
            }
        }
        if let failure {
            throw AnalyzerError(
                .fileUnreadable,
                "the spooled frames cannot be read: \(String(cString: strerror(failure)))")
        }
        return bytes
    }

    /// Creates a file by name and unlinks it, for file systems without unnamed files.
    ///
    /// An existing file of that name belongs to a process that was killed between the two steps, or is between them; it can be
    /// removed in either case.
    static func openUnlinked(_ path: String) -> Int32 {
        for _ in 0..<8 {
            let opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if opened < 0, errno != EEXIST { return -1 }
            unlink(path)
            if opened >= 0 { return opened }
        }
        return -1
    }

    /// O_TMPFILE, whose definition as a combination of two flags is not imported.
    private static let namelessFile = Int32(0o20_000_000) | O_DIRECTORY
}
