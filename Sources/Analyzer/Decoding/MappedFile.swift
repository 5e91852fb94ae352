internal import CFaultGuard
internal import FileSystem
internal import Glibc

/// A regular file mapped for reading.
///
/// If a mapped file shrinks, the process does not crash: the missing part reads as zeros, and ``verifyUnchanged()`` reports it.
public final class MappedFile {
    /// State of the file when it was opened.
    public let state: FileState

    private let file: FileDescriptor
    // Owned by this object; unmapped in deinit. Spans of it are bound to the lifetime of self.
    private let base: UnsafeMutableRawPointer?
    private let guardSlot: Int32

    /// Opens and maps a file.
    /// - Parameter path: the path's bytes as stored by the file system, without terminating zero; not necessarily valid UTF-8.
    /// - Throws: `fileVanished`, `fileUnreadable` or `notARegularFile`, with the reason.
    public init(path: [UInt8]) throws(AnalyzerError) {
        file = try SystemError.map(to: {
            AnalyzerError($0.kind == .notFound ? .fileVanished : .fileUnreadable, "cannot be opened: \($0)")
        }) { () throws(SystemError) in
            try FileDescriptor.open(path, for: .read, .nonBlocking)
        }
        let status = try file.status(or: { AnalyzerError(.fileUnreadable, "cannot be examined: \($0)") })
        guard status.kind == .file else { throw AnalyzerError(.notARegularFile, "is not a regular file") }
        let state = FileState(status)
        var base: UnsafeMutableRawPointer?
        if state.size > 0 {
            base = mmap(nil, state.size, PROT_READ, MAP_PRIVATE, file.number, 0)
            if base == MAP_FAILED {
                throw AnalyzerError(.fileUnreadable, "cannot be mapped: \(SystemError.last)")
            }
        }
        self.state = state
        self.base = base
        guardSlot = base.map { fault_guard_add($0, state.size) } ?? -1
    }

    /// Maps an open file: the same file even if its name now belongs to another one.
    /// - Parameter descriptor: a descriptor of the file, which stays the caller's.
    /// - Throws: `fileUnreadable` or `notARegularFile`, with the reason.
    public convenience init(descriptor: Int32) throws(AnalyzerError) {
        try self.init(path: Array("/proc/self/fd/\(descriptor)".utf8))
    }

    deinit {
        fault_guard_remove(guardSlot)
        if let base { munmap(base, state.size) }
    }

    /// Calls a closure with the contents of the file.
    /// - Parameter body: receives all bytes of the file, valid for the duration of the call.
    public func withBytes<Result, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(
            RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : state.size)))
    }

    /// Calls a closure with the contents of the file, and verifies that they did not change meanwhile.
    /// - Throws: the error of ``verifyUnchanged()``, otherwise that of the closure: one caused by bytes that changed during
    ///   reading is not the file's fault.
    func withVerifiedBytes<Result>(
        _ body: (RawSpan) throws(AnalyzerError) -> Result
    ) throws(AnalyzerError) -> Result {
        let result: Result
        do {
            result = try withBytes(body)
        } catch {
            if error.code != .cancelled { try verifyUnchanged() }
            throw error
        }
        try verifyUnchanged()
        return result
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
        guard let status = try? file.status(), FileState(status) == state else {
            throw AnalyzerError(
                .fileChanged, "changed while it was being read; it will be analysed when it is complete")
        }
        // Same state but missing pages: truncated and restored in the meantime, or a failing disk.
        guard !fault_guard_faulted(guardSlot) else {
            throw AnalyzerError(.fileUnreadable, "could not be read to the end")
        }
    }

    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
}
