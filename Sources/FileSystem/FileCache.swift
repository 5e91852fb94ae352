internal import Synchronization

/// A folder of files that can be made again, limited in bytes; the least recently used are evicted first.
///
/// The modification time of a file records its last use. Several processes may use a folder at once.
package final class FileCache: Sendable {
    private static let temporaryPrefix = Array(".new-".utf8)

    private let folder: String
    private let capacity: Int
    /// Total size of the files in bytes; nil until they are counted.
    private let byteCount = Mutex<Int?>(nil)

    /// - Parameters:
    ///   - folder: created when the first file is stored.
    ///   - capacity: maximum total size in bytes.
    package init(folder: String, capacity: Int) {
        self.folder = folder
        self.capacity = capacity
    }

    /// Returns the path that a file has while it is cached.
    package func path(of name: String) -> String { "\(folder)/\(name)" }

    /// Records that a file is used, so that others are evicted before it.
    package func noteUse(of name: String) { try? Files.touch(path(of: name)) }

    /// Stores a file under a name, which must not start with a dot; an existing one is replaced. Readers see whole files only.
    /// - Parameter write: writes the content to the new file's descriptor.
    /// - Throws: `SystemError` if the file cannot be stored, and what `write` throws.
    package func store(_ name: String, _ write: (PendingFile) throws -> Void) throws {
        try? Files.makeFolder(folder, permissions: 0o700)
        let folder = try Folder(folder)
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        let file = try PendingFile(in: folder, temporaryName: Self.temporaryPrefix + Array(number.utf8))
        try write(file)
        let added = try file.descriptor.status().byteCount
        try file.replace(name)
        byteCount.withLock { total in
            let count = total.map { $0 + added } ?? Self.entries(folder).reduce(0) { $0 + $1.byteCount }
            total = count > capacity ? evict(keeping: Array(name.utf8), in: folder) : count
        }
    }

    private struct Entry {
        let name: [UInt8]
        let byteCount: Int
        let usedNanoseconds: Int
    }

    /// Returns the cached files. Deletes what killed processes have left behind.
    private static func entries(_ folder: Folder) -> [Entry] {
        folder.names().compactMap { name in
            if name.starts(with: temporaryPrefix) {
                // Another process holds the lock of a file that it is writing.
                if let file = try? folder.open(name), (try? file.lock(.exclusive)) != false {
                    try? folder.removeFile(name)
                }
                return nil
            }
            guard let status = try? folder.status(of: name), status.kind == .file else { return nil }
            return Entry(
                name: name, byteCount: status.byteCount, usedNanoseconds: status.modificationNanoseconds)
        }
    }

    /// Evicts down to 90% of the capacity, so that not every new file triggers an eviction.
    /// - Parameter newest: the file that is kept, however large it is.
    /// - Returns: the remaining bytes.
    private func evict(keeping newest: [UInt8], in folder: Folder) -> Int {
        let entries = Self.entries(folder).sorted { $0.usedNanoseconds < $1.usedNanoseconds }
        var total = entries.reduce(0) { $0 + $1.byteCount }
        for entry in entries where entry.name != newest {
            guard total > capacity / 10 * 9 else { break }
            if (try? folder.removeFile(entry.name)) != nil { total -= entry.byteCount }
        }
        return total
    }
}
