public import MusicShared

/// A client's copy of the catalogue, updated from change sets.
public struct CatalogueMirror: Equatable, Sendable {
    /// Tracks by ID.
    public var tracks: [Int: TrackItem] = [:]
    /// Albums by ID.
    public var albums: [Int: AlbumItem] = [:]
    /// Artists by ID.
    public var artists: [Int: ArtistItem] = [:]
    /// Revision of this copy.
    public var revision: String?

    /// Creates a copy with the contents of the lists.
    public init(tracks: [TrackItem], albums: [AlbumItem], artists: [ArtistItem], revision: String?) {
        self.tracks = Self.byID(tracks)
        self.albums = Self.byID(albums)
        self.artists = Self.byID(artists)
        self.revision = revision
    }

    /// Applies changes.
    public mutating func apply(_ changes: CatalogueChanges) {
        tracks.merge(Self.byID(changes.tracks)) { $1 }
        albums.merge(Self.byID(changes.albums)) { $1 }
        artists.merge(Self.byID(changes.artists)) { $1 }
        for id in changes.removed.tracks { tracks[id] = nil }
        for id in changes.removed.albums { albums[id] = nil }
        for id in changes.removed.artists { artists[id] = nil }
        revision = changes.revision
    }

    /// Whether it has as many items as the lists.
    public func counts(as totals: CatalogueChanges.Totals?) -> Bool {
        totals == CatalogueChanges.Totals(tracks: tracks.count, albums: albums.count, artists: artists.count)
    }

    private static func byID<Item: Identifiable>(_ items: [Item]) -> [Int: Item] where Item.ID == Int {
        Dictionary(items.map { ($0.id, $0) }) { $1 }
    }
}
