internal import FileSystem
package import Foundation

/// Files of secrets in the data folder: private to their owner, and always complete.
package enum SecretsFile {
    /// Replaces a file.
    /// - Throws: `HostError` if the file cannot be written; the previous one is then unchanged.
    package static func replace(
        _ path: String, with content: some Encodable, encoder: JSONEncoder
    ) throws(HostError) {
        guard let json = try? encoder.encode(content) else {
            throw HostError(.secrets, "\(path) cannot be written: its content cannot be encoded")
        }
        do throws(SystemError) {
            try Files.replace(path, with: [UInt8](json) + [0x0A], permissions: 0o600)
        } catch {
            throw failure(of: path, error)
        }
    }

    /// Calls a closure that changes a file, while no other program does.
    /// - Throws: what the closure throws, or `HostError` if the lock file cannot be used.
    package static func whileLocked<Value>(
        _ path: String, _ body: () throws(HostError) -> Value
    ) throws(HostError) -> Value {
        // A file of its own: the file of secrets itself is replaced.
        let lock = try SystemError.map(to: { failure(of: "\(path).lock", $0) }) {
            () throws(SystemError) in
            let lock = try FileDescriptor.open("\(path).lock", for: .readAndWrite, [.create, .noLink])
            try lock.waitForLock(.exclusive)
            return lock
        }
        defer { lock.unlock() }
        return try body()
    }

    private static func failure(of path: String, _ error: SystemError) -> HostError {
        HostError(.secrets, "\(path) cannot be written: \(error)")
    }
}
