internal import Foundation

/// The folder that holds what the program knows: the databases, and the lock of a running pass.
public struct DataFolder: Sendable, Hashable {
    /// The folder's path.
    public let path: String
    /// The folder of the visualizer frames, which are large and can be made again: the same, or one of its own.
    public let framesPath: String

    /// Takes a folder, and makes it if it is not there.
    /// - Parameter frames: a folder of its own for visualizer frames.
    /// - Throws: `dataFolder` if there is something else of this name, or the system refuses.
    public init(path: String, frames: String? = nil) throws(StoreError) {
        self.path = path
        framesPath = frames ?? path
        for folder in [path, framesPath] {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            } catch {
                throw StoreError(
                    .dataFolder, "cannot make the data folder: \(error.localizedDescription)", path: folder)
            }
        }
    }

    /// Catalogue and analyses.
    public var libraryDatabase: String { "\(path)/library.sqlite" }
    /// Visualizer frames.
    public var visualizerDatabase: String { "\(framesPath)/visualizer.sqlite" }
    /// Stars, ratings, play counts and history.
    public var listeningDatabase: String { "\(path)/listening.sqlite" }
    /// What is to be analysed, and what has happened.
    public var workDatabase: String { "\(path)/work.sqlite" }
    /// Tells which programs work on what is to be analysed.
    public var workLock: String { "\(path)/work.lock" }
    /// The lock of a running pass.
    public var passLock: String { "\(path)/pass.lock" }
}
