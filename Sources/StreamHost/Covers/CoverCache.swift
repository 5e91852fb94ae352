internal import CoverImage
internal import Foundation
internal import HTTPServer
internal import Synchronization

/// A disk cache of scaled covers, limited in bytes; the least recently used are evicted first.
///
/// A file is written under a temporary name, synced and renamed, so a partial file is never visible.
final class CoverCache: Sendable {
    /// Default capacity in bytes.
    static let standardCapacity = 256 << 20
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
    init(folder: String, capacity: Int = standardCapacity) {
        self.folder = folder
        self.capacity = capacity
    }

    /// Returns a cover from the cache; nil if it is not cached.
    func file(_ picture: String, step: Int) -> (file: HTTPFile, format: PictureFormat)? {
        for format in [PictureFormat.jpeg, .png] {
            let path = path(picture, step, format)
            guard let file = try? HTTPFile(path: path), file.byteCount > 0 else { continue }
            // The modification time records the last use.
            utimensat(AT_FDCWD, path, nil, 0)
            return (file, format)
        }
        return nil
    }

    /// Stores a scaled cover. A full or read-only disk is not an error: the cover is scaled again next time.
    func store(_ bytes: [UInt8], _ format: PictureFormat, of picture: String, step: Int) {
        state.withLock { state in
            mkdir(folder, 0o700)
            var total = state.byteCount ?? countFiles()
            let temporary = "\(folder)/\(Self.temporaryPrefix)\(getpid())-\(state.nextTemporary)"
            state.nextTemporary += 1
            if Self.write(bytes, to: temporary), rename(temporary, path(picture, step, format)) == 0 {
                total += bytes.count
            } else {
                unlink(temporary)
            }
            if total > capacity { total = makeRoom() }
            state.byteCount = total
        }
    }

    private static let temporaryPrefix = ".new-"

    private func path(_ picture: String, _ step: Int, _ format: PictureFormat) -> String {
        "\(folder)/\(picture)-\(step)-\(Self.version).\(format.rawValue)"
    }

    private struct Entry {
        let path: String
        let byteCount: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private func entries() -> [Entry] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
            let path = "\(folder)/\(name)"
            // Left behind by a killed process. If another host is writing it right now, that host scales the cover again.
            if name.hasPrefix(Self.temporaryPrefix) {
                unlink(path)
                return nil
            }
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return Entry(
                path: path, byteCount: Int(status.st_size), seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec)
        }
    }

    private func countFiles() -> Int { entries().reduce(0) { $0 + $1.byteCount } }

    /// Evicts the least recently used files, down to 90% of the capacity so that not every new cover triggers
    /// an eviction.
    private func makeRoom() -> Int {
        let entries = entries().sorted { ($0.seconds, $0.nanoseconds) < ($1.seconds, $1.nanoseconds) }
        var total = entries.reduce(0) { $0 + $1.byteCount }
        for entry in entries {
            guard total > capacity / 10 * 9 else { break }
            if unlink(entry.path) == 0 { total -= entry.byteCount }
        }
        return total
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return fsync(descriptor) == 0
    }
}
