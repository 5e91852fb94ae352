import Companion
import Foundation

/// `--data DIR`: where the databases live.
struct DataOption {
    var path = "./data"

    /// The folder, made if need be.
    func folder() throws -> DataFolder { try DataFolder(path: path) }

    /// The folder, which must be there: nothing is made by commands that only look.
    func existingFolder() throws -> DataFolder {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError(
                .notFound, "no such data folder: analyse a music folder first, or name another by --data",
                path: path)
        }
        return try DataFolder(path: path)
    }
}
