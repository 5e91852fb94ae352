import Foundation
public import MusicShared
internal import Tagging

/// The trash of a music folder: `.trash` in it, which no scan enters. An entry is a folder in it, whose name tells when the
/// file came; in that the file has the path that it had in the music folder. So the trash needs no list, and nothing
/// in it is ever replaced.
///
/// The library keeps the track, its places in playlists and its analysis. All calls block while the disk works.
public final class MusicTrash: Sendable {
    private let intake: MusicIntake
    private var music: MusicFolder { intake.music }

    /// The trash of the folder that files are taken into.
    public init(_ intake: MusicIntake) { self.intake = intake }

    /// Puts a track's file into the trash.
    /// - Throws: ``TrashError`` `noFile`, `folderBlocked` where the path leads over a link, `busy`, `readOnly`, `noSpace`.
    public func put(_ path: RelativePath) throws(TrashError) -> TrashItem {
        guard music.entry(at: path) != nil else {
            throw TrashError(.noFile, "There is no file \(path.text).")
        }
        let (folders, name) = Self.split(path)
        let trashName = TrashName()
        let byteCount = try Self.trashing {
            let root = try OpenFolder.at(music.pathBytes)
            let folder = try root.folder(along: folders, creates: false)
            let descriptor = MusicFolder.withPath(name) {
                openat(folder.descriptor, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            }
            guard descriptor >= 0 else { throw IntakeError.system(errno, path.text) }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw TrashError(.folderBlocked, "\(path.text) is not a regular file.")
            }
            // An edit holds its file locked.
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                throw TrashError(.busy, "\(path.text) is being edited.")
            }
            let entry = try root.folder(MusicFolder.trashName, creates: true).folder(
                Array(trashName.text.utf8), creates: true)
            defer { Self.removeEmptyFolders(Array(trashName.text.utf8), in: self.folder(in: root)) }
            let target = try entry.folder(along: folders, creates: true)
            guard try FileMove.move(name, in: folder, to: name, in: target) else {
                throw TrashError(.failed, "The trash has an entry of this name already.")
            }
            return Int(status.st_size)
        }
        // If the library cannot be written, the next pass finds that the file has gone.
        let id = (try? intake.library.markUnavailable(path)) ?? nil
        intake.onChange([.removed(path, trackID: id)])
        return TrashItem(
            trashID: trashName.text, relativePath: path.text, fileSizeBytes: byteCount,
            trashedAt: trashName.date.timeIntervalSince1970, trackID: id)
    }

    /// What the trash holds, the newest first.
    public func list(limit: Int, offset: Int) -> CataloguePage<TrashItem> {
        guard let trash = folder() else {
            return CataloguePage(items: [], total: 0, limit: limit, offset: offset)
        }
        let names = Self.names(in: trash)
        let items = names.dropFirst(offset).prefix(limit).compactMap { item($0, in: trash) }
        return CataloguePage(items: items, total: names.count, limit: limit, offset: offset)
    }

    /// Gives a file the path back that it had.
    /// - Throws: ``TrashError`` `notInTrash`, `pathTaken`, `folderBlocked`, `readOnly`, `noSpace`.
    public func restore(_ id: String) throws(TrashError) -> RestoredTrack {
        guard let trashName = TrashName(id), let trash = folder(),
            let found = Self.file(of: trashName, in: trash)
        else { throw Self.notInTrash(id) }
        let (folders, name) = Self.split(found.path)
        let arrived = try Self.trashing {
            let source = try trash.folder(along: [Array(trashName.text.utf8)] + folders, creates: false)
            let target = try OpenFolder.at(music.pathBytes).folder(along: folders, creates: true)
            return try intake.arriving(at: found.path) {
                try FileMove.move(name, in: source, to: name, in: target)
            }
        }
        guard arrived.isThere else {
            throw TrashError(.pathTaken, "There is another file \(found.path.text) by now.")
        }
        let track = arrived.trackID
        Self.removeEmptyFolders(Array(trashName.text.utf8), in: trash)
        intake.onChange([.added(found.path, trackID: track)])
        return RestoredTrack(trackID: track, relativePath: found.path.text)
    }

    /// Deletes a file of the trash for good.
    /// - Throws: ``TrashError`` `notInTrash`.
    public func delete(_ id: String) throws(TrashError) {
        guard let name = TrashName(id), let trash = folder(), trash.status(of: Array(name.text.utf8)) != nil
        else { throw Self.notInTrash(id) }
        trash.remove(Array(name.text.utf8))
    }

    /// Deletes all that the trash holds for good.
    /// - Returns: how many entries that were.
    @discardableResult
    public func empty() -> Int {
        guard let trash = folder() else { return 0 }
        let names = Self.names(in: trash)
        for name in names { trash.remove(Array(name.text.utf8)) }
        return names.count
    }
}

