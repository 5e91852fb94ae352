/// Why a file was not put into the trash, or not taken out of it. It is where it was then.
public struct TrashError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no such track, or its file is gone.
        public static let noFile = Code(rawValue: "file_missing")
        /// The trash holds nothing of this identifier.
        public static let notInTrash = Code(rawValue: "not_in_trash")
        /// Something else has the path by now.
        public static let pathTaken = Code(rawValue: "path_taken")
        /// A folder on the way is a link or a file.
        public static let folderBlocked = Code(rawValue: "folder_blocked")
        /// The file is being edited.
        public static let busy = Code(rawValue: "busy")
        /// The music folder may not be written.
        public static let readOnly = Code(rawValue: "read_only")
        /// The disk leaves no room.
        public static let noSpace = Code(rawValue: "no_space")
        /// The system refused, for a reason of its own.
        public static let failed = Code(rawValue: "trash_failed")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, for a person to read.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: IntakeError) {
        let code: Code =
            switch error.code {
            case .folderBlocked: .folderBlocked
            case .readOnly: .readOnly
            case .noSpace: .noSpace
            default: .failed
            }
        self.init(code, error.message)
    }

    /// The message.
    public var description: String { message }
}
