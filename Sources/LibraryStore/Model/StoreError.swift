/// An error of the store that is not an error of the database itself (a `DatabaseError`).
package struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The data folder cannot be created or used.
        package static let dataFolder = Code(rawValue: "data_folder")
        /// Another pass is running on the same data folder.
        package static let passRunning = Code(rawValue: "pass_running")
        /// The data folder belongs to another music folder.
        package static let otherMusic = Code(rawValue: "other_music_folder")
        /// Another program uses the data folder.
        package static let dataFolderInUse = Code(rawValue: "data_folder_in_use")
        /// A row contains a value that this program never writes.
        package static let damagedRow = Code(rawValue: "damaged_row")
        /// The library is a slim copy, without the details of the analyses.
        package static let slimCopy = Code(rawValue: "slim_copy")
        /// The music folder does not exist, is not a folder or cannot be read.
        package static let musicFolder = Code(rawValue: "music_folder")
        /// The music folder contains no music files.
        package static let noMusic = Code(rawValue: "no_music")
        /// The folder is not one of the unavailable ones.
        package static let notUnavailable = Code(rawValue: "not_unavailable")
        /// The listening data is a copy of data that hosts share, which must be stated.
        package static let sharedListening = Code(rawValue: "shared_listening")
        /// There is no such track, album or playlist.
        package static let notFound = Code(rawValue: "not_found")
    }

    /// The kind of failure.
    package let code: Code
    /// A readable explanation.
    package let message: String
    /// The file or folder that the error is about, if any.
    package let path: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The file and the message.
    package var description: String { path.map { "\($0): \(message)" } ?? message }
}
