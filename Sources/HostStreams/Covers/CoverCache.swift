package import CoverImage
internal import FileSystem
internal import Foundation
package import HTTPServer
internal import Synchronization

/// A disk cache of scaled covers, limited in bytes; the least recently used are evicted first.
///
/// A file is written under a temporary name, synced and renamed, so a partial file is never visible.
package final class CoverCache: Sendable {
    /// Default capacity in bytes.
    package static let standardCapacity = 256 << 20
    /// Incremented when scaling produces different results; files of other versions are ignored.
    private static let version = 1

    private struct State {
        /// Total size of the files in bytes; nil until they are counted.
        var byteCount: Int?
        var nextTemporary = 0
    }

    private let folder: String
    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: Created when the first cover is stored.
    ///   - capacity: Maximum total size in bytes.
    package init(folder: String, capacity: Int = standardCapacity) {
        self.folder = folder
        self.capacity = capacity
    }

    /// Returns a cover from the cache; nil if it is not cached.
    package func file(_ picture: String, step: Int) -> (file: HTTPFile, format: PictureFormat)? {
        for format in [PictureFormat.jpeg, .png] {
            let path = "\(folder)/\(name(picture, step, format))"
            guard let file = try? HTTPFile(path: path), file.byteCount > 0 else { continue }
            // The modification time records the last use.
            try? Files.touch(path)
            return (file, format)
        }
        return nil
    }

    /// Stores a scaled cover. A full or read-only disk is not an error: the cover is scaled again next time.
    package func store(_ bytes: [UInt8], _ format: PictureFormat, of picture: String, step: Int) {
        state.withLock { state in
            try? Files.makeFolder(folder, permissions: 0o700)
            var total = state.byteCount ?? countFiles()
            let temporary = Array("\(Self.temporaryPrefix)\(getpid())-\(state.nextTemporary)".utf8)
            state.nextTemporary += 1
            do throws(SystemError) {
                let file = try PendingFile(in: try Folder(folder), temporaryName: temporary)
                try file.descriptor.write(bytes)
                try file.replace(name(picture, step, format))
                total += bytes.count
            } catch {
                // Nothing is kept.
            }
            if total > capacity { total = makeRoom() }
            state.byteCount = total
        }
    }

    private static let temporaryPrefix = ".new-"

    private func name(_ picture: String, _ step: Int, _ format: PictureFormat) -> String {
        "\(picture)-\(step)-\(Self.version).\(format.rawValue)"
    }

    private struct Entry {
        let path: String
        let byteCount: Int
        let usedNanoseconds: Int
    }

    private func entries() -> [Entry] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
            let path = "\(folder)/\(name)"
            // Left behind by a killed process. If another host is writing it right now, that host scales the cover again.
            if name.hasPrefix(Self.temporaryPrefix) {
                try? Files.remove(path)
                return nil
            }
            guard let status = try? Files.status(of: path, followsLinks: false), status.kind == .file else {
                return nil
            }
            return Entry(
                path: path, byteCount: status.byteCount, usedNanoseconds: status.modificationNanoseconds)
        }
    }

    private func countFiles() -> Int { entries().reduce(0) { $0 + $1.byteCount } }

    /// Evicts the least recently used files, down to 90% of the capacity so that not every new cover triggers
    /// an eviction.
    private func makeRoom() -> Int {
        let entries = entries().sorted { $0.usedNanoseconds < $1.usedNanoseconds }
        var total = entries.reduce(0) { $0 + $1.byteCount }
        for entry in entries {
            guard total > capacity / 10 * 9 else { break }
            if (try? Files.remove(entry.path)) != nil { total -= entry.byteCount }
        }
        return total
    }
}
