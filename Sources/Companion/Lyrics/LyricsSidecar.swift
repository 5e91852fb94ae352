internal import Analyzer
import Foundation
internal import MusicShared

/// The `.lrc` file beside a track: of the track's name, in any case.
struct LyricsSidecar {
    /// Where it lies.
    let path: RelativePath
    /// What it holds; nil of a file that is no regular one, leads out of the music folder or is larger than
    /// ``LyricsLimits/sourceBytes``.
    let bytes: [UInt8]?

    /// The name that a new one gets.
    static func name(for track: RelativePath) -> [UInt8] { stem(of: track) + Array(".lrc".utf8) }

    /// Finds the one of a track.
    static func find(for track: RelativePath, in music: MusicFolder, _ folder: OpenDescriptor)
        -> LyricsSidecar?
    {
        guard let name = candidates(for: track, in: folder).first,
            let path = RelativePath(
                bytes: (track.folder.map { $0.bytes + [UInt8(ascii: "/")] } ?? []) + name)
        else { return nil }
        return LyricsSidecar(path: path, bytes: music.opened(file: path).flatMap(read))
    }

    /// A name for its state, never the same for two contents.
    var stateName: String {
        let bytes = path.bytes + [0] + (bytes ?? [])
        return AudioHash(of: bytes.span.bytes).description
    }

    /// Puts a new one in the place of the old one, if there is one, so that at any moment the file is the old or the new.
    /// - Parameter like: the file whose owner and rights the new one gets: the old one, or else the track.
    static func write(
        _ bytes: [UInt8], name: [UInt8], in folder: OpenDescriptor, like status: stat
    ) throws(LyricsError) {
        let temporary = EditCopyName.random()
        let descriptor = MusicFolder.withPath(temporary) {
            openat(folder.number, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        }
        guard descriptor >= 0 else { throw notWritten(errno) }
        let file = OpenDescriptor(descriptor)
        // Whoever finds it without lock knows it for a leftover.
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
            // Only root may give files away; whoever may not keeps it.
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
        // If this fails the old file may come back after a loss of power: a whole file either way.
        _ = fsync(folder.number)
    }

    /// Deletes one.
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
            return LyricsError(.noSpace, "There is no room for the lyrics file: \(reason).")
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

    /// Names of files that could be meant, the one written most alike first.
    private static func candidates(for track: RelativePath, in folder: OpenDescriptor) -> [[UInt8]] {
        let exact = name(for: track)
        var status = stat()
        if MusicFolder.withPath(exact, { fstatat(folder.number, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 {
            return [exact]
        }
        // A second descriptor: the stream closes its own, and moves its place.
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
