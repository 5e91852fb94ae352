internal import Foundation

/// Files of secrets in the data folder.
enum SecretsFile {
    /// Writes a temporary file that is private to its owner from the start, then renames it into place.
    /// - Throws: `HostError` if the file cannot be written; the previous one is then unchanged.
    static func replace(
        _ path: String, with content: some Encodable, encoder: JSONEncoder
    ) throws(HostError) {
        let temporary = "\(path).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0, let json = try? encoder.encode(content) else { throw failure(of: temporary) }
        defer { close(descriptor) }
        let bytes = [UInt8](json) + [0x0A]
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            rename(temporary, path) == 0
        else { throw failure(of: path) }
    }

    /// Returns the error for a file that cannot be written, with the reason in `errno`.
    static func failure(of path: String) -> HostError {
        HostError(.secrets, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
