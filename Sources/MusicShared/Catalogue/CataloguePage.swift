/// A part of a list of the catalogue.
public struct CataloguePage<Item: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// The items from `offset` on, at most `limit`.
    public var items: [Item]
    /// How many items the whole list has.
    public var total: Int
    /// The most items that were asked for.
    public var limit: Int
    /// How many items of the list come before these.
    public var offset: Int

    /// Puts the parts together.
    public init(items: [Item], total: Int, limit: Int, offset: Int) {
        self.items = items
        self.total = total
        self.limit = limit
        self.offset = offset
    }
}

/// Limits of the catalogue's lists, which clients may rely on.
public enum CatalogueLimits {
    /// Items of a page unless asked otherwise.
    public static let standardPage = 100
    /// The most items of a page, and of the list within an album, an artist or a playlist.
    public static let largestPage = 500
    /// The longest name of a playlist, in characters.
    public static let playlistName = 200
    /// The longest description of a playlist, in characters.
    public static let playlistDescription = 2000
    /// The most entries of a playlist.
    public static let playlistEntries = 10_000
}
