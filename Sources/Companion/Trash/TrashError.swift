/// The reason why a file could not be moved to or from the trash. It has not been moved.
public struct TrashError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no such track, or its file is missing.
        public static let noFile = Code(rawValue: "file_missing")
        /// The trash has no entry with this id.
        public static let notInTrash = Code(rawValue: "not_in_trash")
        /// Another file now exists at the path.
        public static let pathTaken = Code(rawValue: "path_taken")
        /// A folder on the path is a link or a file.
        public static let folderBlocked = Code(rawValue: "folder_blocked")
        /// The file is being edited.
        public static let busy = Code(rawValue: "busy")
        /// The music folder is read-only.
        public static let readOnly = Code(rawValue: "read_only")
        /// The disk is full.
        public static let noSpace = Code(rawValue: "no_space")
        /// The operation failed for another reason.
        public static let failed = Code(rawValue: "trash_failed")
    }

    /// The kind of failure.
    public let code: Code
    /// A readable explanation.
    public let message: String

    /// Creates an error.
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
