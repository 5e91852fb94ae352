import Foundation

/// A file being received, in a place that no player and no scan looks at; owns its descriptor.
///
/// Not thread-safe.
public final class StagedFile {
    /// The file's path.
    public let path: String
    let folder: OpenFolder
    let name: [UInt8]
    private var descriptor: Int32
    private let limit: Int
    /// Whether to keep the received data after a failure.
    private let continues: Bool
    /// Number of bytes received so far.
    public private(set) var byteCount = 0
    /// The first error while writing; data after it is dropped.
    public private(set) var failure: IntakeError?

    /// Creates an empty file, or opens an existing one to continue it.
    init(_ name: String, in folder: OpenFolder, path: String, limit: Int, continues: Bool = false)
        throws(IntakeError)
    {
        self.path = "\(path)/\(name)"
        self.name = Array(name.utf8)
        self.folder = folder
        self.limit = limit
        self.continues = continues
        let flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_CREAT | (continues ? 0 : O_EXCL)
        descriptor = openat(folder.descriptor, name, flags, mode_t(0o600))
        guard descriptor >= 0 else { throw .system(errno, name) }
        var status = stat()
        if fstat(descriptor, &status) == 0 { byteCount = Int(status.st_size) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends bytes. After a failure (see ``failure``) they are dropped, so that the client's request can be
    /// read to its end.
    public func append(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        guard byteCount + bytes.count <= limit else {
            fail(IntakeError(.tooLarge, "The file is larger than \(limit) bytes."))
            return
        }
        var start = 0
        while start < bytes.count, let base = bytes.baseAddress {
            let written = write(descriptor, base + start, bytes.count - start)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                fail(.system(errno, "the file"))
                return
            }
            start += written
            byteCount += written
        }
    }

    /// Appends bytes, as above.
    public func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Syncs the data to disk.
    /// - Throws: ``failure``, or the error of the sync.
    public func flush() throws(IntakeError) {
        if let failure { throw failure }
        guard fsync(descriptor) == 0 else { throw .system(errno, "the file") }
    }

    /// Syncs the file to disk and closes it: nothing can be appended afterwards.
    func finish() throws(IntakeError) {
        if descriptor < 0 { return }
        try flush()
        close(descriptor)
        descriptor = -1
    }

    /// The first bytes, fewer if the file is shorter.
    func beginning(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let open =
            descriptor >= 0
            ? descriptor
            : openat(folder.descriptor, String(decoding: name, as: UTF8.self), O_RDONLY | O_CLOEXEC)
        defer { if descriptor < 0, open >= 0 { close(open) } }
        let length = bytes.withUnsafeMutableBytes { pread(open, $0.baseAddress, $0.count, 0) }
        return Array(bytes.prefix(max(0, length)))
    }

    private func fail(_ error: IntakeError) {
        failure = error
        // Free the space for others.
        if !continues { ftruncate(descriptor, 0) }
    }
}
