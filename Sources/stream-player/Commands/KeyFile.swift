import ConsoleProgram
import Foundation

/// A file with a host's API key in its first line. May also be a pipe, such as `<(pass show host)`.
enum KeyFile {
    /// Maximum number of bytes read.
    private static let limit = 64 << 10

    /// Reads the key.
    /// - Parameter path: `-` for standard input.
    /// - Throws: `UsageError` with the name of the file.
    static func key(in path: String) throws -> String {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path, errno) }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        guard bytes.count <= limit else {
            throw UsageError(message: "the key file \(path) is larger than \(limit >> 10) KiB: not a key")
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard
            let key = lines.lazy.map({ $0.trimmingCharacters(in: .whitespaces) }).first(where: { !$0.isEmpty }
            )
        else { throw UsageError(message: "the key file \(path) is empty") }
        return key
    }

    private static func failure(_ path: String, _ number: Int32) -> UsageError {
        UsageError(message: "cannot read the key file \(path): \(String(cString: strerror(number)))")
    }
}
