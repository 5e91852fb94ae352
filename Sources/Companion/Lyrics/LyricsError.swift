/// The reason why lyrics could not be read or changed. Nothing has been changed.
public struct LyricsError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The music folder has no MP3 file at this path.
        public static let noSuchTrack = Code(rawValue: "no_such_track")
        /// The track has no lyrics of the requested kind.
        public static let noLyrics = Code(rawValue: "no_lyrics")
        /// The lyrics have no times, but times are required.
        public static let notSynced = Code(rawValue: "not_synced")
        /// Lines, text or times cannot be stored; ``LyricsError/field`` is the invalid field.
        public static let invalidLyrics = Code(rawValue: "invalid_lyrics")
        /// The lyrics have changed (ETag mismatch).
        public static let stateDiffers = Code(rawValue: "changed_meanwhile")
        /// The change requires a condition (If-Match), and none was given.
        public static let conditionNeeded = Code(rawValue: "precondition_required")
        /// The folder or the file is read-only.
        public static let readOnly = Code(rawValue: "read_only")
        /// Another program is using the file.
        public static let busy = Code(rawValue: "busy")
        /// The disk is full.
        public static let noSpace = Code(rawValue: "no_space")
        /// Reading or writing failed for another reason.
        public static let systemFailed = Code(rawValue: "system_failed")
        /// The file's tags cannot be edited.
        public static let unsupportedTag = Code(rawValue: "unsupported_tag")
    }

    /// The kind of failure.
    public let code: Code
    /// A readable explanation.
    public let message: String
    /// The invalid field of the change, if any.
    public let field: String?

    /// Creates an error.
    public init(_ code: Code, _ message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }

    init(_ error: TagEditError) {
        let code: Code =
            switch error.code {
            case .notFound: .noSuchTrack
            case .stateDiffers, .changedMeanwhile: .stateDiffers
            case .busy: .busy
            case .noSpace: .noSpace
            case .readOnly, .cannotKeepOwner, .outsideMusicFolder: .readOnly
            case .unsupportedTag, .notMP3, .audioWouldChange, .valueNotKept: .unsupportedTag
            default: .systemFailed
            }
        self.init(code, "The tags cannot be edited: \(error.description)")
    }

    /// The message.
    public var description: String { message }
}