extension MusicTrash {
    /// Folders on the way to a file in the trash.
    private static let deepest = 64

    private func folder() -> OpenFolder? {
        (try? OpenFolder.at(music.pathBytes)).flatMap { folder(in: $0) }
    }

    private func folder(in root: OpenFolder) -> OpenFolder? {
        try? root.folder(MusicFolder.trashName, creates: false)
    }

    private static func names(in trash: OpenFolder) -> [TrashName] {
        trash.names().compactMap { TrashName(String(decoding: $0, as: UTF8.self)) }
            .sorted { $0.text > $1.text }
    }

    /// The file that an entry holds, and the path that it had.
    private static func file(
        of name: TrashName, in trash: OpenFolder
    ) -> (path: RelativePath, status: stat)? {
        var folder = try? trash.folder(Array(name.text.utf8), creates: false)
        var parts: [[UInt8]] = []
        while let current = folder, parts.count < deepest {
            // Files before folders, so that one that somebody has put in does not lead astray.
            let found = current.names().compactMap { name in current.status(of: name).map { (name, $0) } }
            if let file = found.first(where: { $0.1.st_mode & S_IFMT == S_IFREG }) {
                let path = RelativePath(bytes: Array((parts + [file.0]).joined(separator: [0x2F])))
                return path.map { ($0, file.1) }
            }
            guard let next = found.first(where: { $0.1.st_mode & S_IFMT == S_IFDIR }) else { return nil }
            parts.append(next.0)
            folder = try? current.folder(next.0, creates: false)
        }
        return nil
    }

    private func item(_ name: TrashName, in trash: OpenFolder) -> TrashItem? {
        guard let file = Self.file(of: name, in: trash) else { return nil }
        return TrashItem(
            trashID: name.text, relativePath: file.path.text, fileSizeBytes: Int(file.status.st_size),
            trashedAt: name.date.timeIntervalSince1970,
            trackID: (try? intake.library.trackState(of: file.path))?.trackID)
    }

    /// Deletes a folder and those in it as far as they hold no file.
    private static func removeEmptyFolders(_ name: [UInt8], in parent: OpenFolder?) {
        guard let parent, let folder = try? parent.folder(name, creates: false) else { return }
        for inner in folder.names() { removeEmptyFolders(inner, in: folder) }
        _ = MusicFolder.withPath(name) { unlinkat(parent.descriptor, $0, AT_REMOVEDIR) }
    }

    private static func split(_ path: RelativePath) -> (folders: [[UInt8]], name: [UInt8]) {
        let parts = path.bytes.split(separator: 0x2F).map { Array($0) }
        return (parts.dropLast(), parts.last ?? [])
    }

    private static func notInTrash(_ id: String) -> TrashError {
        TrashError(.notInTrash, "The trash holds nothing of this identifier.")
    }

    private static func trashing<Value>(_ body: () throws -> Value) throws(TrashError) -> Value {
        do {
            return try body()
        } catch let error as TrashError {
            throw error
        } catch let error as IntakeError {
            throw TrashError(error)
        } catch {
            throw TrashError(.failed, "\(error)")
        }
    }
}
