public import Tagging

/// Why the tags of a file were not edited. Whatever the reason, the file is as it was.
public struct TagEditError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A value cannot stand in a tag; ``TagEditError/field`` says which.
        public static let invalidValue = Code(rawValue: "invalid_value")
        /// The file's tags are damaged or too large, so that an edit would lose something.
        public static let unsupportedTag = Code(rawValue: "unsupported_tag")
        /// There is no such file.
        public static let notFound = Code(rawValue: "not_found")
        /// The path leads, by a link, out of the music folder.
        public static let outsideMusicFolder = Code(rawValue: "outside_music_folder")
        /// It is a folder, a pipe or a device.
        public static let notARegularFile = Code(rawValue: "not_a_regular_file")
        /// The file holds no MP3 audio.
        public static let notMP3 = Code(rawValue: "not_mp3")
        /// The file or its folder may not be written.
        public static let readOnly = Code(rawValue: "read_only")
        /// The file belongs to somebody whom this program cannot make the owner of the new file.
        public static let cannotKeepOwner = Code(rawValue: "cannot_keep_owner")
        /// Another edit is under way, or a program is writing the file.
        public static let busy = Code(rawValue: "busy")
        /// The file is not in the state that the edit was made for.
        public static let stateDiffers = Code(rawValue: "state_differs")
        /// Another program changed the file during the edit.
        public static let changedMeanwhile = Code(rawValue: "changed_meanwhile")
        /// The disk, the quota or the limit on file sizes leaves no room for the new file.
        public static let noSpace = Code(rawValue: "no_space")
        /// The disk refused to give the bytes.
        public static let readFailed = Code(rawValue: "read_failed")
        /// The system refused to write, for a reason of its own.
        public static let writeFailed = Code(rawValue: "write_failed")
        /// The new file would not hold the same audio.
        public static let audioWouldChange = Code(rawValue: "audio_would_change")
        /// Read back, ``TagEditError/field`` would not say what it should.
        public static let valueNotKept = Code(rawValue: "value_not_kept")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, for a person to read.
    public let message: String
    /// The file; nil if the edit itself is at fault.
    public let path: RelativePath?
    /// The field, if it is about one.
    public let field: TagField?

    /// Makes an error.
    public init(_ code: Code, _ message: String, path: RelativePath? = nil, field: TagField? = nil) {
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
    public var description: String { path.map { "\($0.text): \(message)" } ?? message }
}
