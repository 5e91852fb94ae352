internal import APIDescription
internal import Analyzer
internal import CoverImage
internal import Foundation
internal import HTTPServer
internal import LibraryStore
package import MusicFiles
internal import Tagging
internal import Threads

/// Finds covers: the picture in a file's tags (front cover first), otherwise a picture in its folder.
///
/// Results are cached for as long as a file is unchanged, so a page of small covers costs one `stat` per file
/// rather than reading its content.
package final class CoverFinder: Sendable {
    /// Maximum size of a picture in bytes; the same limit as the tag reader's.
    package static let byteLimit = 64 << 20
    /// Maximum number of cached results.
    private static let capacity = 20_000

    /// Identifies one state of a file.
    private struct FileKey: Hashable {
        let path: [UInt8]
        let inode: UInt64
        let size: Int
        let nanoseconds: Int64
    }

    private let music: MusicFolder
    private let folderPicture: FolderPicture
    private let known = Memo<FileKey, Result<Picture.Identity?, CoverImageError>>(capacity: capacity)

    package init(music: MusicFolder) {
        self.music = music
        folderPicture = FolderPicture(music: music)
    }

    /// Returns the cover of the first source that has one; nil if none has.
    /// - Throws: `CoverImageError` if the only pictures found are invalid.
    func picture(_ sources: [CoverSource]) throws -> Picture? {
        var failure: CoverImageError?
        var folders: Set<RelativePath?> = []
        for source in sources where source.hasEmbeddedCover {
            do throws(CoverImageError) {
                if let picture = try embedded(music.absolutePath(of: source.path.audioFile)) {
                    return picture
                }
            } catch {
                failure = error
            }
        }
        for source in sources where folders.insert(source.path.audioFile.folder).inserted {
            guard let file = folderPicture.file(beside: source.path.audioFile) else { continue }
            do throws(CoverImageError) {
                if let picture = try picture(file) { return picture }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// Reads a picture.
    /// - Throws: `tooLarge` for more than 64 MiB; 404 if the file no longer exists.
    func bytes(of picture: Picture) throws -> [UInt8] {
        switch picture.source {
        case .tags(let path):
            guard let cover = try? EmbeddedCover.read(from: path) else { throw Self.gone }
            return cover.data
        case .file(let file):
            return try Self.bytes(of: file)
        }
    }

    private func embedded(_ path: [UInt8]) throws(CoverImageError) -> Picture? {
        // The tags are only read if the file's state is not in the cache.
        guard let file = try? HTTPFile(pathBytes: path) else { return nil }
        let identity = try remembered(file, path) { () throws(CoverImageError) in
            guard let cover = try? EmbeddedCover.read(from: path) else { return nil }
            return try Picture.Identity(cover.data)
        }
        return identity.map { Picture(source: .tags(path), identity: $0) }
    }

    private func picture(_ file: HTTPFile) throws(CoverImageError) -> Picture? {
        let identity = try remembered(file, Array(file.path.utf8)) { () throws(CoverImageError) in
            guard let bytes = try Self.content(of: file) else { return nil }
            return try Picture.Identity(bytes)
        }
        return identity.map { Picture(source: .file(file), identity: $0) }
    }

    private func remembered(
        _ file: HTTPFile, _ path: [UInt8],
        _ look: () throws(CoverImageError) -> Picture.Identity?
    ) throws(CoverImageError) -> Picture.Identity? {
        let key = FileKey(
            path: path, inode: file.inode, size: file.byteCount, nanoseconds: file.modificationNanoseconds)
        return try known.value(for: key) { Result(catching: look) }.get()
    }

    private static var gone: HTTPError {
        APIError.noCover("The cover no longer exists.")
    }

    private static func bytes(of file: HTTPFile) throws -> [UInt8] {
        guard let bytes = try content(of: file) else { throw gone }
        return bytes
    }

    /// Reads a file; nil if it cannot be read.
    private static func content(of file: HTTPFile) throws(CoverImageError) -> [UInt8]? {
        guard file.byteCount <= byteLimit else {
            throw CoverImageError(.tooLarge, "the picture is larger than \(byteLimit >> 20) MiB")
        }
        return try? file.content()
    }
}
