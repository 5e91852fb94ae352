package import CoverImage
internal import FileSystem
package import HTTPServer

/// A disk cache of scaled covers.
package final class CoverCache: Sendable {
    /// Default capacity in bytes.
    package static let standardCapacity = 256 << 20
    /// Incremented when scaling produces different results; files of other versions are ignored.
    private static let version = 1

    private let files: FileCache

    /// - Parameters:
    ///   - folder: Created when the first cover is stored.
    ///   - capacity: Maximum total size in bytes.
    package init(folder: String, capacity: Int = standardCapacity) {
        files = FileCache(folder: folder, capacity: capacity)
    }

    /// Returns a cover from the cache; nil if it is not cached.
    package func file(_ picture: String, step: Int) -> (file: HTTPFile, format: PictureFormat)? {
        for format in [PictureFormat.jpeg, .png] {
            let name = name(picture, step, format)
            guard let file = try? HTTPFile(path: files.path(of: name)), file.byteCount > 0 else { continue }
            files.noteUse(of: name)
            return (file, format)
        }
        return nil
    }

    /// Stores a scaled cover. A full or read-only disk is not an error: the cover is scaled again next time.
    package func store(_ bytes: [UInt8], _ format: PictureFormat, of picture: String, step: Int) {
        try? files.store(name(picture, step, format)) { try $0.descriptor.write(bytes) }
    }

    private func name(_ picture: String, _ step: Int, _ format: PictureFormat) -> String {
        "\(picture)-\(step)-\(Self.version).\(format.rawValue)"
    }
}
