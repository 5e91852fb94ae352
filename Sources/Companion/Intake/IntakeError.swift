internal import Foundation

/// Why a file was not taken into the music folder. Nothing of it is there then.
public struct IntakeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The file holds no byte.
        public static let empty = Code(rawValue: "empty_file")
        /// The file is no MP3 audio.
        public static let notMP3 = Code(rawValue: "not_mp3")
        /// The end of the file is missing.
        public static let truncated = Code(rawValue: "truncated")
        /// No decoder makes sound of it.
        public static let undecodable = Code(rawValue: "undecodable")
        /// The file is larger than what is taken.
        public static let tooLarge = Code(rawValue: "file_too_large")
        /// There are more files than are taken at a time.
        public static let tooManyFiles = Code(rawValue: "too_many_files")
        /// The disk leaves no room.
        public static let noSpace = Code(rawValue: "no_space")
        /// A value cannot stand in a tag; ``IntakeError/field`` says which.
        public static let invalidValue = Code(rawValue: "invalid_value")
        /// The file's tags are damaged, so that they cannot be edited.
        public static let tagsNotWritten = Code(rawValue: "tags_not_written")
        /// The pattern by which files are named is none.
        public static let badPattern = Code(rawValue: "bad_pattern")
        /// The folder that the file belongs in is a link or a file.
        public static let folderBlocked = Code(rawValue: "folder_blocked")
        /// The music folder may not be written.
        public static let readOnly = Code(rawValue: "read_only")
        /// The system refused to write, for a reason of its own.
        public static let writeFailed = Code(rawValue: "write_failed")
        /// The zip is damaged.
        public static let damagedArchive = Code(rawValue: "damaged_archive")
        /// A file in the zip cannot be read.
        public static let unreadableEntry = Code(rawValue: "unreadable_entry")
        /// A zip in a zip is not opened.
        public static let nestedArchive = Code(rawValue: "nested_archive")
        /// The zip grows far beyond what music would.
        public static let archiveBomb = Code(rawValue: "archive_bomb")
        /// There is no upload of this identifier, or it has run out.
        public static let noUpload = Code(rawValue: "no_such_upload")
        /// Another request is writing to the same upload.
        public static let uploadBusy = Code(rawValue: "upload_busy")
        /// The bytes are not those that come next.
        public static let wrongOffset = Code(rawValue: "wrong_offset")
        /// More uploads are open than are kept.
        public static let tooManyUploads = Code(rawValue: "too_many_uploads")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, for a person to read.
    public let message: String
    /// The field of the tags at fault, if it is about one.
    public let field: String?

    /// Makes an error.
    public init(_ code: Code, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }

    /// The message.
    public var description: String { message }

    /// What the system's number means for writing `subject`.
    static func system(_ number: Int32, _ subject: String) -> IntakeError {
        let reason = String(cString: strerror(number))
        switch number {
        case ENOSPC, EDQUOT, EFBIG:
            return IntakeError(.noSpace, "The disk leaves no room for \(subject): \(reason)")
        case EACCES, EPERM, EROFS:
            return IntakeError(.readOnly, "\(subject) may not be written: \(reason)")
        case ENOTDIR, ELOOP: return IntakeError(.folderBlocked, "\(subject) is no folder: \(reason)")
        default: return IntakeError(.writeFailed, "\(subject) could not be written: \(reason)")
        }
    }
}
