internal import FileSystem
internal import Glibc
internal import Synchronization

/// A regular file opened for reading. The descriptor and the mapping stay open until the last reference is released; a
/// response being sent holds one.
package final class HTTPFile: Sendable {
    /// The path at which the file was opened.
    package let path: String
    /// Size in bytes when the file was opened.
    package let byteCount: Int
    /// Modification time when the file was opened, in nanoseconds since 1970.
    package let modificationNanoseconds: Int64
    /// The inode number; a replaced file has a different one.
    package let inode: UInt64

    private let file: FileDescriptor
    private let pathBytes: [UInt8]
    /// The time of the last check of the path, in nanoseconds.
    private let lastLook = Atomic<UInt64>(0)
    private let mapping = Mutex<Mapping>(.none)

    private enum Mapping: Sendable {
        case none
        case failed
        // Address of read-only memory that remains mapped until deinit.
        case at(UInt)
    }

    /// Opens a file.
    ///
    /// - Throws: ``HTTPServerError`` if it cannot be opened or is not a regular file. A FIFO or device is rejected without
    ///   blocking.
    package convenience init(path: String) throws(HTTPServerError) {
        try self.init(pathBytes: Array(path.utf8))
    }

    /// Opens a file whose name need not be valid UTF-8.
    /// - Parameter pathBytes: the path as stored in the file system, without a terminating zero.
    /// - Throws: The same errors as for a text path.
    package init(pathBytes: [UInt8]) throws(HTTPServerError) {
        let path = String(decoding: pathBytes, as: UTF8.self)
        file = try SystemError.map(to: { HTTPServerError(.cannotOpen, $0, subject: path) }) {
            () throws(SystemError) in
            try FileDescriptor.open(pathBytes, for: .read, .nonBlocking)
        }
        guard let status = try? file.status(), status.kind == .file else {
            throw HTTPServerError(.badFile, "not a regular file", subject: path)
        }
        self.path = path
        self.pathBytes = pathBytes
        byteCount = status.byteCount
        modificationNanoseconds = Int64(status.modificationNanoseconds)
        inode = status.identity.inode
    }

    deinit {
        if case .at(let address) = mapping.withLock({ $0 }) {
            munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
        }
    }

    /// A strong validator of the file's state: inode, size and modification time (RFC 9110 §8.8.3).
    package var entityTag: EntityTag {
        EntityTag(
            String(inode, radix: 36) + "-" + String(byteCount, radix: 36) + "-"
                + String(modificationNanoseconds, radix: 36))
    }

    /// The modification time, to the second.
    package var modificationDate: HTTPDate {
        HTTPDate(secondsSince1970: modificationNanoseconds / 1_000_000_000)
    }

    /// Whether the file at the path is still the one opened, with the same size and modification time.
    ///
    /// A file that was written to, deleted or replaced is detected immediately. One that was moved away, or replaced while
    /// another hard link keeps it, is detected after 0.2 s; until then its own bytes are served.
    package var isUnchanged: Bool {
        guard let own = try? file.status(), own.linkCount > 0, isAsOpened(own) else { return false }
        let now = MonotonicClock.coarseNanoseconds()
        if now < lastLook.load(ordering: .relaxed) + Self.lookInterval { return true }
        guard let named = try? Files.status(of: pathBytes), named.identity.inode == inode, isAsOpened(named)
        else { return false }
        lastLook.store(now, ordering: .relaxed)
        return true
    }

    /// Whether the open file still has its original size and modification time, regardless of its path.
    var hasOpenedState: Bool {
        (try? file.status()).map(isAsOpened) ?? false
    }

    private static let lookInterval: UInt64 = 200_000_000

    private func isAsOpened(_ status: FileStatus) -> Bool {
        status.byteCount == byteCount && Int64(status.modificationNanoseconds) == modificationNanoseconds
    }

    /// Reads bytes at an offset into `buffer`.
    ///
    /// - Returns: The number of bytes read; less than the buffer size only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(HTTPServerError) -> Int {
        try SystemError.map(to: { HTTPServerError(.inputOutput, $0, subject: path) }) {
            () throws(SystemError) in
            try file.read(into: buffer, at: offset)
        }
    }

    /// Returns the current content of the file, at most as many bytes as it had when it was opened.
    package func content() throws(HTTPServerError) -> [UInt8] {
        var failure: HTTPServerError?
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            do throws(HTTPServerError) {
                count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Appends a range of the file's bytes to `bytes`.
    ///
    /// - Parameter range: offsets in the file.
    /// - Throws: ``HTTPServerError`` if they cannot be read, or the file has changed since it was opened.
    package func append(_ range: Range<Int>, to bytes: inout [UInt8]) throws(HTTPServerError) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: range.count))
        var count = 0
        var failure: HTTPServerError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(HTTPServerError) {
                count = try read(
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), at: range.lowerBound)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard count == range.count, hasOpenedState else {
            throw HTTPServerError(.badFile, "the file has changed", subject: path)
        }
    }

    /// Returns the address of the file in memory, mapped on the first call; nil if it cannot be mapped.
    ///
    /// Only the kernel may read through this address: it reports an error for a page removed by a truncation, while an access
    /// by this process would crash it.
    func mappedAddress() -> UInt? {
        mapping.withLock { state in
            if case .none = state {
                let address = mmap(nil, max(byteCount, 1), PROT_READ, MAP_SHARED, file.number, 0)
                if let address, address != MAP_FAILED {
                    state = .at(UInt(bitPattern: address))
                } else {
                    state = .failed
                }
            }
            if case .at(let address) = state { return address }
            return nil
        }
    }
}

extension HTTPServerError {
    /// Creates an error from an error of the system.
    init(_ code: Code, _ error: SystemError, subject: String? = nil) {
        self.init(code, error.description, subject: subject, errorNumber: error.code)
    }
}
