internal import Foundation

/// A local file. Read without memory mapping, so that a file truncated while being read only ends early.
struct FileResource: ByteResource {
    private static let pieceSize = 1 << 16

    let path: String
    var isNear: Bool { true }

    func open(at offset: Int) async throws(PlaybackError) -> ByteRun {
        let file = try OpenFile(path)
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw PlaybackError(.fileUnreadable, "is not a regular file")
        }
        let cursor = FileCursor(file: file, offset: offset, pieceSize: Self.pieceSize)
        return ByteRun(offset: offset, total: Int(status.st_size), fields: [:], address: nil) {
            () async throws(PlaybackError) in try await cursor.next()
        }
    }
}

/// Reads a file sequentially.
private actor FileCursor {
    private let file: OpenFile
    private var offset: Int
    private let pieceSize: Int

    init(file: OpenFile, offset: Int, pieceSize: Int) {
        self.file = file
        self.offset = offset
        self.pieceSize = pieceSize
    }

    func next() throws(PlaybackError) -> [UInt8]? {
        var failure: Int32 = 0
        let offset = offset
        let piece = [UInt8](unsafeUninitializedCapacity: pieceSize) { buffer, count in
            let result = pread(file.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if result < 0 { failure = errno }
            count = max(0, result)
        }
        guard failure == 0 else {
            throw PlaybackError(.fileUnreadable, "cannot be read: \(String(cString: strerror(failure)))")
        }
        self.offset += piece.count
        return piece.isEmpty ? nil : piece
    }
}

/// A file descriptor that is closed on deinitialisation.
private final class OpenFile: Sendable {
    let descriptor: Int32

    init(_ path: String) throws(PlaybackError) {
        // O_NONBLOCK prevents opening a FIFO from blocking before it can be rejected.
        descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw PlaybackError(
                errno == ENOENT ? .notFound : .fileUnreadable,
                "cannot be opened: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }
}
