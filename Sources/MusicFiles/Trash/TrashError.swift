/// The reason why a file could not be moved to or from the trash. It has not been moved.
package struct TrashError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// There is no such track, or its file is missing.
        package static let noFile = Code(rawValue: "file_missing")
        /// The trash has no entry with this id.
        package static let notInTrash = Code(rawValue: "not_in_trash")
        /// Another file now exists at the path.
        package static let pathTaken = Code(rawValue: "path_taken")
        /// A folder on the path is a link or a file.
        package static let folderBlocked = Code(rawValue: "folder_blocked")
        /// The file is being edited.
        package static let busy = Code(rawValue: "busy")
        /// The music folder is read-only.
        package static let readOnly = Code(rawValue: "read_only")
        /// The disk is full.
        package static let noSpace = Code(rawValue: "no_space")
        /// A file is not the one that was analysed.
        package static let changed = Code(rawValue: "changed_meanwhile")
        /// The track is a part of a file, which has further tracks.
        package static let partOfFile = Code(rawValue: "part_of_file")
        /// The operation failed for another reason.
        package static let failed = Code(rawValue: "trash_failed")
    }

    /// The kind of failure.
    package let code: Code
    /// A readable explanation.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
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
    package var description: String { message }
}
