internal import Companion
internal import Foundation
internal import HTTPServer
internal import Synchronization

/// Consistent copies of the library database to hand out: made when the library has changed since the last, and kept for
/// those who are still fetching it.
final class LibrarySnapshots: Sendable {
    private struct Snapshot {
        let state: [Int64]
        let file: HTTPFile
    }

    private let library: LibraryStore
    private let folder: String
    private let current = Mutex<Snapshot?>(nil)

    init(library: LibraryStore, folder: String) {
        self.library = library
        self.folder = folder
    }

    /// The copy of the library as it is now.
    ///
    /// The file's name is gone once it is open: it takes no place any more when the last download ends, however the
    /// program ends.
    func file() throws -> HTTPFile {
        try current.withLock { current in
            let state = libraryState()
            if let current, current.state == state { return current.file }
            let path = "\(folder)/library.snapshot-\(getpid())"
            unlink(path)
            try library.writeSnapshot(to: path)
            let file = try HTTPFile(path: path)
            unlink(path)
            current = Snapshot(state: state, file: file)
            return file
        }
    }

    /// Size, time and inode of the database and of its log: either changes with every write.
    private func libraryState() -> [Int64] {
        [library.path, "\(library.path)-wal"].flatMap { path -> [Int64] in
            var status = stat()
            guard stat(path, &status) == 0 else { return [0] }
            return [
                Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
                Int64(status.st_ino),
            ]
        }
    }
}
