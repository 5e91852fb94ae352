internal import Companion
internal import Foundation
internal import HTTPServer

/// Finds the picture that lies beside a track: `cover`, `folder`, `front` or `album`, as `.jpg`, `.jpeg` or `.png`, in any
/// case.
struct FolderPicture {
    private static let names = ["cover", "folder", "front", "album"]
    private static let suffixes = ["jpg", "jpeg", "png"]

    let music: MusicFolder

    /// The picture in the folder of a track, opened; nil if there is none.
    ///
    /// A link is followed only to what is in the music folder: whoever may write there must not be able to have other
    /// files of this machine handed out.
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

    /// Names of pictures, the best first.
    private func candidates(in folder: [UInt8]) -> [[UInt8]] {
        guard let directory = opendir(folder.map { CChar(bitPattern: $0) } + [0]) else { return [] }
        defer { closedir(directory) }
        var found: [(rank: Int, name: [UInt8])] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if let rank = Self.rank(name) { found.append((rank, name)) }
        }
        return found.sorted { a, b in
            a.rank == b.rank ? a.name.lexicographicallyPrecedes(b.name) : a.rank < b.rank
        }.map(\.name)
    }

    /// How good a name is, 0 the best; nil for other files.
    static func rank(_ name: [UInt8]) -> Int? {
        let parts = String(decoding: name, as: UTF8.self).lowercased()
            .split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = names.firstIndex(of: String(parts[0])),
            let second = suffixes.firstIndex(of: String(parts[1]))
        else { return nil }
        return first * suffixes.count + second
    }

    /// The path without links.
    private static func resolved(_ path: [UInt8]) -> [UInt8]? {
        guard let resolved = realpath(path.map { CChar(bitPattern: $0) } + [0], nil) else { return nil }
        defer { free(resolved) }
        return UnsafeBufferPointer(start: resolved, count: strlen(resolved)).map { UInt8(bitPattern: $0) }
    }
}
