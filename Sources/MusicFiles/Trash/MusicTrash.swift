internal import FileSystem
internal import Foundation
package import LibraryStore
package import MusicShared
internal import Tagging

/// The trash of a music folder: its folder `.trash`, which scans skip. Each entry is a subfolder whose name
/// contains the time of deletion; in it the file has the same path as in the music folder. So the trash needs
/// no index, and nothing in it is ever overwritten.
///
/// The library keeps the track, its playlist entries and its analysis. All methods block on disk access.
package final class MusicTrash: Sendable {
    private let intake: MusicIntake
    var music: MusicFolder { intake.music }

    /// Creates the trash of the music folder of an intake.
    package init(_ intake: MusicIntake) { self.intake = intake }

    /// Checks that a track has a file of its own, since a part of a file cannot be removed from it.
    /// - Throws: ``TrashError`` `partOfFile`.
    func requireOwnFile(_ path: RelativePath) throws(TrashError) {
        if let track = path.sheetTrack {
            throw TrashError(
                .partOfFile,
                "\(path.text) is track \(track.number) of the cue sheet of \(track.file.text). Its file has further tracks; "
                    + "delete it in the music folder if you want to remove all of them.")
        }
    }

    /// Moves a track's file to the trash.
    /// - Throws: ``TrashError`` `partOfFile`, `noFile`, `folderBlocked` if the path contains a link, `busy`, `readOnly`,
    ///   `noSpace`.
    package func put(_ path: RelativePath) throws(TrashError) -> TrashItem {
        try requireOwnFile(path)
        guard music.entry(at: path) != nil else {
            throw TrashError(.noFile, "The file \(path.text) does not exist.")
        }
        let (folders, name) = Self.split(path)
        let trashName = TrashName()
        let byteCount = try Self.trashing {
            let root = try Folder(music.pathBytes)
            let folder = try root.folder(along: folders)
            let file = try folder.open(name)
            let status = try file.status()
            guard status.kind == .file else {
                throw TrashError(.folderBlocked, "\(path.text) is not a regular file.")
            }
            // An edit keeps its file locked.
            guard (try? file.lock(.exclusive)) ?? true else {
                throw TrashError(.busy, "\(path.text) is being edited.")
            }
            let entry = try root.folder(MusicFolder.trashName, creating: 0o777).folder(
                trashName.text, creating: 0o777)
            defer { Self.removeEmptyFolders(Array(trashName.text.utf8), in: self.folder(in: root)) }
            let target = try entry.folder(along: folders, creating: 0o777)
            guard try FileMove.move(name, in: folder, to: name, in: target) else {
                throw TrashError(.failed, "The trash already has an entry with this name.")
            }
            return status.byteCount
        }
        // If the library cannot be written, the next pass finds the file missing.
        let id = (try? intake.library.markUnavailable(path)) ?? nil
        intake.onChange([.removed(path, trackID: id)])
        return TrashItem(
            trashID: trashName.text, relativePath: path.text, fileSizeBytes: byteCount,
            trashedAt: trashName.date.timeIntervalSince1970, trackID: id)
    }

    /// A page of the trash's entries, the newest first.
    package func list(limit: Int, offset: Int) -> CataloguePage<TrashItem> {
        guard let trash = folder() else {
            return CataloguePage(items: [], total: 0, limit: limit, offset: offset)
        }
        let names = Self.names(in: trash).filter { Self.file(of: $0, in: trash) != nil }
        let items = names.dropFirst(offset).prefix(limit).compactMap { item($0, in: trash) }
        return CataloguePage(items: items, total: names.count, limit: limit, offset: offset)
    }

    /// Moves a file back to its original path.
    /// - Throws: ``TrashError`` `notInTrash`, `pathTaken`, `folderBlocked`, `readOnly`, `noSpace`.
    package func restore(_ id: String) throws(TrashError) -> RestoredTrack {
        guard let trashName = TrashName(id), let trash = folder(),
            let found = Self.file(of: trashName, in: trash)
        else { throw Self.notInTrash(id) }
        let (folders, name) = Self.split(found.path)
        let arrived: (isThere: Bool, trackID: Int?)
        do {
            arrived = try Self.trashing {
                let source = try trash.folder(along: [Array(trashName.text.utf8)] + folders)
                let target = try Folder(music.pathBytes).folder(along: folders, creating: 0o777)
                return try intake.arriving(at: found.path) {
                    try FileMove.move(name, in: source, to: name, in: target)
                }
            }
        } catch {
            // Another request may have restored or deleted it in the meantime.
            throw Self.file(of: trashName, in: trash) == nil ? Self.notInTrash(id) : error
        }
        guard arrived.isThere else {
            guard Self.file(of: trashName, in: trash) != nil else { throw Self.notInTrash(id) }
            throw TrashError(.pathTaken, "Another file now exists at \(found.path.text).")
        }
        let track = arrived.trackID
        Self.removeEmptyFolders(Array(trashName.text.utf8), in: trash)
        intake.onChange([.added(found.path, trackID: track)])
        return RestoredTrack(trackID: track, relativePath: found.path.text)
    }

    /// Deletes a file in the trash permanently.
    /// - Throws: ``TrashError`` `notInTrash`.
    package func delete(_ id: String) throws(TrashError) {
        guard let name = TrashName(id), let trash = folder(), (try? trash.status(of: name.text)) != nil
        else { throw Self.notInTrash(id) }
        trash.removeAll(name.text)
    }

    /// Deletes everything in the trash permanently.
    /// - Returns: the number of deleted files.
    @discardableResult
    package func empty() -> Int {
        guard let trash = folder() else { return 0 }
        let names = Self.names(in: trash)
        let count = names.count { Self.file(of: $0, in: trash) != nil }
        for name in names { trash.removeAll(name.text) }
        return count
    }
}

