import Companion
import Foundation
import Settings

/// Where the databases live, as the settings say.
struct DataOption {
    /// The settings that commands take which only look.
    static let names: Set<String> = ["config", "data", "frames"]

    private let path: String
    private let frames: String?

    init(_ settings: SettingsInForce) {
        path = settings[\.data]
        frames = settings[\.frames]
    }

    /// The folder, made if need be.
    func folder() throws -> DataFolder { try DataFolder(path: path, frames: frames) }

    /// The folder, which must be there: nothing is made by commands that only look.
    func existingFolder() throws -> DataFolder {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError(
                .notFound, "no such data folder: analyse a music folder first, or name another by --data",
                path: path)
        }
        return try folder()
    }
}
