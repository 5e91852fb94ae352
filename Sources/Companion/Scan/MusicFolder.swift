public import Analyzer
import Foundation

/// A folder of music on disk.
public struct MusicFolder: Sendable {
    /// The folder's path as the file system has it, without a slash at its end.
    public let pathBytes: [UInt8]

    /// Takes a folder.
    /// - Throws: `musicFolder` when there is no readable folder of this path.
    public init(path: String) throws(StoreError) {
        guard let resolved = realpath(path, nil) else {
            throw StoreError(
                .musicFolder, "cannot be used as music folder: \(Self.reason(errno))", path: path)
        }
        defer { free(resolved) }
        var status = stat()
        guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(
                .musicFolder, "is not a folder; name the folder that holds your music", path: path)
        }
        guard access(resolved, R_OK | X_OK) == 0 else {
            throw StoreError(.musicFolder, "cannot be read: \(Self.reason(errno))", path: path)
        }
        pathBytes = UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map {
            UInt8(bitPattern: $0)
        }
    }

    /// The folder at the top that holds files put into the trash: no scan enters it, and no path in it names a track.
    static let trashName = Array(".trash".utf8)

    /// Whether a path, from this folder on, leads into the trash.
    static func isTrash(_ path: some Sequence<UInt8>) -> Bool {
        path.prefix { $0 != UInt8(ascii: "/") }.elementsEqual(trashName)
    }

    /// The folder's path for a person to read.
    public var displayPath: String { String(decoding: pathBytes, as: UTF8.self) }

    /// The full path of a file in it.
    public func absolutePath(of path: RelativePath) -> [UInt8] {
        pathBytes + [UInt8(ascii: "/")] + path.bytes
    }

    /// A file with the ending .mp3 that a scan met.
    public struct Entry: Sendable {
        /// Where it is.
        public var path: RelativePath
        /// Its size and time.
        public var file: FileState
        /// Whether it is a regular file, or a link to one.
        public var isRegular: Bool
    }

    /// What a scan met.
    public struct Contents: Sendable {
        /// Everything that is named .mp3, folder by folder.
        public var entries: [Entry] = []
        /// Folders and links that could not be read, with the reason.
        public var unreadable: [(path: RelativePath, reason: String)] = []
        /// All folders met, the music folder itself as nil.
        public var folders: [RelativePath?] = []
    }

    /// Walks through the folder and all folders in it.
    ///
    /// Links to files and folders are followed; a folder that was met already, by whatever way, is not entered again,
    /// so that links in a circle end. The trash is left out. Nothing but directories is read.
    /// - Parameter isCancelled: asked before each folder; true ends the walk with what was met so far.
    public func scan(isCancelled: () -> Bool = { false }) -> Contents {
        scan(below: nil, isCancelled: isCancelled)
    }

    /// The same for one folder in it, and all folders in that.
    func scan(below folder: RelativePath?, isCancelled: () -> Bool = { false }) -> Contents {
        var contents = Contents()
        var visited: Set<[UInt64]> = []
        // A link to the trash does not lead into it either.
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

    /// Whether any file named .mp3 was changed in the last seconds, and may still be being written.
    public func hasFilesChanged(withinSeconds seconds: Double) -> Bool {
        let limit = Int((Date().timeIntervalSince1970 - seconds) * 1e9)
        return scan().entries.contains { $0.file.modificationTimeNanoseconds > limit }
    }

    /// Whether some process has the file open for writing, as far as the system tells: it tells the file's owner and
    /// root, of files on this machine's own disks.
    func isBeingWritten(_ entry: Entry) -> Bool {
        guard entry.isRegular else { return false }
        let descriptor = Self.withPath(absolutePath(of: entry.path)) {
            open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A read lease (fcntl(2)) is refused while a writer has the file open. Whoever opens it for writing while we hold
        // the lease waits a moment, and we are sent a signal: one that does nothing.
        _ = fcntl(descriptor, Self.setLeaseSignal, SIGURG)
        guard fcntl(descriptor, Self.setLease, Int32(F_RDLCK)) != 0 else {
            _ = fcntl(descriptor, Self.setLease, Int32(F_UNLCK))
            return false
        }
        return errno == EAGAIN
    }

    /// `F_SETLEASE` and `F_SETSIG` of Linux, which the C library shows to GNU sources only.
    private static let setLease: Int32 = 1024
    private static let setLeaseSignal: Int32 = 10

    /// Reads one folder; gives the folders in it.
    private func read(
        _ folder: RelativePath?, visited: inout Set<[UInt64]>, into contents: inout Contents
    ) -> [RelativePath] {
        let path = folder.map(absolutePath(of:)) ?? pathBytes
        guard let directory = Self.withPath(path, opendir) else {
            if let folder { contents.unreadable.append((folder, Self.reason(errno))) }
            return []
        }
        defer { closedir(directory) }
        var own = stat()
        guard fstat(dirfd(directory), &own) == 0,
            visited.insert([UInt64(own.st_dev), UInt64(own.st_ino)]).inserted
        else { return [] }
        contents.folders.append(folder)

        var names: [[UInt8]] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
        }
        var subfolders: [RelativePath] = []
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let bytes = folder.map { $0.bytes + [UInt8(ascii: "/")] + name } ?? name
            guard let path = RelativePath(bytes: bytes), !Self.isTrash(bytes) else { continue }
            var status = stat()
            let isMP3 = Self.isNamedMP3(name)
            guard Self.withPath(name, { fstatat(dirfd(directory), $0, &status, 0) }) == 0 else {
                // A link that leads nowhere or in a circle matters only if it is to be music.
                if isMP3 { contents.unreadable.append((path, Self.reason(errno))) }
                continue
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                subfolders.append(path)
            } else if isMP3 {
                contents.entries.append(
                    Entry(
                        path: path, file: FileState(status), isRegular: status.st_mode & S_IFMT == S_IFREG))
            }
        }
        return subfolders
    }

    static func isNamedMP3(_ name: [UInt8]) -> Bool {
        // macOS leaves "._name.mp3" beside a file on foreign disks: attributes, not sound.
        !name.starts(with: [0x2E, 0x5F]) && name.count > 4
            && name.suffix(4).map { $0 | 0x20 } == Array(".mp3".utf8)
    }

    /// Calls with a path or name that ends with NUL.
    static func withPath<Result>(_ path: some Sequence<UInt8>, _ body: (UnsafePointer<CChar>) -> Result)
        -> Result
    {
        (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("the array is never empty") }
            return body(base)
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
