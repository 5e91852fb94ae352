internal import FileSystem

/// The reason why a file was not added to the music folder. No part of it has been stored then.
package struct IntakeError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// The file is empty.
        package static let empty = Code(rawValue: "empty_file")
        /// The file is no audio in a supported format.
        package static let noAudio = Code(rawValue: "no_audio")
        /// The end of the file is missing.
        package static let truncated = Code(rawValue: "truncated")
        /// The audio cannot be decoded.
        package static let undecodable = Code(rawValue: "undecodable")
        /// The file is larger than the limit.
        package static let tooLarge = Code(rawValue: "file_too_large")
        /// There are more files than one request may contain.
        package static let tooManyFiles = Code(rawValue: "too_many_files")
        /// The disk is full.
        package static let noSpace = Code(rawValue: "no_space")
        /// A value is not allowed in a tag; ``IntakeError/field`` is the field.
        package static let invalidValue = Code(rawValue: "invalid_value")
        /// The file's tags are damaged and cannot be edited.
        package static let tagsNotWritten = Code(rawValue: "tags_not_written")
        /// The naming pattern is invalid.
        package static let badPattern = Code(rawValue: "bad_pattern")
        /// The destination folder's name belongs to a link or a file.
        package static let folderBlocked = Code(rawValue: "folder_blocked")
        /// The music folder is read-only.
        package static let readOnly = Code(rawValue: "read_only")
        /// The file could not be written, for another reason.
        package static let writeFailed = Code(rawValue: "write_failed")
        /// The zip is damaged.
        package static let damagedArchive = Code(rawValue: "damaged_archive")
        /// A file in the zip cannot be read.
        package static let unreadableEntry = Code(rawValue: "unreadable_entry")
        /// A zip inside a zip is not unpacked.
        package static let nestedArchive = Code(rawValue: "nested_archive")
        /// The zip unpacks to far more than music would.
        package static let archiveBomb = Code(rawValue: "archive_bomb")
        /// There is no upload with this id, or it has expired.
        package static let noUpload = Code(rawValue: "no_such_upload")
        /// Another request is writing to the same upload.
        package static let uploadBusy = Code(rawValue: "upload_busy")
        /// The part does not start at the current offset.
        package static let wrongOffset = Code(rawValue: "wrong_offset")
        /// The limit of open uploads has been reached.
        package static let tooManyUploads = Code(rawValue: "too_many_uploads")
    }

    /// The kind of failure.
    package let code: Code
    /// A readable explanation.
    package let message: String
    /// The tag field that the error is about, if any.
    package let field: String?

    /// Creates an error.
    package init(_ code: Code, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }

    /// The message.
    package var description: String { message }

    /// Converts an error from writing `subject`.
    static func system(_ error: SystemError, _ subject: String) -> IntakeError {
        switch error.kind {
        case .noSpace: IntakeError(.noSpace, "No disk space for \(subject): \(error)")
        case .notPermitted: IntakeError(.readOnly, "No permission to write \(subject): \(error)")
        case .notAFolder: IntakeError(.folderBlocked, "\(subject) is not a folder: \(error)")
        default: IntakeError(.writeFailed, "\(subject) could not be written: \(error)")
        }
    }

    /// Calls a closure that writes `subject`, and converts its errors.
    static func writing<Value: ~Copyable>(
        _ subject: @autoclosure () -> String, _ body: () throws(SystemError) -> Value
    ) throws(IntakeError) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(error, subject()) }
    }

    /// Calls a closure that writes the entry `name` of a folder, and converts its errors.
    static func writing<Value: ~Copyable>(
        _ name: [UInt8], _ body: () throws(SystemError) -> Value
    ) throws(IntakeError) -> Value {
        try writing(String(decoding: name, as: UTF8.self), body)
    }
}
