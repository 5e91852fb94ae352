internal import Analyzer
internal import Companion
internal import CoverImage
internal import Foundation
internal import HTTPServer
internal import Synchronization
internal import Tagging

/// Finds covers: the picture in a file's tags, the front cover first, or else a picture in its folder.
///
/// What a file's picture is, is remembered as long as the file stays as it is, so that a page of small covers costs a look
/// at each file's state and not its content.
final class CoverFinder: Sendable {
    /// The most bytes of a picture: as many as the tag reader takes.
    static let byteLimit = 64 << 20
    /// Pictures remembered.
    private static let capacity = 20_000

    /// A file in a state.
    private struct FileKey: Hashable {
        let path: [UInt8]
        let inode: UInt64
        let size: Int
        let nanoseconds: Int64
    }

    private let music: MusicFolder
    private let folderPicture: FolderPicture
    private let known = Mutex<[FileKey: Result<Picture.Identity?, CoverImageError>]>([:])

    init(music: MusicFolder) {
        self.music = music
        folderPicture = FolderPicture(music: music)
    }

    /// The cover to be found at the first of some sources that has one; nil if none has.
    /// - Throws: `CoverImageError` where there are only pictures that are none.
    func picture(_ sources: [CoverSource]) throws -> Picture? {
        var failure: CoverImageError?
        var folders: Set<RelativePath?> = []
        for source in sources where source.hasEmbeddedCover {
            do throws(CoverImageError) {
                if let picture = try embedded(music.absolutePath(of: source.path)) { return picture }
            } catch {
                failure = error
            }
        }
        for source in sources where folders.insert(source.path.folder).inserted {
            guard let file = folderPicture.file(beside: source.path) else { continue }
            do throws(CoverImageError) {
                if let picture = try picture(file) { return picture }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// All bytes of a picture.
    /// - Throws: `tooLarge` for more than 64 MiB; 404 where the file has gone.
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
        // The tags are only read if a look at the file does not tell.
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
        if let result = known.withLock({ $0[key] }) { return try result.get() }
        let result = Result(catching: look)
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
            known[key] = result
        }
        return try result.get()
    }

    private static var gone: HTTPError {
        HTTPError(.notFound, code: "no_cover", message: "The cover has gone.")
    }

    private static func bytes(of file: HTTPFile) throws -> [UInt8] {
        guard let bytes = try content(of: file) else { throw gone }
        return bytes
    }

    /// The content of a file; nil if it cannot be read.
    private static func content(of file: HTTPFile) throws(CoverImageError) -> [UInt8]? {
        guard file.byteCount <= byteLimit else {
            throw CoverImageError(.tooLarge, "the picture has more than \(byteLimit >> 20) MiB")
        }
        return try? file.content()
    }
}
