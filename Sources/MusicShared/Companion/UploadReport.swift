/// Outcome of an upload: the response body.
public struct UploadReport: Codable, Sendable, Equatable {
    /// Every file, in order of arrival; the files of a zip take its place.
    public var files: [UploadedFile]
    /// Number of files added to the music folder.
    public var storedCount: Int
    /// Number of files whose audio was already in the music folder.
    public var duplicateCount: Int
    /// Number of rejected files.
    public var refusedCount: Int
    /// Number of files in a zip whose names are not those of music files.
    public var ignoredCount: Int
    /// Why nothing was accepted; nil if something was.
    public var error: UploadFailure?

    /// Creates a report and counts the files by status.
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

/// Why an upload was rejected as a whole, in the common error format.
public struct UploadFailure: Codable, Sendable, Equatable {
    /// Error code.
    public var code: String
    /// Human-readable message.
    public var message: String
    /// The form field that caused the error, if any.
    public var field: String?

    /// Memberwise initializer.
    public init(code: String, message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }
}
