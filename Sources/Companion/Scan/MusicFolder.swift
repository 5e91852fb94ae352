public import Analyzer
internal import CFileCopy
import Foundation

/// A folder of music on disk.
public struct MusicFolder: Sendable {
    /// The folder's path in the file system, without a trailing slash.
    public let pathBytes: [UInt8]

    /// Opens a music folder.
    /// - Throws: `musicFolder` if there is no readable folder at this path.
    public init(path: String) throws(StoreError) {
        guard let resolved = realpath(path, nil) else {
            throw StoreError(
                .musicFolder, "cannot be used as the music folder: \(Self.reason(errno))", path: path)
        }
        defer { free(resolved) }
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(
                .musicFolder, "is not a folder; specify the folder that contains your music", path: path)
        }
        guard access(resolved, R_OK | X_OK) == 0 else {
            throw StoreError(.musicFolder, "cannot be read: \(Self.reason(errno))", path: path)
        }
        pathBytes = UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map {
            UInt8(bitPattern: $0)
        }
    }

    /// Top-level folder for files in the trash: scans skip it, and no path in it is a track.
    static let trashName = Array(".trash".utf8)

    /// Whether a path relative to this folder leads into the trash.
    static func isTrash(_ path: some Sequence<UInt8>) -> Bool {
        path.prefix { $0 != UInt8(ascii: "/") }.elementsEqual(trashName)
    }

    /// The folder's path for display.
    public var displayPath: String { String(decoding: pathBytes, as: UTF8.self) }

    /// The absolute path of a file in the folder.
    public func absolutePath(of path: RelativePath) -> [UInt8] {
        pathBytes + [UInt8(ascii: "/")] + path.bytes
    }

    /// An .mp3 file found by a scan.
    public struct Entry: Sendable {
        /// The file's path.
        public var path: RelativePath
        /// Its size and modification time.
        public var file: FileState
        /// Whether it is a regular file, or a link to one.
        public var isRegular: Bool
    }

    /// The result of a scan.
    public struct Contents: Sendable {
        /// All .mp3 files, folder by folder.
        public var entries: [Entry] = []
        /// Folders and links that could not be read completely, with the reason.
        public var unreadable: [(path: RelativePath, reason: String)] = []
        /// The reason why the music folder itself could not be read completely, if so.
        public var failure: String?
        /// Mount points, and links to folders on other file systems; nil is the music folder itself.
        public var mounted: Set<RelativePath?> = []
        /// All folders found; nil is the music folder itself.
        public var folders: [RelativePath?] = []

        /// Records that a folder could not be read; nil is the music folder itself.
        fileprivate mutating func note(_ reason: String, at folder: RelativePath?) {
            if let folder { unreadable.append((folder, reason)) } else { failure = reason }
        }
    }

    /// Scans the folder recursively.
    ///
    /// Links to files and folders are followed; a folder that has already been visited is not entered again,
    /// so loops of links end. The trash is skipped. Only directories are read.
    /// - Parameter isCancelled: called before each folder; true ends the scan with the entries found so far.
    public func scan(isCancelled: () -> Bool = { false }) -> Contents {
        scan(below: nil, isCancelled: isCancelled)
    }

    /// Scans one subfolder recursively.
    func scan(below folder: RelativePath?, isCancelled: () -> Bool = { false }) -> Contents {
        var contents = Contents()
        var visited: Set<[UInt64]> = []
        // Links to the trash are not followed either.
        var trash = stat()
        if Self.withPath(pathBytes + [UInt8(ascii: "/")] + Self.trashName, { stat($0, &trash) }) == 0 {
            visited.insert([UInt64(trash.st_dev), UInt64(trash.st_ino)])
        }
        var pending: [RelativePath?] = [folder]
        while !isCancelled(), let folder = pending.popLast() {
            let subfolders = read(folder, visited: &visited, into: &contents)
            pending.append(contentsOf: subfolders.reversed().map { $0 })
        }
        return contents
    }

    /// Whether any .mp3 file was changed in the last seconds, so that it may still be incomplete.
    public func hasFilesChanged(withinSeconds seconds: Double) -> Bool {
        let limit = Int((Date().timeIntervalSince1970 - seconds) * 1e9)
        return scan().entries.contains { $0.file.modificationTimeNanoseconds > limit }
    }

    /// Whether a process has the file open for writing, as far as the system reports it: it does so only to
    /// the file's owner and root, and for files on local disks.
    func isBeingWritten(_ entry: Entry) -> Bool {
        guard entry.isRegular else { return false }
        let descriptor = Self.withPath(absolutePath(of: entry.path)) {
            open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A read lease (fcntl(2)) is refused while a writer has the file open. If someone opens it for
        // writing while we hold the lease, they are blocked for a moment and we receive a signal, here one
        // that is ignored.
        _ = fcntl(descriptor, Self.setLeaseSignal, SIGURG)
        guard fcntl(descriptor, Self.setLease, Int32(F_RDLCK)) != 0 else {
            _ = fcntl(descriptor, Self.setLease, Int32(F_UNLCK))
            return false
        }
        return errno == EAGAIN
    }

    /// `F_SETLEASE` and `F_SETSIG` of Linux, which the C library declares for GNU sources only.
    private static let setLease: Int32 = 1024
    private static let setLeaseSignal: Int32 = 10

    /// Reads one folder and returns its subfolders.
    private func read(
        _ folder: RelativePath?, visited: inout Set<[UInt64]>, into contents: inout Contents
    ) -> [RelativePath] {
        let path = folder.map(absolutePath(of:)) ?? pathBytes
        guard let directory = Self.withPath(path, opendir) else {
            contents.note(Self.reason(errno), at: folder)
            return []
        }
        defer { closedir(directory) }
        var own = stat()
        guard fstat(dirfd(directory), &own) == 0,
            visited.insert([UInt64(own.st_dev), UInt64(own.st_ino)]).inserted
        else { return [] }
        contents.folders.append(folder)
        if file_is_mount_root(dirfd(directory)) == 1 { contents.mounted.insert(folder) }

        var names: [[UInt8]] = []
        errno = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
            errno = 0
        }
        if errno != 0 { contents.note(Self.reason(errno), at: folder) }
        var subfolders: [RelativePath] = []
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let bytes = folder.map { $0.bytes + [UInt8(ascii: "/")] + name } ?? name
            guard let path = RelativePath(bytes: bytes), !Self.isTrash(bytes) else { continue }
            var status = stat()
            let isMP3 = Self.isNamedMP3(name)
            guard Self.withPath(name, { fstatat(dirfd(directory), $0, &status, 0) }) == 0 else {
                // A broken link or a loop of links matters only if it has the extension .mp3. An entry that
                // cannot be examined for another reason may be a folder.
                let code = errno
                if isMP3 || ![ENOENT, ELOOP, ENOTDIR].contains(code) {
                    contents.unreadable.append((path, Self.reason(code)))
                }
                continue
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                subfolders.append(path)
                if status.st_dev != own.st_dev { contents.mounted.insert(path) }
            } else if isMP3 {
                contents.entries.append(
                    Entry(
                        path: path, file: FileState(status), isRegular: status.st_mode & S_IFMT == S_IFREG))
            }
        }
        return subfolders
    }

    static func isNamedMP3(_ name: [UInt8]) -> Bool {
        // macOS creates "._name.mp3" next to a file on foreign disks: attributes, not audio.
        !name.starts(with: [0x2E, 0x5F]) && name.count > 4
            && name.suffix(4).map { $0 | 0x20 } == Array(".mp3".utf8)
    }

    /// Calls `body` with a path or name as a C string.
    static func withPath<Result>(_ path: some Sequence<UInt8>, _ body: (UnsafePointer<CChar>) -> Result)
        -> Result
    {
        (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the array is never empty") }
            return body(base)
        }
    }

    static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
