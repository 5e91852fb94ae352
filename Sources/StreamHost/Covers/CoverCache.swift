internal import CoverImage
internal import Foundation
internal import HTTPServer
internal import Synchronization

/// Small covers on disk, up to a number of bytes; the ones that were not asked for longest go first.
///
/// A file is written beside its place and moved there when it is on the disk, so that none is ever seen in part.
final class CoverCache: Sendable {
    /// The most bytes unless told otherwise.
    static let standardCapacity = 256 << 20
    /// Changes when the same picture would come out differently; files of other versions are never asked for again.
    private static let version = 1

    private struct State {
        /// Bytes of all files; nil until they are counted.
        var byteCount: Int?
        var nextTemporary = 0
    }

    private let folder: String
    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - folder: made when the first cover is stored.
    ///   - capacity: the most bytes of all files.
    init(folder: String, capacity: Int = standardCapacity) {
        self.folder = folder
        self.capacity = capacity
    }

    /// A small cover that was stored; nil if there is none.
    func file(_ picture: String, step: Int) -> (file: HTTPFile, format: PictureFormat)? {
        for format in [PictureFormat.jpeg, .png] {
            let path = path(picture, step, format)
            guard let file = try? HTTPFile(path: path), file.byteCount > 0 else { continue }
            // The time of a file says when it was last asked for.
            utimensat(AT_FDCWD, path, nil, 0)
            return (file, format)
        }
        return nil
    }

    /// Stores a small cover. A disk that is full or read-only is no error: the cover is made again next time.
    func store(_ bytes: [UInt8], _ format: PictureFormat, of picture: String, step: Int) {
        state.withLock { state in
            mkdir(folder, 0o755)
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
            // What a killed program left behind. If another host should be writing it, that one makes its cover again.
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

    /// Removes what was not asked for longest, and a little more, so that it is not done for every new cover.
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
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
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
