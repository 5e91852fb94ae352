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

    init(_ settings: EffectiveSettings) {
        path = settings[\.data]
        frames = settings[\.frames]
    }

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
