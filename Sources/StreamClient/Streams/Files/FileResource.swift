internal import FileSystem

/// A local file. Read without memory mapping, so that a file truncated while being read only ends early.
struct FileResource: ByteResource {
    let path: String
    var isNear: Bool { true }

    func open(at offset: Int) async throws(PlaybackError) -> ByteRun {
        // Not blocking, so that a FIFO can be rejected.
        let file = try SystemError.map(to: {
            PlaybackError($0.kind == .notFound ? .notFound : .fileUnreadable, "cannot be opened: \($0)")
        }) { () throws(SystemError) in
            try FileDescriptor.open(path, for: .read, .nonBlocking)
        }
        guard let status = try? file.status(), status.kind == .file else {
            throw PlaybackError(.fileUnreadable, "is not a regular file")
        }
        let cursor = FileCursor(file: file, offset: offset)
        return ByteRun(offset: offset, total: status.byteCount, fields: [:], address: nil) {
            () async throws(PlaybackError) in try await cursor.next()
        }
    }
}

/// Reads a file sequentially.
private actor FileCursor {
    private static let pieceSize = 1 << 16

    private let file: FileDescriptor
    private var offset: Int

    init(file: consuming FileDescriptor, offset: Int) {
        self.file = file
        self.offset = offset
    }

    func next() throws(PlaybackError) -> [UInt8]? {
        do throws(SystemError) {
            let piece = try file.read(Self.pieceSize, at: offset)
            offset += piece.count
            return piece.isEmpty ? nil : piece
        } catch {
            throw PlaybackError(.fileUnreadable, "cannot be read: \(error)")
        }
    }
}
