/// Outcome of one uploaded file.
public struct UploadedFile: Codable, Sendable, Equatable {
    /// Outcome of a file.
    public enum Status: String, Codable, Sendable, CaseIterable {
        /// Added to the music folder.
        case stored
        /// The audio was already in the music folder; nothing was stored.
        case duplicate
        /// Rejected; see `code` and `message`.
        case refused
        /// Part of a zip, and not a music file by name.
        case ignored
    }

    /// The uploaded file name; for a file in a zip, prefixed with the zip's name and a slash.
    public var fileName: String
    /// Outcome.
    public var status: Status
    /// Track ID; nil if the file was rejected or the library could not be updated immediately.
    public var trackID: Int?
    /// Path relative to the music folder.
    public var relativePath: String?
    /// Hash of the audio, 32 hexadecimal digits.
    public var audioHash: String?
    /// Duration in seconds.
    public var durationSeconds: Double?
    /// Error code of a rejection.
    public var code: String?
    /// Human-readable reason for a rejection.
    public var message: String?

    /// Memberwise initializer.
    public init(
        fileName: String, status: Status, trackID: Int? = nil, relativePath: String? = nil,
        audioHash: String? = nil, durationSeconds: Double? = nil, code: String? = nil, message: String? = nil
    ) {
        self.fileName = fileName
        self.status = status
        self.trackID = trackID
        self.relativePath = relativePath
        self.audioHash = audioHash
        self.durationSeconds = durationSeconds
        self.code = code
        self.message = message
    }

    private enum CodingKeys: String, CodingKey {
        case fileName = "file_name"
        case status
        case trackID = "track_id"
        case relativePath = "relative_path"
        case audioHash = "audio_hash"
        case durationSeconds = "duration_seconds"
        case code, message
    }
}
