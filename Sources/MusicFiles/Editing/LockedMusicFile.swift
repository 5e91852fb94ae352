internal import Analyzer
internal import FileSystem
internal import LibraryStore

/// A file of the music folder, opened and locked for an edit, and its folder.
///
/// All names are looked up relative to that folder, which was opened from the music folder step by step
/// without following links, so nothing outside is touched even if someone puts a link in the way in the
/// meantime.
final class LockedMusicFile {
    let path: RelativePath
    /// The folder that contains the file itself, after resolving links.
    let folder: Folder
    /// Name of the file in that folder.
    let name: [UInt8]
    let descriptor: FileDescriptor
    let status: FileStatus

    var state: FileState { FileState(status) }
    var hasFurtherNames: Bool { status.linkCount > 1 }

    /// Opens the file and locks it against other edits.
    /// - Throws: `notFound`, `outsideMusicFolder`, `notARegularFile`, `readOnly`, `busy`, `readFailed`.
    init(_ path: RelativePath, in music: MusicFolder) throws(TagEditError) {
        func opening<Value: ~Copyable>(
            _ body: () throws(SystemError) -> Value
        ) throws(TagEditError) -> Value {
            try SystemError.map(to: { Self.notOpened($0, path) }, body)
        }
        let resolved = try opening { () throws(SystemError) in try music.resolvedParts(of: path) }
        guard let resolved, let last = resolved.last else {
            throw TagEditError(.outsideMusicFolder, "is outside the music folder", path: path)
        }
        let (folder, name) = (
            try opening { () throws(SystemError) in
                try Folder(music.pathBytes).folder(along: resolved.dropLast())
            }, Array(last)
        )
        self.path = path
        self.folder = folder
        self.name = name
        descriptor = try opening { () throws(SystemError) in try folder.open(name) }
        status = try descriptor.status(or: { Self.notOpened($0, path) })
        guard status.kind == .file else {
            throw TagEditError(.notARegularFile, "is not a regular file", path: path)
        }
        // Root may write read-only files too, but a file is marked read-only on purpose.
        guard status.permissions & 0o222 != 0, folder.isWritable(name) else {
            throw TagEditError(.readOnly, "is read-only", path: path)
        }
        // Some network file systems do not support locks; there, the check before the rename has to do.
        guard (try? descriptor.lock(.exclusive)) ?? true else {
            throw TagEditError(.busy, "is already being edited", path: path)
        }
    }

    /// Verifies that the file has not changed since it was opened, and still has its name.
    /// - Throws: `changedMeanwhile`.
    func verifyUnchanged() throws(TagEditError) {
        guard let own = try? descriptor.status(), FileState(own) == state,
            let named = try? folder.status(of: name), named.identity == status.identity
        else {
            throw TagEditError(.changedMeanwhile, "was changed by another program", path: path)
        }
    }

    private static func notOpened(_ error: SystemError, _ path: RelativePath) -> TagEditError {
        switch error.kind {
        case .notFound: TagEditError(.notFound, "does not exist", path: path)
        case .notAFolder:
            TagEditError(
                .outsideMusicFolder, "is a link that was just created, or a loop of links", path: path)
        default: TagEditError(.readFailed, "cannot be opened: \(error)", path: path)
        }
    }
}
