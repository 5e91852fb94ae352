/// A file to be sent in parts: the content of `POST /upload-track/resumable`.
public struct NewResumableUpload: Codable, Sendable, Equatable {
    /// The name that the file has where it comes from.
    public var fileName: String
    /// Its size in bytes.
    public var byteCount: Int
    /// What its tags are to say, by the names of an upload's form.
    public var fields: [String: String]?

    /// Puts the parts together.
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

/// How far an upload in parts has come.
public struct ResumableUpload: Codable, Sendable, Equatable {
    /// Its identifier.
    public var uploadID: String
    /// The name that the file has where it comes from.
    public var fileName: String
    /// The size of the file in bytes.
    public var byteCount: Int
    /// How many bytes are here: the next part begins there.
    public var offset: Int
    /// When it will be forgotten unless something is added, in seconds since 1970.
    public var expiresAt: Double
    /// What became of the file, once all of it is here and was looked at.
    public var report: UploadReport?

    /// Puts the parts together.
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
