package import FileSystem

/// A file that a request sends. It is read during the transfer, and must not change until then.
package final class TransferFile: Sendable {
    private let descriptor: FileDescriptor
    /// Its size in bytes.
    package let byteCount: Int
    /// Its SHA-256 as lower-case hexadecimal digits, which is signed.
    package let digest: String

    /// Opens a file again.
    /// - Throws: `SystemError` if that is not possible.
    package init(_ file: borrowing FileDescriptor, byteCount: Int, digest: String) throws(SystemError) {
        descriptor = try FileDescriptor.duplicate(of: file.number)
        self.byteCount = byteCount
        self.digest = digest
    }

    /// Reads bytes at an offset into a buffer. Returns their number, 0 at the end, nil if they cannot be read.
    func read(into buffer: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> Int? {
        let length = min(count, byteCount - offset)
        return try? descriptor.read(
            into: UnsafeMutableRawBufferPointer(start: buffer, count: length), at: offset)
    }
}
