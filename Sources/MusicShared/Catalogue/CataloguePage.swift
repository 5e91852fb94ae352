/// A page of a catalogue list.
public struct CataloguePage<Item: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// The items starting at `offset`, at most `limit`.
    public var items: [Item]
    /// Number of items in the whole list.
    public var total: Int
    /// Maximum number of items requested.
    public var limit: Int
    /// Number of items before this page.
    public var offset: Int

    /// Memberwise initializer.
    public init(items: [Item], total: Int, limit: Int, offset: Int) {
        self.items = items
        self.total = total
        self.limit = limit
        self.offset = offset
    }
}

/// Limits of the catalogue lists that clients can rely on.
public enum CatalogueLimits {
    /// Default page size in items.
    public static let defaultPage = 100
    /// Maximum page size, and maximum length of the list in an album, an artist or a playlist.
    public static let largestPage = 500
    /// Maximum length of a playlist name, in characters.
    public static let playlistName = 200
    /// Maximum length of a playlist description, in characters.
    public static let playlistDescription = 2000
    /// Maximum number of entries in a playlist.
    public static let playlistEntries = 10_000
}
