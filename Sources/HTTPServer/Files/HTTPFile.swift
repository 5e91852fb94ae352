internal import Glibc
internal import Synchronization

/// A regular file opened for reading. The descriptor and the mapping stay open until the last reference is released; a
/// response being sent holds one.
public final class HTTPFile: Sendable {
    /// The path at which the file was opened.
    public let path: String
    /// Size in bytes when the file was opened.
    public let byteCount: Int
    /// Modification time when the file was opened, in nanoseconds since 1970.
    public let modificationNanoseconds: Int64
    /// The inode number; a replaced file has a different one.
    public let inode: UInt64

    let descriptor: Int32
    /// The path as a C string.
    private let terminatedPath: [CChar]
    /// The time of the last check of the path, in nanoseconds.
    private let lastLook = Atomic<UInt64>(0)
    private let mapping = Mutex<Mapping>(.none)
    private let prefixedMapping: PrefixedMapping

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
    public convenience init(path: String) throws(HTTPServerError) {
        try self.init(pathBytes: Array(path.utf8))
    }

    /// Opens a file whose name need not be valid UTF-8.
    /// - Parameter pathBytes: the path as stored in the file system, without a terminating zero.
    /// - Throws: The same errors as for a text path.
    public init(pathBytes: [UInt8]) throws(HTTPServerError) {
        let path = String(decoding: pathBytes, as: UTF8.self)
        let terminated = pathBytes.map { CChar(bitPattern: $0) } + [0]
        let descriptor = open(terminated, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let number = errno
            throw HTTPServerError(.cannotOpen, systemMessage(number), subject: path, errorNumber: number)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HTTPServerError(.badFile, "not a regular file", subject: path)
        }
        self.path = path
        terminatedPath = terminated
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
        prefixedMapping = PrefixedMapping(descriptor: descriptor, byteCount: byteCount)
        modificationNanoseconds = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }

    deinit {
        if case .at(let address) = mapping.withLock({ $0 }) {
            munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
        }
        close(descriptor)
    }

    /// A strong validator of the file's state: inode, size and modification time (RFC 9110 §8.8.3).
    public var entityTag: EntityTag {
        EntityTag(
            String(inode, radix: 36) + "-" + String(byteCount, radix: 36) + "-"
                + String(modificationNanoseconds, radix: 36))
    }

    /// The modification time, to the second.
    public var modificationDate: HTTPDate {
        HTTPDate(secondsSince1970: modificationNanoseconds / 1_000_000_000)
    }

    /// Whether the file at the path is still the one opened, with the same size and modification time.
    ///
    /// A file that was written to, deleted or replaced is detected immediately. One that was moved away, or replaced while
    /// another hard link keeps it, is detected after 0.2 s; until then its own bytes are served.
    public var isUnchanged: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink > 0, isAsOpened(status) else { return false }
        let now = MonotonicClock.coarseNanoseconds()
        if now < lastLook.load(ordering: .relaxed) + Self.lookInterval { return true }
        guard stat(terminatedPath, &status) == 0, UInt64(status.st_ino) == inode, isAsOpened(status) else {
            return false
        }
        lastLook.store(now, ordering: .relaxed)
        return true
    }

    /// Whether the open file still has its original size and modification time, regardless of its path.
    var hasOpenedState: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && isAsOpened(status)
    }

    private static let lookInterval: UInt64 = 200_000_000

    private func isAsOpened(_ status: stat) -> Bool {
        Int(status.st_size) == byteCount
            && Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
                == modificationNanoseconds
    }

    /// Reads bytes at an offset into `buffer`.
    ///
    /// - Returns: The number of bytes read; less than the buffer size only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(HTTPServerError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = pread(
                descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, offset + filled)
            if count == 0 { break }
            if count < 0 {
                let number = errno
                if number == EINTR { continue }
                throw HTTPServerError(.inputOutput, systemMessage(number), subject: path, errorNumber: number)
            }
            filled += count
        }
        return filled
    }

    /// Returns the current content of the file, at most as many bytes as it had when it was opened.
    public func content() throws(HTTPServerError) -> [UInt8] {
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
    public func append(_ range: Range<Int>, to bytes: inout [UInt8]) throws(HTTPServerError) {
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

    /// Returns the address of a region that is contiguous in memory with its prefix; nil if it is not. Like
    /// ``mappedAddress()``, for use by the kernel only.
    func address(of region: FileRegion) -> UInt? {
        if region.prefix.isEmpty { return mappedAddress().map { $0 + UInt(region.offset) } }
        return prefixedMapping.address(
            of: region.prefix, before: region.offset..<region.offset + region.length)
    }

    /// Returns the address of the file in memory, mapped on the first call; nil if it cannot be mapped.
    ///
    /// Only the kernel may read through this address: it reports an error for a page removed by a truncation, while an access
    /// by this process would crash it.
    func mappedAddress() -> UInt? {
        mapping.withLock { state in
            if case .none = state {
                let address = mmap(nil, max(byteCount, 1), PROT_READ, MAP_SHARED, descriptor, 0)
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

/// Returns the system's message for an error number.
func systemMessage(_ number: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
