/// An address that opens some music without a key.
public struct ShareItem: Codable, Sendable, Equatable {
    /// ID of the share.
    public var id: Int
    /// Path of its page on the host. Everyone who knows it can listen.
    public var path: String
    /// Description, as shown on the page.
    public var description: String?
    /// Name of the account that created it.
    public var user: String
    /// When it was created, in seconds since 1970.
    public var createdAt: Double
    /// When it expires, in seconds since 1970; nil if never.
    public var expiresAt: Double?
    /// When its page was last opened, in seconds since 1970; nil if never.
    public var lastVisitedAt: Double?
    /// Number of times that its page was opened.
    public var visitCount: Int
    /// Number of tracks.
    public var trackCount: Int

    /// Memberwise initializer.
    public init(
        id: Int, path: String, description: String?, user: String, createdAt: Double, expiresAt: Double?,
        lastVisitedAt: Double?, visitCount: Int, trackCount: Int
    ) {
        self.id = id
        self.path = path
        self.description = description
        self.user = user
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastVisitedAt = lastVisitedAt
        self.visitCount = visitCount
        self.trackCount = trackCount
    }

    private enum CodingKeys: String, CodingKey {
        case id, path, description, user
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case lastVisitedAt = "last_visited_at"
        case visitCount = "visit_count"
        case trackCount = "track_count"
    }
}
