internal import FileSystem

/// A file being received, in a place that no player and no scan looks at; owns its descriptor.
///
/// Not thread-safe.
package final class StagedFile {
    /// The file's path.
    package let path: String
    let folder: Folder
    let name: [UInt8]
    /// Nil when it is finished.
    private var descriptor: FileDescriptor?
    private let limit: Int
    /// Whether to keep the received data after a failure.
    private let continues: Bool
    /// Number of bytes received so far.
    package private(set) var byteCount = 0
    /// The first error while writing; data after it is dropped.
    package private(set) var failure: IntakeError?

    /// Creates an empty file, or opens an existing one to continue it.
    init(_ name: String, in folder: Folder, path: String, limit: Int, continues: Bool = false)
        throws(IntakeError)
    {
        self.path = "\(path)/\(name)"
        self.name = Array(name.utf8)
        self.folder = folder
        self.limit = limit
        self.continues = continues
        descriptor = try IntakeError.writing(name) { () throws(SystemError) in
            try folder.open(name, for: .readAndWrite, [.append, continues ? .create : .createNew])
        }
        byteCount = (try? folder.status(of: name))?.byteCount ?? 0
    }

    /// Appends bytes. After a failure (see ``failure``) they are dropped, so that the client's request can be
    /// read to its end.
    package func append(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        guard byteCount + bytes.count <= limit else {
            fail(IntakeError(.tooLarge, "The file is larger than \(limit) bytes."))
            return
        }
        do throws(SystemError) {
            try withDescriptor { descriptor throws(SystemError) in try descriptor.write(bytes) }
            byteCount += bytes.count
        } catch {
            fail(.system(error, "the file"))
            // A continued upload keeps the bytes written before the error.
            byteCount = (try? folder.status(of: name))?.byteCount ?? byteCount
        }
    }

    /// Appends bytes, as above.
    package func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Syncs the data to disk.
    /// - Throws: ``failure``, or the error of the sync.
    package func flush() throws(IntakeError) {
        if let failure { throw failure }
        try IntakeError.writing("the file") { () throws(SystemError) in
            try withDescriptor { descriptor throws(SystemError) in try descriptor.sync() }
        }
    }

    /// Syncs the file to disk and closes it: nothing can be appended afterwards.
    func finish() throws(IntakeError) {
        try flush()
        descriptor = nil
    }

    /// The first bytes, fewer if the file is shorter.
    func beginning(_ count: Int) -> [UInt8] {
        guard let file = try? folder.open(name) else { return [] }
        return (try? file.read(count)) ?? []
    }

    /// Calls a closure with the open file; not if it is finished.
    private func withDescriptor(
        _ body: (borrowing FileDescriptor) throws(SystemError) -> Void
    ) throws(SystemError) {
        switch descriptor {
        case .some(let descriptor): try body(descriptor)
        case .none: break
        }
    }

    private func fail(_ error: IntakeError) {
        failure = error
        // Free the space for others.
        if !continues {
            try? withDescriptor { descriptor throws(SystemError) in try descriptor.truncate(to: 0) }
        }
    }
}
