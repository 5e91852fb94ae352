internal import Analyzer
import Foundation
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
    static func find(for track: RelativePath, in music: MusicFolder, _ folder: OpenDescriptor)
        -> LyricsSidecar?
    {
        guard let name = candidates(for: track, in: folder).first,
            let path = RelativePath(
                bytes: (track.folder.map { $0.bytes + [UInt8(ascii: "/")] } ?? []) + name)
        else { return nil }
        return LyricsSidecar(path: path, bytes: music.opened(file: path).flatMap(read))
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
        _ bytes: [UInt8], name: [UInt8], in folder: OpenDescriptor, like status: stat
    ) throws(LyricsError) {
        let temporary = ReplacementName.random()
        let descriptor = MusicFolder.withPath(temporary) {
            openat(folder.number, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        }
        guard descriptor >= 0 else { throw notWritten(errno) }
        let file = OpenDescriptor(descriptor)
        // An unlocked file is known to be left over.
        flock(descriptor, LOCK_EX | LOCK_NB)
        do throws(LyricsError) {
            var start = 0
            while start < bytes.count {
                let written = bytes[start...].withUnsafeBytes {
                    Foundation.write(file.number, $0.baseAddress, $0.count)
                }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw notWritten(errno) }
                start += written
            }
            // Only root can change the owner; otherwise the current user keeps the file.
            _ = fchown(descriptor, status.st_uid, status.st_gid)
            guard fchmod(descriptor, status.st_mode & 0o666) == 0, fsync(descriptor) == 0 else {
                throw notWritten(errno)
            }
            let renamed = MusicFolder.withPath(temporary) { from in
                MusicFolder.withPath(name) { renameat(folder.number, from, folder.number, $0) }
            }
            guard renamed == 0 else { throw notWritten(errno) }
        } catch {
            _ = MusicFolder.withPath(temporary) { unlinkat(folder.number, $0, 0) }
            throw error
        }
        // If this fails, a power loss may bring the old file back: a complete file either way.
        _ = fsync(folder.number)
    }

    /// Deletes the file.
    static func remove(name: [UInt8], in folder: OpenDescriptor) throws(LyricsError) {
        guard MusicFolder.withPath(name, { unlinkat(folder.number, $0, 0) }) == 0 else {
            throw notWritten(errno)
        }
        _ = fsync(folder.number)
    }

    private static func notWritten(_ code: Int32) -> LyricsError {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            return LyricsError(.noSpace, "There is no disk space for the lyrics file: \(reason).")
        case EACCES, EPERM, EROFS:
            return LyricsError(.readOnly, "The lyrics file cannot be written: \(reason).")
        default: return LyricsError(.systemFailed, "The lyrics file cannot be written: \(reason).")
        }
    }

    private static func read(_ file: OpenDescriptor) -> [UInt8]? {
        let limit = LyricsLimits.sourceBytes + 1
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        var count = 0
        while count < limit {
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
            let read = bytes[count...].withUnsafeMutableBytes {
                Foundation.read(file.number, $0.baseAddress, $0.count)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { return nil }
            if read == 0 { break }
            count += read
        }
        return count < limit ? Array(bytes[..<count]) : nil
    }

    /// Names of matching files, the closest match first.
    private static func candidates(for track: RelativePath, in folder: OpenDescriptor) -> [[UInt8]] {
        let exact = name(for: track)
        var status = stat()
        if MusicFolder.withPath(exact, { fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 {
            return [exact]
        }
        // A second descriptor: the stream closes it and moves its position.
        let own = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return [] }
        guard let directory = fdopendir(own) else {
            close(own)
            return []
        }
        defer { closedir(directory) }
        let stem = stem(of: track)
        let folded = folded(stem)
        var found: [[UInt8]] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.count > 4, name.suffix(4).map({ $0 | 0x20 }) == Array(".lrc".utf8),
                Self.folded(Array(name.dropLast(4))) == folded
            else { continue }
            found.append(name)
        }
        return found.sorted { a, b in
            let (isA, isB) = (a.starts(with: stem), b.starts(with: stem))
            return isA == isB ? a.lexicographicallyPrecedes(b) : isA
        }
    }

    private static func stem(of track: RelativePath) -> [UInt8] {
        let name = track.bytes[((track.bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
        // Every track ends with .mp3.
        return Array(name.dropLast(4))
    }

    private static func folded(_ name: [UInt8]) -> [UInt8] {
        guard let text = String(validating: name, as: UTF8.self) else {
            return name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        }
        return Array(text.lowercased().precomposedStringWithCanonicalMapping.utf8)
    }
}
