internal import Glibc
internal import Synchronization

/// A regular file opened for reading. The descriptor and the mapping live as long as the last reference: a response
/// that is under way keeps them.
public final class HTTPFile: Sendable {
    /// The path it was opened at.
    public let path: String
    /// Its size in bytes when it was opened.
    public let byteCount: Int
    /// Its modification time when it was opened, in nanoseconds since 1970.
    public let modificationNanoseconds: Int64
    /// Its number in its file system, which a replaced file does not share.
    public let inode: UInt64

    let descriptor: Int32
    /// The path as the system takes it.
    private let terminatedPath: [CChar]
    /// When the path was last looked at, in nanoseconds.
    private let lastLook = Atomic<UInt64>(0)
    private let mapping = Mutex<Mapping>(.none)
    private let prefixedMapping: PrefixedMapping

    private enum Mapping: Sendable {
        case none
        case failed
        // The address of read-only memory that stays until deinit.
        case at(UInt)
    }

    /// Opens a file.
    ///
    /// - Throws: ``HTTPServerError`` where it cannot be opened or is not a regular file. A FIFO or device is refused
    ///   without waiting for it.
    public convenience init(path: String) throws(HTTPServerError) {
        try self.init(pathBytes: Array(path.utf8))
    }

    /// Opens a file whose name need not be valid UTF-8.
    /// - Parameter pathBytes: the path as the file system has it, without a terminating zero.
    /// - Throws: As for a path that is text.
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

    /// Whether the file at the path is still the one opened, of the same size and time.
    ///
    /// A file that was written to, deleted or replaced is noticed at once. One that was moved away, or replaced while
    /// another hard link keeps it, is noticed after 0.2 s: meanwhile the bytes are still its own.
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

    private static let lookInterval: UInt64 = 200_000_000

    private func isAsOpened(_ status: stat) -> Bool {
        Int(status.st_size) == byteCount
            && Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
                == modificationNanoseconds
    }

    /// Reads bytes at an offset into `buffer`.
    ///
    /// - Returns: The number read; less than the buffer's only at the end of the file.
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

    /// All bytes that the file has now, at most as many as it had when it was opened.
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

    /// Reads a run of the file's bytes.
    ///
    /// - Parameter range: offsets in the file.
    /// - Throws: ``HTTPServerError`` where they cannot be read, or the file got shorter.
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
        guard count == range.count else {
            throw HTTPServerError(.badFile, "it has got shorter", subject: path)
        }
    }

    /// Where a region stands in memory in one piece with its prefix; nil where it does not. As with ``mappedAddress()``,
    /// for the kernel alone.
    func address(of region: FileRegion) -> UInt? {
        if region.prefix.isEmpty { return mappedAddress().map { $0 + UInt(region.offset) } }
        return prefixedMapping.address(
            of: region.prefix, before: region.offset..<region.offset + region.length)
    }

    /// The file in memory, mapped at the first call, or nil where it cannot be mapped.
    ///
    /// Only the kernel may read through this address: it answers a page that a truncation took away with an error,
    /// where a read of our own would end the process.
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

/// The system's words for an error number.
func systemMessage(_ number: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