extension MusicTrash {
    /// Maximum depth of folders in an entry.
    private static let deepest = 64

    private func folder() -> Folder? {
        (try? Folder(music.pathBytes)).flatMap { folder(in: $0) }
    }

    private func folder(in root: Folder) -> Folder? { try? root.folder(MusicFolder.trashName) }

    private static func names(in trash: Folder) -> [TrashName] {
        trash.names().compactMap { TrashName(String(decoding: $0, as: UTF8.self)) }
            .sorted { $0.text > $1.text }
    }

    /// The file of an entry, and its original path.
    private static func file(
        of name: TrashName, in trash: Folder
    ) -> (path: RelativePath, status: FileStatus)? {
        var folder = try? trash.folder(name.text)
        var parts: [[UInt8]] = []
        while let current = folder, parts.count < deepest {
            // Files before folders, so that a folder added by someone else does not mislead.
            let found = current.names().compactMap { name in
                (try? current.status(of: name)).map { (name, $0) }
            }
            if let file = found.first(where: { $0.1.kind == .file }) {
                let path = RelativePath(bytes: Array((parts + [file.0]).joined(separator: [0x2F])))
                return path.map { ($0, file.1) }
            }
            guard let next = found.first(where: { $0.1.kind == .folder }) else { return nil }
            parts.append(next.0)
            folder = try? current.folder(next.0)
        }
        return nil
    }

    private func item(_ name: TrashName, in trash: Folder) -> TrashItem? {
        guard let file = Self.file(of: name, in: trash) else { return nil }
        return TrashItem(
            trashID: name.text, relativePath: file.path.text, fileSizeBytes: file.status.byteCount,
            trashedAt: name.date.timeIntervalSince1970,
            trackID: (try? intake.library.trackState(of: file.path))?.trackID)
    }

    /// Deletes a folder and its subfolders if they contain no files.
    private static func removeEmptyFolders(_ name: [UInt8], in parent: Folder?) {
        guard let parent, let folder = try? parent.folder(name) else { return }
        for inner in folder.names() { removeEmptyFolders(inner, in: folder) }
        try? parent.removeEmptyFolder(name)
    }

    private static func split(_ path: RelativePath) -> (folders: [[UInt8]], name: [UInt8]) {
        let parts = path.bytes.split(separator: 0x2F).map { Array($0) }
        return (parts.dropLast(), parts.last ?? [])
    }

    private static func notInTrash(_ id: String) -> TrashError {
        TrashError(.notInTrash, "The trash has no entry with this id.")
    }

    private static func trashing<Value>(_ body: () throws -> Value) throws(TrashError) -> Value {
        do {
            return try body()
        } catch let error as TrashError {
            throw error
        } catch let error as IntakeError {
            throw TrashError(error)
        } catch let error as SystemError {
            throw TrashError(.system(error, "the file or the trash"))
        } catch {
            throw TrashError(.failed, "\(error)")
        }
    }
}
