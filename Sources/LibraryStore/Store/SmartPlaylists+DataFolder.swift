package import Foundation

extension SmartPlaylists {
    /// Creates the evaluation of a data folder.
    /// - Parameter clock: the time now.
    package convenience init(_ folder: DataFolder, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.init(library: folder.libraryDatabase, listening: folder.listeningDatabase, clock: clock)
    }
}
