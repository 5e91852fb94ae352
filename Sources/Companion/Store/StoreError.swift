/// Why the store could not do its work, where the database itself is not at fault (that is a `DatabaseError`).
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The data folder cannot be made or used.
        public static let dataFolder = Code(rawValue: "data_folder")
        /// Another pass is running on the same data folder.
        public static let passRunning = Code(rawValue: "pass_running")
        /// A row holds what this program never writes.
        public static let damagedRow = Code(rawValue: "damaged_row")
        /// The library is a slim copy, without the details of the analyses.
        public static let slimCopy = Code(rawValue: "slim_copy")
        /// The music folder is not there, no folder or cannot be read.
        public static let musicFolder = Code(rawValue: "music_folder")
        /// The music folder holds no MP3.
        public static let noMusic = Code(rawValue: "no_music")
        /// There is no such track, album or playlist.
        public static let notFound = Code(rawValue: "not_found")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, for a person to read.
    public let message: String
    /// The file it is about, if it is about one.
    public let path: String?

    /// Makes an error.
    public init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// The file and the message.
    public var description: String { path.map { "\($0): \(message)" } ?? message }
}
