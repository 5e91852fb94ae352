import CommandLineProgram
import FileSystem
import Foundation

/// A file with a host's API key in its first line. May also be a pipe, such as `<(pass show host)`.
enum KeyFile {
    /// Maximum number of bytes read.
    private static let limit = 64 << 10

    /// Reads the key.
    /// - Parameter path: `-` for standard input.
    /// - Throws: `UsageError` with the name of the file.
    static func key(in path: String) throws -> String {
        let bytes: [UInt8]
        do throws(SystemError) {
            let file = path == "-" ? try FileDescriptor.duplicate(of: 0) : try FileDescriptor.open(path)
            bytes = try file.readToEnd(limit: limit + 1)
        } catch {
            throw UsageError(message: "cannot read the key file \(path): \(error)")
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
}
