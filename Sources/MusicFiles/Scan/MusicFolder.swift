package import Analyzer
internal import FileSystem
internal import Foundation
package import LibraryStore
internal import MusicShared

/// A folder of music on disk.
package struct MusicFolder: Sendable {
    /// The folder's path in the file system, without a trailing slash.
    package let pathBytes: [UInt8]

    /// Opens a music folder.
    /// - Throws: `musicFolder` if there is no readable folder at this path.
    package init(path: String) throws(StoreError) { try self.init(bytes: Array(path.utf8)) }

    /// Opens a music folder by the file system's bytes, which need not be UTF-8.
    /// - Throws: `musicFolder` if there is no readable folder at this path.
    package init(bytes: [UInt8]) throws(StoreError) {
        let path = String(decoding: bytes, as: UTF8.self)
        let resolved: [UInt8]
        do throws(SystemError) {
            resolved = try Files.resolvedPath(of: bytes)
        } catch {
            throw StoreError(.musicFolder, "cannot be used as the music folder: \(error)", path: path)
        }
        guard (try? Files.status(of: resolved))?.kind == .folder else {
            throw StoreError(
                .musicFolder, "is not a folder; specify the folder that contains your music", path: path)
        }
        pathBytes = resolved
        do throws(SystemError) {
            try Files.checkReadable(folder: pathBytes)
        } catch {
            throw StoreError(.musicFolder, "cannot be read: \(error)", path: path)
        }
    }

    /// Top-level folder for files in the trash: scans skip it, and no path in it is a track.
    static let trashName = Array(".trash".utf8)

    /// Whether a path relative to this folder leads into the trash.
    static func isTrash(_ path: some Sequence<UInt8>) -> Bool {
        path.prefix { $0 != UInt8(ascii: "/") }.elementsEqual(trashName)
    }

    /// The folder's path for display.
    package var displayPath: String { String(decoding: pathBytes, as: UTF8.self) }

    /// The absolute path of a file in the folder.
    package func absolutePath(of path: RelativePath) -> [UInt8] {
        pathBytes + [UInt8(ascii: "/")] + path.bytes
    }

    /// A music file found by a scan.
    package struct Entry: Sendable {
        /// The file's path.
        package var path: RelativePath
        /// Its size and modification time.
        package var file: FileState
        /// Whether it is a regular file, or a link to one.
        package var isRegular: Bool
    }

    /// The result of a scan.
    package struct Contents: Sendable {
        /// All music files, folder by folder.
        package var entries: [Entry] = []
        /// Folders and links that could not be read completely, with the reason.
        package var unreadable: [(path: RelativePath, reason: String)] = []
        /// The reason why the music folder itself could not be read completely, if so.
        package var failure: String?
        /// Mount points, and links to folders on other file systems; nil is the music folder itself.
        package var mounted: Set<RelativePath?> = []
        /// All folders found; nil is the music folder itself.
        package var folders: [RelativePath?] = []
        /// The cue sheets of folders that contain some.
        package var cueSheets: [RelativePath?: FolderCueSheets] = [:]

        fileprivate mutating func append(_ other: Contents) {
            entries += other.entries
            unreadable += other.unreadable
            failure = failure ?? other.failure
            mounted.formUnion(other.mounted)
            folders += other.folders
            cueSheets.merge(other.cueSheets) { first, _ in first }
        }

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
    package func scan(isCancelled: () -> Bool = { false }) -> Contents {
        scan(below: nil, isCancelled: isCancelled)
    }

    /// Scans one subfolder recursively.
    package func scan(below folder: RelativePath?, isCancelled: () -> Bool = { false }) -> Contents {
        var all = Contents()
        visit(below: folder, isCancelled: isCancelled) { all.append($0) }
        return all
    }

    /// Scans a subfolder recursively, or the whole folder with nil, and passes on the contents of one folder after the other,
    /// so that memory does not grow with the number of files.
    package func visit(
        below folder: RelativePath? = nil, isCancelled: () -> Bool = { false },
        _ body: (Contents) throws -> Void
    ) rethrows {
        var visited: Set<FileStatus.Identity> = []
        // Links to the trash are not followed either.
        if let trash = try? Files.status(of: pathBytes + [UInt8(ascii: "/")] + Self.trashName) {
            visited.insert(trash.identity)
        }
        var pending: [RelativePath?] = [folder]
        while !isCancelled(), let folder = pending.popLast() {
            var contents = Contents()
            let subfolders = read(folder, visited: &visited, into: &contents)
            pending.append(contentsOf: subfolders.reversed().map { $0 })
            try body(contents)
        }
    }

    /// Whether any music file was changed in the last seconds, so that it may still be incomplete.
    package func hasFilesChanged(withinSeconds seconds: Double) -> Bool {
        let limit = Int((Date().timeIntervalSince1970 - seconds) * 1e9)
        return scan().entries.contains { $0.file.modificationTimeNanoseconds > limit }
    }

    /// Whether a process has the file open for writing, as far as the system reports it: it does so only to
    /// the file's owner and root, and for files on local disks.
    package func isBeingWritten(_ entry: Entry) -> Bool {
        guard entry.isRegular else { return false }
        let file = try? FileDescriptor.open(absolutePath(of: entry.path), for: .read, .nonBlocking)
        return file?.isOpenForWriting ?? false
    }

    /// Reads one folder and returns its subfolders.
    private func read(
        _ path: RelativePath?, visited: inout Set<FileStatus.Identity>, into contents: inout Contents
    ) -> [RelativePath] {
        let folder: Folder
        let own: FileStatus
        do throws(SystemError) {
            folder = try Folder(path.map(absolutePath(of:)) ?? pathBytes)
            own = try folder.descriptor.status()
        } catch {
            contents.note("\(error)", at: path)
            return []
        }
        guard visited.insert(own.identity).inserted else { return [] }
        contents.folders.append(path)
        if folder.descriptor.isMountRoot { contents.mounted.insert(path) }

        let (names, failure) = folder.entries()
        if let failure { contents.note("\(failure)", at: path) }
        let sheets = FolderCueSheets(names, in: folder)
        if !sheets.areNone { contents.cueSheets[path] = sheets }
        var subfolders: [RelativePath] = []
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let bytes = path.map { $0.bytes + [UInt8(ascii: "/")] + name } ?? name
            guard let path = RelativePath(bytes: bytes), !Self.isTrash(bytes) else { continue }
            let isMusic = Self.isMusicFile(named: name)
            let status: FileStatus
            do throws(SystemError) {
                status = try folder.status(of: name, followsLinks: true)
            } catch {
                // A broken link or a loop of links matters only if it is named like a music file. An entry that
                // cannot be examined for another reason may be a folder.
                if isMusic || ![.notFound, .notAFolder].contains(error.kind) {
                    contents.unreadable.append((path, "\(error)"))
                }
                continue
            }
            if status.kind == .folder {
                subfolders.append(path)
                if status.identity.device != own.identity.device { contents.mounted.insert(path) }
            } else if isMusic {
                contents.entries.append(
                    Entry(path: path, file: FileState(status), isRegular: status.kind == .file))
            }
        }
        return subfolders
    }

    /// Whether a file's name has the extension of a format that is accepted.
    package static func isMusicFile(named name: [UInt8]) -> Bool {
        // macOS creates "._name.mp3" next to a file on foreign disks: attributes, not audio.
        guard !name.starts(with: [0x2E, 0x5F]), let format = AudioFormat(fileName: name) else { return false }
        return AudioFormat.accepted.contains(format)
    }
}
