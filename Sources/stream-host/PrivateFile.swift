import CommandLineProgram
import FileSystem
import Foundation

/// Files with a secret, which only their owner may read.
enum PrivateFile {
    /// Returns the only line of a file.
    /// - Parameter content: what the file holds, for messages.
    /// - Throws: `UsageError` if it cannot be read, can be read by others, or holds no secret.
    static func line(of path: String, named content: String) throws(UsageError) -> String {
        guard let status = try? Files.status(of: path), let data = FileManager.default.contents(atPath: path)
        else {
            throw UsageError(message: "\(content) in \(path) cannot be read")
        }
        guard status.permissions & 0o077 == 0 else {
            throw UsageError(message: "\(path) can be read by others: run `chmod 600 \(path)`")
        }
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError(message: "\(path) does not hold \(content)")
        }
        return text
    }
}
