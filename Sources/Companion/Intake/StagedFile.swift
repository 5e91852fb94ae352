import Foundation

/// A file that is being received, where no player and no scan sees it: an owner of one descriptor.
///
/// For one thread at a time.
public final class StagedFile {
    /// The file's path.
    public let path: String
    let folder: OpenFolder
    let name: [UInt8]
    private var descriptor: Int32
    private let limit: Int
    /// Whether what has come is worth keeping when something becomes wrong.
    private let continues: Bool
    /// Bytes so far.
    public private(set) var byteCount = 0
    /// What became wrong while it was written; whatever is written then is dropped.
    public private(set) var failure: IntakeError?

    /// Makes an empty file, or goes on with one that is there.
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

    /// Adds bytes. Once something has become wrong, which ``failure`` tells, they are dropped: a client is to be heard out.
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

    /// Adds bytes, as above.
    public func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Waits until the disk has what was written.
    /// - Throws: ``failure``, or what the disk says.
    public func flush() throws(IntakeError) {
        if let failure { throw failure }
        guard fsync(descriptor) == 0 else { throw .system(errno, "the file") }
    }

    /// Waits until the disk has the file, and closes it: nothing is added any more.
    func finish() throws(IntakeError) {
        if descriptor < 0 { return }
        try flush()
        close(descriptor)
        descriptor = -1
    }

    /// The first bytes, fewer where there are no more.
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
        // Its room is for others.
        if !continues { ftruncate(descriptor, 0) }
    }
}
