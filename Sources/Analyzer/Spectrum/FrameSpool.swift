internal import Glibc

/// A nameless file that holds rows of visualizer frames while a long track is analysed.
///
/// It has no name in its folder, so that the system takes it back when the program ends, however it ends. It is written
/// by calls and never mapped: on a full disk a call says so, where touching a mapped page would end the program.
///
/// One thread writes, then others may read: the position is not shared, every call says where.
final class FrameSpool: Sendable {
    /// The name under which the file is made where the system makes no nameless ones; it is removed at once.
    static let passingName = "frames.spool"

    private let descriptor: Int32

    /// Makes a file in a folder; nil if the system does not let us.
    init?(folder: String) {
        let nameless = open(folder, O_RDWR | O_CLOEXEC | Self.namelessFile, 0o600)
        let opened = nameless >= 0 ? nameless : Self.openUnlinked("\(folder)/\(Self.passingName)")
        guard opened >= 0 else { return nil }
        descriptor = opened
    }

    /// Takes a file over.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Writes bytes at an offset.
    /// - Returns: whether all of them were written; false on a full disk, for instance.
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

    /// Reads bytes that were written before.
    /// - Throws: `fileUnreadable` when the disk fails.
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
                "the frames put aside on the disk cannot be read: \(String(cString: strerror(failure)))")
        }
        return bytes
    }

    /// For file systems that know no nameless files: makes one by name and takes the name away.
    ///
    /// A name that is there already belongs to a process that was killed between the two steps, or is between them: it
    /// can go in either case.
    static func openUnlinked(_ path: String) -> Int32 {
        for _ in 0..<8 {
            let opened = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if opened < 0, errno != EEXIST { return -1 }
            unlink(path)
            if opened >= 0 { return opened }
        }
        return -1
    }

    /// O_TMPFILE, whose definition as a sum of two flags is not imported.
    private static let namelessFile = Int32(0o20_000_000) | O_DIRECTORY
}
