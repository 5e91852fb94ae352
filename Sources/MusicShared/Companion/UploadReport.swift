/// What became of the files of an upload: the content of the answer.
public struct UploadReport: Codable, Sendable, Equatable {
    /// Each file, in the order in which they came; those of a zip in the place of the zip.
    public var files: [UploadedFile]
    /// Files that are in the music folder now.
    public var storedCount: Int
    /// Files whose audio the music folder had already.
    public var duplicateCount: Int
    /// Files that were not taken.
    public var refusedCount: Int
    /// Files of a zip that are not said to be music.
    public var ignoredCount: Int
    /// Why nothing was taken; nil if something was.
    public var error: UploadFailure?

    /// Counts files.
    public init(files: [UploadedFile], error: UploadFailure? = nil) {
        self.files = files
        self.error = error
        func count(_ status: UploadedFile.Status) -> Int { files.count { $0.status == status } }
        storedCount = count(.stored)
        duplicateCount = count(.duplicate)
        refusedCount = count(.refused)
        ignoredCount = count(.ignored)
    }

    private enum CodingKeys: String, CodingKey {
        case files
        case storedCount = "stored_count"
        case duplicateCount = "duplicate_count"
        case refusedCount = "refused_count"
        case ignoredCount = "ignored_count"
        case error
    }
}

/// Why nothing of an upload was taken, in the form of all errors.
public struct UploadFailure: Codable, Sendable, Equatable {
    /// Name of the error, for programs.
    public var code: String
    /// What happened, for a person.
    public var message: String
    /// The field of the form at fault, if it is about one.
    public var field: String?

    /// Puts the parts together.
    public init(code: String, message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }
}
