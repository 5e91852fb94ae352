import Companion

/// `--data DIR`: where the databases live.
struct DataOption {
    var path = "./data"

    /// The folder, made if need be.
    func folder() throws -> DataFolder { try DataFolder(path: path) }
}
