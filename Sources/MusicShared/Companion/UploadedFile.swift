/// What became of one file of an upload.
public struct UploadedFile: Codable, Sendable, Equatable {
    /// The ways in which it may end.
    public enum Status: String, Codable, Sendable, CaseIterable {
        /// It is in the music folder now.
        case stored
        /// The music folder had this audio already; nothing was stored.
        case duplicate
        /// It was not taken; `code` and `message` say why.
        case refused
        /// It came in a zip and is not said to be music.
        case ignored
    }

    /// The name that it came with; of a file in a zip, the zip's name and a slash before it.
    public var fileName: String
    /// What became of it.
    public var status: Status
    /// Number of the track; nil where it was not taken, or the library could not be written at once.
    public var trackID: Int?
    /// Path in the music folder.
    public var relativePath: String?
    /// What the file sounds like, in 32 hexadecimal digits.
    public var audioHash: String?
    /// How long it plays, in seconds.
    public var durationSeconds: Double?
    /// Name of the reason for a refusal, for programs.
    public var code: String?
    /// The reason for a refusal, for a person.
    public var message: String?

    /// Puts the parts together.
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
