/// An edit of tags that can be undone.
public struct EditRecord: Codable, Sendable, Equatable {
    /// Origin of the edit.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// Values that a person gave, or that AcoustID found.
        case edit
        /// Fixes of common tag errors.
        case fix
        /// Measurements: ReplayGain, tempo, key.
        case measurements
    }

    /// A file of the edit.
    public struct File: Codable, Sendable, Equatable {
        /// Path relative to the music folder.
        public var relativePath: String
        /// Why its former values could not be restored; nil before the edit is undone.
        public var failure: String?
        /// Stable code of the error, such as `state_differs` for a file that has changed since; nil before the edit is undone.
        public var failureCode: String?

        /// Memberwise initializer.
        public init(relativePath: String, failure: String? = nil, failureCode: String? = nil) {
            self.relativePath = relativePath
            self.failure = failure
            self.failureCode = failureCode
        }

        private enum CodingKeys: String, CodingKey {
            case failure
            case relativePath = "relative_path"
            case failureCode = "failure_code"
        }
    }

    /// Maximum number of ``files``.
    public static let listedFiles = 3

    /// Identifies the edit.
    public var editID: Int
    /// Time of the edit, in seconds since 1970.
    public var madeAt: Double
    /// Origin.
    public var kind: Kind
    /// Names of the changed fields.
    public var fields: [String]
    /// Names of the fixes.
    public var fixes: [String]
    /// Number of files.
    public var fileCount: Int
    /// Number of files whose former values could not be restored.
    public var failedCount: Int
    /// The first files; those that could not be restored come first.
    public var files: [File]

    /// Memberwise initializer.
    public init(
        editID: Int, madeAt: Double, kind: Kind, fields: [String], fixes: [String], fileCount: Int,
        failedCount: Int, files: [File] = []
    ) {
        self.editID = editID
        self.madeAt = madeAt
        self.kind = kind
        self.fields = fields
        self.fixes = fixes
        self.fileCount = fileCount
        self.failedCount = failedCount
        self.files = files
    }

    private enum CodingKeys: String, CodingKey {
        case kind, fields, fixes, files
        case editID = "edit_id"
        case madeAt = "made_at"
        case fileCount = "file_count"
        case failedCount = "failed_count"
    }
}
