internal import CArchive
internal import Glibc

/// Reads the files of a zip one after the other, from its first byte to its last: owns one libarchive handle.
///
/// The directory at a zip's end is not read, so that memory does not grow with the number of files it lists. Nothing is
/// written and no name is opened. The caller limits how much is read. Not thread-safe.
package final class ZipReader {
    private let archive: OpaquePointer
    private static let blockBytes = 1 << 16

    /// Reads from a descriptor, which the caller owns and must keep open.
    /// - Throws: `library`, or `damaged` if the bytes are not a zip.
    package init(descriptor: Int32) throws(ZipError) {
        guard let archive = archive_read_new() else {
            throw ZipError(.library, "libarchive cannot be set up")
        }
        self.archive = archive
        // No other format and no filter: a zip, read as a stream.
        try check(archive_read_support_format_zip_streamable(archive), .library)
        // Most names that are not marked as UTF-8 are UTF-8 all the same. If the charset is unknown, names are bytes.
        _ = Self.inUTF8 { archive_read_set_options(archive, "zip:hdrcharset=UTF-8") }
        try check(archive_read_open_fd(archive, descriptor, Self.blockBytes), .damaged)
    }

    deinit { archive_read_free(archive) }

    /// @unchecked: never changed, never freed.
    private struct Locale: @unchecked Sendable {
        let value: locale_t
    }

    private static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil).map { Locale(value: $0) }

    /// Runs a function that handles names: the library converts them to the thread's locale, and drops those that do not fit.
    private static func inUTF8<Result>(_ body: () -> Result) -> Result {
        guard let locale else { return body() }
        let previous = uselocale(locale.value)
        defer { uselocale(previous) }
        return body()
    }

    /// Moves to the next file; unread content of the last one is skipped.
    /// - Returns: nil at the end.
    /// - Throws: `damaged`; nothing can be read after that.
    package func next() throws(ZipError) -> ZipEntry? {
        let (status, entry) = Self.inUTF8 { () -> (Int32, ZipEntry?) in
            var entry: OpaquePointer?
            var status = archive_read_next_header(archive, &entry)
            while status == ARCHIVE_RETRY { status = archive_read_next_header(archive, &entry) }
            return (status, entry.map(Self.entry))
        }
        switch status {
        case ARCHIVE_OK, ARCHIVE_WARN: return entry
        case ARCHIVE_EOF: return nil
        default: throw ZipError(.damaged, reason)
        }
    }

    /// Reads the next bytes of the current file.
    /// - Parameter buffer: receives the bytes.
    /// - Returns: the number of bytes; 0 at the end.
    /// - Throws: `unreadableEntry`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ZipError) -> Int {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw ZipError(.unreadableEntry, reason) }
        return count
    }

    private static func entry(_ entry: OpaquePointer) -> ZipEntry {
        // The first is nil if a name is not in the program's charset.
        let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
        return ZipEntry(
            name: name.map { String(cString: $0) } ?? "",
            // S_IFREG; the type bits are 0 if the zip comes from a system that has none.
            isFile: [0, 0o100000].contains(Int(archive_entry_filetype(entry)) & 0o170000),
            isEncrypted: archive_entry_is_encrypted(entry) != 0,
            claimedByteCount: archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil)
    }

    private func check(_ status: Int32, _ code: ZipError.Code) throws(ZipError) {
        guard status >= ARCHIVE_WARN else { throw ZipError(code, reason) }
    }

    private var reason: String {
        archive_error_string(archive).map { String(cString: $0) } ?? "the archive cannot be read"
    }
}
