package import LibraryStore
package import Tagging

/// The reason why the tags of a file were not edited. In every case the file is unchanged.
package struct TagEditError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        package let rawValue: String
        /// Creates a code from its name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// A value is not allowed in a tag; ``TagEditError/field`` is the field.
        package static let invalidValue = Code(rawValue: "invalid_value")
        /// The file's tags are damaged or too large, so an edit would lose data.
        package static let unsupportedTag = Code(rawValue: "unsupported_tag")
        /// There is no such file.
        package static let notFound = Code(rawValue: "not_found")
        /// The path leads out of the music folder through a link.
        package static let outsideMusicFolder = Code(rawValue: "outside_music_folder")
        /// The path is a folder, a pipe or a device.
        package static let notARegularFile = Code(rawValue: "not_a_regular_file")
        /// The file contains no audio in a supported format.
        package static let noAudio = Code(rawValue: "no_audio")
        /// The file or its folder may not be written.
        package static let readOnly = Code(rawValue: "read_only")
        /// The file belongs to a user or group that this process cannot give the new file to.
        package static let cannotKeepOwner = Code(rawValue: "cannot_keep_owner")
        /// Another edit is in progress, or a program is writing the file.
        package static let busy = Code(rawValue: "busy")
        /// The file is not in the expected state (ETag mismatch).
        package static let stateDiffers = Code(rawValue: "state_differs")
        /// Another program changed the file during the edit.
        package static let changedMeanwhile = Code(rawValue: "changed_meanwhile")
        /// The disk, the quota or the file size limit has no space for the new file.
        package static let noSpace = Code(rawValue: "no_space")
        /// The file could not be read.
        package static let readFailed = Code(rawValue: "read_failed")
        /// The file could not be written, for another reason.
        package static let writeFailed = Code(rawValue: "write_failed")
        /// The new file would not contain the same audio.
        package static let audioWouldChange = Code(rawValue: "audio_would_change")
        /// ``TagEditError/field`` would not read back with the requested value.
        package static let valueNotKept = Code(rawValue: "value_not_kept")
    }

    /// The kind of failure.
    package let code: Code
    /// A readable explanation.
    package let message: String
    /// The file; nil if the edit itself is invalid.
    package let path: RelativePath?
    /// The field that the error is about, if any.
    package let field: TagField?

    /// Creates an error.
    package init(_ code: Code, _ message: String, path: RelativePath? = nil, field: TagField? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.field = field
    }

    init(_ error: TaggingError, path: RelativePath) {
        let code: Code =
            switch error.code {
            case .invalidValue: .invalidValue
            case .unsupportedTag: .unsupportedTag
            case .notARegularFile: .notARegularFile
            default: .readFailed
            }
        self.init(code, error.message, path: path, field: error.field)
    }

    /// The file and the message.
    package var description: String { path.map { "\($0.text): \(message)" } ?? message }
}
