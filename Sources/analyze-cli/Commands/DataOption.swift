import Companion
import Foundation
import LibraryStore
import CommandLineProgram

/// The location of the databases, as configured.
struct DataOption {
    /// Settings accepted by read-only commands.
    static let names: Set<String> = ["config", "data", "frames"]

    private let path: String
    private let frames: String?

    /// - Parameter library: the path of a `library.sqlite`, or of its folder, which has precedence over the settings.
    init(_ settings: EffectiveSettings, library: String? = nil) {
        path = library.map(Self.folder(ofLibrary:)) ?? settings[\.data]
        frames = settings[\.frames]
    }

    private static func folder(ofLibrary path: String) -> String {
        guard path.hasSuffix("library.sqlite") else { return path }
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        return folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }

    /// Whether there is a library.
    var hasLibrary: Bool { FileManager.default.fileExists(atPath: "\(path)/library.sqlite") }

    /// Returns the data folder, creating it if necessary.
    func folder() throws -> DataFolder { try DataFolder(path: path, frames: frames) }

    /// Returns the existing data folder: read-only commands create nothing.
    func existingFolder() throws -> DataFolder {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError(
                .notFound, "no such data folder: analyse a music folder first, or choose another with --data",
                path: path)
        }
        return try folder()
    }
}
