public import MusicShared

/// A catalogue as a client keeps it, which is brought up to date by what it is told of changes.
public struct CatalogueMirror: Equatable, Sendable {
    /// Tracks by their numbers.
    public var tracks: [Int: TrackItem] = [:]
    /// Albums by their numbers.
    public var albums: [Int: AlbumItem] = [:]
    /// Artists by their numbers.
    public var artists: [Int: ArtistItem] = [:]
    /// The state that it is of.
    public var revision: String?

    /// What the lists hold.
    public init(tracks: [TrackItem], albums: [AlbumItem], artists: [ArtistItem], revision: String?) {
        self.tracks = Self.byID(tracks)
        self.albums = Self.byID(albums)
        self.artists = Self.byID(artists)
        self.revision = revision
    }

    /// Takes over changes.
    public mutating func apply(_ changes: CatalogueChanges) {
        tracks.merge(Self.byID(changes.tracks)) { $1 }
        albums.merge(Self.byID(changes.albums)) { $1 }
        artists.merge(Self.byID(changes.artists)) { $1 }
        for id in changes.removed.tracks { tracks[id] = nil }
        for id in changes.removed.albums { albums[id] = nil }
        for id in changes.removed.artists { artists[id] = nil }
        revision = changes.revision
    }

    /// Whether it holds as many items as the lists.
    public func counts(as totals: CatalogueChanges.Totals?) -> Bool {
        totals == CatalogueChanges.Totals(tracks: tracks.count, albums: albums.count, artists: artists.count)
    }

    private static func byID<Item: Identifiable>(_ items: [Item]) -> [Int: Item] where Item.ID == Int {
        Dictionary(items.map { ($0.id, $0) }) { $1 }
    }
}
