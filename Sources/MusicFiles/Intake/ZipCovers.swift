internal import FileSystem
internal import Foundation
internal import LibraryStore

/// The covers of a zip until their albums are known: the best of each folder of the zip.
///
/// A cover belongs to the tracks in the same folder of the zip, or, if that folder has no tracks, to those in
/// its subfolders. It is stored in the destination folder of these tracks, if that is a single folder which
/// contains one album and has no cover yet.
struct ZipCovers {
    /// Maximum size of a cover in bytes.
    static let mostBytes = 20 << 20

    /// An unpacked cover.
    struct Cover {
        let file: StagedFile
        let name: [UInt8]
        let rank: Int
        /// Index in the list of results.
        let index: Int
    }

    /// By folder in the zip, with a trailing slash; empty for the top level.
    private var covers: [String: Cover] = [:]
    private var tracks: [(folder: String, path: RelativePath)] = []

    /// The folder of an entry, with a trailing slash.
    static func folder(of entry: String) -> String {
        String(entry[..<(entry.lastIndex(of: "/").map { entry.index(after: $0) } ?? entry.startIndex)])
    }

    /// Whether a picture is better than the current cover of its folder.
    func wants(_ entry: String, rank: Int) -> Bool {
        covers[Self.folder(of: entry)].map { rank < $0.rank } ?? true
    }

    /// Sets the cover of a folder.
    /// - Returns: the cover that it replaces.
    mutating func take(_ cover: Cover, from entry: String) -> Cover? {
        covers.updateValue(cover, forKey: Self.folder(of: entry))
    }

    /// Records the path of a track in the music folder.
    mutating func note(_ result: IntakeResult, from entry: String) {
        switch result.outcome {
        case .stored(let path, _), .duplicate(let path, _):
            tracks.append((Self.folder(of: entry), path))
        case .refused, .ignored, .cover: break
        }
    }

    /// The covers and their destination folders.
    var places: [(cover: Cover, folder: RelativePath)] {
        covers.sorted { $0.key < $1.key }.compactMap { folder, cover in
            var own = tracks.filter { $0.folder == folder }
            if own.isEmpty { own = tracks.filter { $0.folder.hasPrefix(folder) } }
            let places = Set(own.map(\.path.folder))
            guard places.count == 1, let place = places.first, let place else { return nil }
            return (cover, place)
        }
    }

    /// Whether a file starts with a JPEG or PNG signature.
    static func isPicture(_ file: StagedFile) -> Bool {
        let beginning = file.beginning(8)
        return beginning.starts(with: [0xFF, 0xD8, 0xFF])
            || beginning == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    }
}

extension MusicIntake {
    /// Moves covers into the folders of their albums.
    func place(_ covers: ZipCovers, _ results: inout [IntakeResult]) {
        for (cover, folder) in covers.places {
            guard let path = try? place(cover, in: folder) else { continue }
            results[cover.index].outcome = .cover(path)
        }
    }

    /// - Returns: nil if the folder already has a cover or contains more than one album.
    private func place(_ cover: ZipCovers.Cover, in place: RelativePath) throws -> RelativePath? {
        try cover.file.finish()
        guard try library.holdsOneAlbum(place) else { return nil }
        let names = place.bytes.split(separator: 0x2F).map { Array($0) }
        let folder = try Folder(music.pathBytes).folder(along: names)
        guard !folder.names().contains(where: { CoverFileName.rank($0) != nil }) else { return nil }
        try? Files.setPermissions(Files.newFilePermissions, of: cover.file.path)
        let isThere = try FileMove.move(
            cover.file.name, in: cover.file.folder, to: cover.name, in: folder)
        return isThere ? RelativePath(bytes: place.bytes + [0x2F] + cover.name) : nil
    }
}
