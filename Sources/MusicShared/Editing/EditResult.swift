/// The outcome for one file of a batch: of edits, fixes or ReplayGain tags.
public struct EditResult: Codable, Sendable, Equatable {
    /// Why a file was not changed.
    public struct Failure: Codable, Sendable, Equatable {
        /// Stable error code.
        public var code: String
        /// Human-readable reason.
        public var message: String
        /// The field that caused the error, if any.
        public var field: String?

        /// Memberwise initializer.
        public init(code: String, message: String, field: String? = nil) {
            self.code = code
            self.message = message
            self.field = field
        }
    }

    /// A change to one field.
    public struct Change: Codable, Sendable, Equatable {
        /// Name of the fix.
        public var fix: String
        /// Name of the field; `tags` for the tag formats.
        public var field: String
        /// Old value; nil if empty.
        public var before: String?
        /// New value; nil if empty.
        public var after: String?

        /// Memberwise initializer.
        public init(fix: String, field: String, before: String?, after: String?) {
            self.fix = fix
            self.field = field
            self.before = before
            self.after = after
        }
    }

    /// Path relative to the music folder; nil if only an unknown track ID was given.
    public var relativePath: String?
    /// Track ID; nil if the file is not in the library.
    public var id: Int?
    /// HTTP status that a request for this file alone would get: 200 for success.
    public var status: Int
    /// Whether the file was rewritten, or would be in a dry run.
    public var changed = false
    /// Current ETag of the file.
    public var etag: String?
    /// Changes made by fixes; nil for other operations.
    public var changes: [Change]?
    /// Outcome for tags with measurements: `written`, `right`, `existing`, `not_analysed`, `silent`; nil for other operations.
    public var outcome: String?
    /// The ReplayGain values; nil for other operations.
    public var replayGain: ReplayGainValues?
    /// The tempo for the tags in beats per minute; nil if it is not written.
    public var bpm: Int?
    /// The key for the tags; nil if it is not written.
    public var initialKey: String?
    /// Why the file was not changed; nil on success.
    public var error: Failure?

    /// Creates a result without changes.
    public init(relativePath: String?, id: Int? = nil, status: Int = 200) {
        self.relativePath = relativePath
        self.id = id
        self.status = status
    }

    private enum CodingKeys: String, CodingKey {
        case id, status, changed, etag, changes, outcome, bpm, error
        case relativePath = "relative_path"
        case replayGain = "replay_gain"
        case initialKey = "initial_key"
    }
}
