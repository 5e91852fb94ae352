/// What became of one file of a batch: of edits, of fixes, of ReplayGain tags.
public struct EditResult: Codable, Sendable, Equatable {
    /// Why a file was left as it was.
    public struct Failure: Codable, Sendable, Equatable {
        /// The stable name of the reason's kind.
        public var code: String
        /// The reason, for a person to read.
        public var message: String
        /// The field at fault.
        public var field: String?

        /// Puts the parts together.
        public init(code: String, message: String, field: String? = nil) {
            self.code = code
            self.message = message
            self.field = field
        }
    }

    /// A change of one field.
    public struct Change: Codable, Sendable, Equatable {
        /// The name of the fix.
        public var fix: String
        /// The field, `tags` for the kinds of tag.
        public var field: String
        /// What stood, or stands, there; nil for nothing.
        public var before: String?
        /// What is to stand there; nil for nothing.
        public var after: String?

        /// Puts the parts together.
        public init(fix: String, field: String, before: String?, after: String?) {
            self.fix = fix
            self.field = field
            self.before = before
            self.after = after
        }
    }

    /// Path in the music folder; nil where only an unknown number was given.
    public var relativePath: String?
    /// Number of the track; nil where the library does not know the file.
    public var id: Int?
    /// What the status of an answer about this file alone would be: 200 where all is well.
    public var status: Int
    /// Whether the file was written anew, or would be by a dry run.
    public var changed = false
    /// Names the state of the file now.
    public var etag: String?
    /// What fixes change; nil for what is no fix.
    public var changes: [Change]?
    /// What became of ReplayGain tags: `written`, `right`, `existing`, `not_analysed`, `silent`; nil for all else.
    public var outcome: String?
    /// The ReplayGain values; nil for all else.
    public var replayGain: ReplayGainValues?
    /// Why the file was left as it was; nil where all is well.
    public var error: Failure?

    /// Makes a result.
    public init(relativePath: String?, id: Int? = nil, status: Int = 200) {
        self.relativePath = relativePath
        self.id = id
        self.status = status
    }

    private enum CodingKeys: String, CodingKey {
        case id, status, changed, etag, changes, outcome, error
        case relativePath = "relative_path"
        case replayGain = "replay_gain"
    }
}
