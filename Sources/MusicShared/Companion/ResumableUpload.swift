/// A file to upload in parts: the body of `POST /upload-track/resumable`.
public struct NewResumableUpload: Codable, Sendable, Equatable {
    /// Original file name.
    public var fileName: String
    /// Size in bytes.
    public var byteCount: Int
    /// Tag values to write, keyed by the field names of the upload form.
    public var fields: [String: String]?

    /// Memberwise initializer.
    public init(fileName: String, byteCount: Int, fields: [String: String]? = nil) {
        self.fileName = fileName
        self.byteCount = byteCount
        self.fields = fields
    }

    private enum CodingKeys: String, CodingKey {
        case fileName = "file_name"
        case byteCount = "byte_count"
        case fields
    }
}

/// Progress of an upload in parts.
public struct ResumableUpload: Codable, Sendable, Equatable {
    /// Upload ID.
    public var uploadID: String
    /// Original file name.
    public var fileName: String
    /// File size in bytes.
    public var byteCount: Int
    /// Number of bytes received; the next part starts here.
    public var offset: Int
    /// Time at which the upload expires unless more data arrives, in seconds since 1970.
    public var expiresAt: Double
    /// Outcome, once the whole file has been received and checked.
    public var report: UploadReport?

    /// Memberwise initializer.
    public init(
        uploadID: String, fileName: String, byteCount: Int, offset: Int, expiresAt: Double,
        report: UploadReport? = nil
    ) {
        self.uploadID = uploadID
        self.fileName = fileName
        self.byteCount = byteCount
        self.offset = offset
        self.expiresAt = expiresAt
        self.report = report
    }

    private enum CodingKeys: String, CodingKey {
        case uploadID = "upload_id"
        case fileName = "file_name"
        case byteCount = "byte_count"
        case offset
        case expiresAt = "expires_at"
        case report
    }
}
