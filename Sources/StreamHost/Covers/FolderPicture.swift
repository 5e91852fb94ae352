internal import Companion
internal import Foundation
internal import HTTPServer

/// Finds a picture file in a track's folder, by the names of ``CoverFileName``.
struct FolderPicture {
    let music: MusicFolder

    /// Opens the picture in a track's folder; nil if no picture is found.
    ///
    /// Symbolic links must lead to files within the music folder: a user with write access to it must not be
    /// able to expose other files of this machine.
    func file(beside track: RelativePath) -> HTTPFile? {
        let folder = track.folder.map(music.absolutePath(of:)) ?? music.pathBytes
        for name in candidates(in: folder) {
            guard let path = Self.resolved(folder + [UInt8(ascii: "/")] + name),
                path.starts(with: music.pathBytes + [UInt8(ascii: "/")]),
                let file = try? HTTPFile(pathBytes: path), file.byteCount > 0
            else { continue }
            return file
        }
        return nil
    }

    /// Returns the names of candidate pictures, best first.
    private func candidates(in folder: [UInt8]) -> [[UInt8]] {
        guard let directory = opendir(folder.map { CChar(bitPattern: $0) } + [0]) else { return [] }
        defer { closedir(directory) }
        var found: [(rank: Int, name: [UInt8])] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if let rank = CoverFileName.rank(name) { found.append((rank, name)) }
        }
        return found.sorted { a, b in
            a.rank == b.rank ? a.name.lexicographicallyPrecedes(b.name) : a.rank < b.rank
        }.map(\.name)
    }

    /// Returns the path with all symbolic links resolved.
    private static func resolved(_ path: [UInt8]) -> [UInt8]? {
        guard let resolved = realpath(path.map { CChar(bitPattern: $0) } + [0], nil) else { return nil }
        defer { free(resolved) }
        return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) }
    }
}
