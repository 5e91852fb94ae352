internal import Analyzer
internal import FileSystem
internal import Foundation
internal import LibraryStore
internal import MusicShared

/// The `.lrc` file next to a track, with the same name; case is ignored.
struct LyricsSidecar {
    /// Path of the file.
    let path: RelativePath
    /// Its content; nil if it is not a regular file, leads out of the music folder or is larger than
    /// ``LyricsLimits/sourceBytes``.
    let bytes: [UInt8]?

    /// The name for a new `.lrc` file.
    static func name(for track: RelativePath) -> [UInt8] { stem(of: track) + Array(".lrc".utf8) }

    /// Finds the `.lrc` file of a track.
    static func find(for track: RelativePath, in music: MusicFolder, _ folder: Folder)
        -> LyricsSidecar?
    {
        guard let name = candidates(for: track, in: folder).first,
            let path = RelativePath(
                bytes: (track.folder.map { $0.bytes + [UInt8(ascii: "/")] } ?? []) + name)
        else { return nil }
        return LyricsSidecar(path: path, bytes: read(path, in: music))
    }

    /// Identifies the file's state: differs for different contents.
    var stateName: String {
        let bytes = path.bytes + [0] + (bytes ?? [])
        return AudioHash(of: bytes.span.bytes).description
    }

    /// Writes the file, atomically replacing an existing one.
    /// - Parameter like: the status whose owner and permissions the new file gets: that of the old file, or
    ///   else of the track.
    static func write(
        _ bytes: [UInt8], name: [UInt8], in folder: Folder, like status: FileStatus
    ) throws(LyricsError) {
        do throws(SystemError) {
            let new = try PendingFile(in: folder)
            try new.descriptor.write(bytes)
            // Only root can change the owner; otherwise the current user keeps the file.
            try? new.descriptor.setOwner(status.owner, group: status.group)
            try new.descriptor.setPermissions(status.permissions & 0o666)
            try new.replace(name)
        } catch {
            throw notWritten(error)
        }
    }

    /// Deletes the file.
    static func remove(name: [UInt8], in folder: Folder) throws(LyricsError) {
        do throws(SystemError) {
            try folder.removeFile(name)
        } catch {
            throw notWritten(error)
        }
        try? folder.descriptor.sync()
    }

    private static func notWritten(_ error: SystemError) -> LyricsError {
        switch error.kind {
        case .noSpace: LyricsError(.noSpace, "There is no disk space for the lyrics file: \(error).")
        case .notPermitted: LyricsError(.readOnly, "The lyrics file cannot be written: \(error).")
        default: LyricsError(.systemFailed, "The lyrics file cannot be written: \(error).")
        }
    }

    private static func read(_ path: RelativePath, in music: MusicFolder) -> [UInt8]? {
        guard let file = try? music.open(file: path),
            let bytes = try? file.read(LyricsLimits.sourceBytes + 1),
            bytes.count <= LyricsLimits.sourceBytes
        else { return nil }
        return bytes
    }

    /// Names of matching files, the closest match first.
    private static func candidates(for track: RelativePath, in folder: Folder) -> [[UInt8]] {
        let exact = name(for: track)
        if (try? folder.status(of: exact)) != nil { return [exact] }
        let stem = stem(of: track)
        let folded = folded(stem)
        let found = folder.names().filter { name in
            name.count > 4 && name.suffix(4).map({ $0 | 0x20 }) == Array(".lrc".utf8)
                && Self.folded(Array(name.dropLast(4))) == folded
        }
        return found.sorted { a, b in
            let (isA, isB) = (a.starts(with: stem), b.starts(with: stem))
            return isA == isB ? a.lexicographicallyPrecedes(b) : isA
        }
    }

    private static func stem(of track: RelativePath) -> [UInt8] {
        let name = track.bytes[((track.bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
        return AudioFormat.stem(of: Array(name))
    }

    private static func folded(_ name: [UInt8]) -> [UInt8] {
        guard let text = String(validating: name, as: UTF8.self) else {
            return name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        }
        return Array(text.lowercased().precomposedStringWithCanonicalMapping.utf8)
    }
}
