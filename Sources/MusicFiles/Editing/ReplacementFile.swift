internal import Analyzer
internal import FileSystem
internal import LibraryStore
internal import OggAudio
internal import Tagging

/// The new file of an edit, next to the old one until it replaces it. If it does not, it is deleted when the
/// last reference goes.
final class ReplacementFile {
    /// Spare space in bytes that the new file may need for its directory entry and its attributes.
    private static let spaceMargin = 1 << 20

    private let file: LockedMusicFile
    private let new: PendingFile
    /// The descriptor of the new file, valid as long as this object.
    var number: Int32 { new.descriptor.number }

    /// Creates an empty file with the original's owner, mode and attributes.
    /// - Throws: `noSpace`, `readOnly`, `cannotKeepOwner`, `writeFailed`.
    init(of file: LockedMusicFile, byteCount: Int) throws(TagEditError) {
        guard file.folder.descriptor.freeBytes ?? .max >= byteCount + Self.spaceMargin else {
            throw TagEditError(
                .noSpace, "needs \(byteCount) bytes of free disk space to be edited", path: file.path)
        }
        let (path, status) = (file.path, file.status)
        let new = try SystemError.map(to: { Self.notWritten($0, path) }) { () throws(SystemError) in
            try PendingFile(in: file.folder)
        }
        self.file = file
        self.new = new
        let own = try new.descriptor.status(or: { Self.notWritten($0, path) })
        if own.owner != status.owner || own.group != status.group {
            try SystemError.map(to: { _ in
                TagEditError(
                    .cannotKeepOwner, "belongs to a user or group that the new file cannot be given to",
                    path: path)
            }) { () throws(SystemError) in
                try new.descriptor.setOwner(status.owner, group: status.group)
            }
        }
        try SystemError.map(to: { Self.notWritten($0, path) }) { () throws(SystemError) in
            try file.descriptor.copyAttributes(to: new.descriptor)
            try new.descriptor.setPermissions(status.permissions)
        }
    }

    /// Writes the new file and syncs it to disk.
    /// - Throws: `noSpace`, `readFailed`, `changedMeanwhile`, `writeFailed`.
    func write(_ rewrite: TagRewrite) throws(TagEditError) {
        let old = try rewrite.renumbering.map { _ throws(TagEditError) in try mapped() }
        do throws(SystemError) {
            try new.descriptor.write(rewrite.leading)
            try file.descriptor.copy(rewrite.kept, to: new.descriptor)
            try new.descriptor.write(rewrite.trailing)
            if let old { try renumber(rewrite, old) }
            try new.descriptor.sync()
        } catch {
            guard error != .endsEarly else {
                throw TagEditError(.changedMeanwhile, "was truncated during the edit", path: file.path)
            }
            throw Self.notWritten(error, file.path)
        }
    }

    private func mapped() throws(TagEditError) -> MappedFile {
        do throws(AnalyzerError) {
            return try MappedFile(descriptor: file.descriptor.number)
        } catch {
            throw TagEditError(.readFailed, error.message, path: file.path)
        }
    }

    /// Gives the pages that were copied their new numbers. That the old file did not change meanwhile is verified later.
    private func renumber(_ rewrite: TagRewrite, _ old: MappedFile) throws(SystemError) {
        guard let renumbering = rewrite.renumbering else { return }
        let pages = OggRenumbering(serial: renumbering.serial, shift: renumbering.shift)
        let moved = rewrite.leading.count - rewrite.kept.lowerBound
        try old.withBytes { bytes throws(SystemError) in
            let range = rewrite.kept.clamped(to: 0..<bytes.byteCount)
            try pages.forEachPatch(bytes, in: range) { patch throws(SystemError) in
                try new.descriptor.write(patch.bytes, at: patch.offset + moved)
            }
        }
    }

    /// Renames the new file over the old one; its modification time always differs from the old file's.
    /// - Throws: `changedMeanwhile`, `readOnly`, `writeFailed`.
    /// - Returns: the new file's state.
    func takePlace() throws(TagEditError) -> FileState {
        let state = try SystemError.map(to: { Self.notWritten($0, file.path) }) {
            () throws(SystemError) in
            let own = try new.descriptor.status()
            guard own.modificationNanoseconds == file.state.modificationTimeNanoseconds else {
                return FileState(own)
            }
            // The kernel's clock for file times ticks a few hundred times a second: two edits may fall within
            // one tick.
            let later = own.modificationNanoseconds + 1_000_000
            try new.descriptor.setTimes(accessNanoseconds: later, modificationNanoseconds: later)
            return FileState(try new.descriptor.status())
        }
        try file.verifyUnchanged()
        try SystemError.map(to: { Self.notWritten($0, file.path) }) { () throws(SystemError) in
            try new.replace(file.name)
        }
        return state
    }

    private static func notWritten(_ error: SystemError, _ path: RelativePath) -> TagEditError {
        switch error.kind {
        case .noSpace:
            TagEditError(.noSpace, "has no space for its new version: \(error)", path: path)
        case .notPermitted: TagEditError(.readOnly, "cannot be replaced: \(error)", path: path)
        default: TagEditError(.writeFailed, "could not be written: \(error)", path: path)
        }
    }
}
