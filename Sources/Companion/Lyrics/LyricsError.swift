/// Why lyrics could not be read or changed. What was there is as it was.
public struct LyricsError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure; further codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name of the code.
        public let rawValue: String
        /// Takes a code by name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The music folder has no MP3 of this path.
        public static let noSuchTrack = Code(rawValue: "no_such_track")
        /// The track has no lyrics, or none of the kind that is meant.
        public static let noLyrics = Code(rawValue: "no_lyrics")
        /// The lyrics have no times, where times are needed.
        public static let notSynced = Code(rawValue: "not_synced")
        /// Lines, text or times cannot be kept as they are; ``LyricsError/field`` says which.
        public static let invalidLyrics = Code(rawValue: "invalid_lyrics")
        /// The lyrics are not in the state that the change is meant for.
        public static let stateDiffers = Code(rawValue: "changed_meanwhile")
        /// The change means something for one state only, and none was named.
        public static let conditionNeeded = Code(rawValue: "precondition_required")
        /// The folder or the file may not be written.
        public static let readOnly = Code(rawValue: "read_only")
        /// Another program is at work on the file.
        public static let busy = Code(rawValue: "busy")
        /// The disk leaves no room.
        public static let noSpace = Code(rawValue: "no_space")
        /// The system refused to read or write, for a reason of its own.
        public static let systemFailed = Code(rawValue: "system_failed")
        /// The file's tags cannot be edited.
        public static let unsupportedTag = Code(rawValue: "unsupported_tag")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, for a person to read.
    public let message: String
    /// The field of the change at fault, if one is.
    public let field: String?

    /// Makes an error.
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
