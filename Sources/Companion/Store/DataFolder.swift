internal import Foundation

/// The folder that holds what the program knows: the databases, and the lock of a running pass.
public struct DataFolder: Sendable, Hashable {
    /// The folder's path.
    public let path: String

    /// Takes a folder, and makes it if it is not there.
    /// - Throws: `dataFolder` if there is something else of this name, or the system refuses.
    public init(path: String) throws(StoreError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw StoreError(
                .dataFolder, "cannot make the data folder: \(error.localizedDescription)", path: path)
        }
    }

    /// Catalogue and analyses.
    public var libraryDatabase: String { "\(path)/library.sqlite" }
    /// Visualizer frames.
    public var visualizerDatabase: String { "\(path)/visualizer.sqlite" }
    /// Stars, ratings, play counts and history.
    public var listeningDatabase: String { "\(path)/listening.sqlite" }
    /// The lock of a running pass.
    public var passLock: String { "\(path)/pass.lock" }
}
