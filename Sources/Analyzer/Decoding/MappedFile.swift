internal import CFaultGuard
import Foundation

/// A regular file mapped for reading.
///
/// If a mapped file shrinks, the process does not crash: the missing part reads as zeros, and ``verifyUnchanged()`` reports it.
public final class MappedFile {
    /// State of the file when it was opened.
    public let state: FileState

    private let descriptor: Int32
    // Owned by this object; unmapped in deinit. Spans of it are bound to the lifetime of self.
    private let base: UnsafeMutableRawPointer?
    private let guardSlot: Int32

    /// Opens and maps a file.
    /// - Parameter path: the path's bytes as stored by the file system, without terminating zero; not necessarily valid UTF-8.
    /// - Throws: `fileVanished`, `fileUnreadable` or `notARegularFile`, with the reason.
    public init(path: [UInt8]) throws(AnalyzerError) {
        // O_NONBLOCK prevents open() from blocking on a FIFO before fstat can reject it.
        let descriptor = (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { path in
            path.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } ?? -1
        }
        guard descriptor >= 0 else {
            let code = errno
            throw AnalyzerError(
                code == ENOENT ? .fileVanished : .fileUnreadable, "cannot be opened: \(Self.reason(code))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = Self.reason(errno)
            close(descriptor)
            throw AnalyzerError(.fileUnreadable, "cannot be examined: \(reason)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw AnalyzerError(.notARegularFile, "is not a regular file")
        }
        let state = FileState(status)
        var base: UnsafeMutableRawPointer?
        if state.size > 0 {
            base = mmap(nil, state.size, PROT_READ, MAP_PRIVATE, descriptor, 0)
            if base == MAP_FAILED {
                let reason = Self.reason(errno)
                close(descriptor)
                throw AnalyzerError(.fileUnreadable, "cannot be mapped: \(reason)")
            }
        }
        self.descriptor = descriptor
        self.state = state
        self.base = base
        guardSlot = base.map { fault_guard_add($0, state.size) } ?? -1
    }

    deinit {
        fault_guard_remove(guardSlot)
        if let base { munmap(base, state.size) }
        close(descriptor)
    }

    /// Calls a closure with the contents of the file.
    /// - Parameter body: receives all bytes of the file, valid for the duration of the call.
    public func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(
            RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : state.size)))
    }

    /// Releases the memory pages at the start of the file; they are read again if accessed.
    /// - Parameter end: the bytes before this offset are no longer needed.
    public func release(before end: Int) {
        guard let base else { return }
        let whole = min(end, state.size) / Self.pageSize * Self.pageSize
        if whole > 0 { madvise(base, whole, MADV_DONTNEED) }
    }

    /// Verifies that the bytes read are the contents of the file.
    /// - Throws: `fileChanged` if the file was truncated, written to or touched since it was opened; `fileUnreadable` if part
    ///   of it could not be read and appeared as zeros.
    public func verifyUnchanged() throws(AnalyzerError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, FileState(status) == state else {
            throw AnalyzerError(
                .fileChanged, "changed while it was being read; it will be analysed when it is complete")
        }
        // Same state but missing pages: truncated and restored in the meantime, or a failing disk.
        guard !fault_guard_faulted(guardSlot) else {
            throw AnalyzerError(.fileUnreadable, "could not be read to the end")
        }
    }

    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
