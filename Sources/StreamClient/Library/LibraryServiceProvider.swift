public import Catalogue
public import MusicShared

/// A music library, wherever it is: who browses it does not know whether it is a file or a host.
///
/// All methods throw ``ClientError/Code/notFound`` for what the library does not have, ``ClientError/Code/badCopy`` where a
/// local copy is damaged, and where a host is asked whatever the connection throws.
public protocol LibraryServiceProvider: Sendable {
    /// A page of the artists.
    func artists(_ query: CatalogueQuery<ArtistSort>) async throws(ClientError) -> CataloguePage<ArtistItem>
    /// An artist with the albums.
    func artist(id: Int) async throws(ClientError) -> ArtistItem
    /// A page of the albums.
    func albums(_ query: CatalogueQuery<AlbumSort>) async throws(ClientError) -> CataloguePage<AlbumItem>
    /// An album with its tracks.
    func album(id: Int) async throws(ClientError) -> AlbumItem
    /// A page of the playlists.
    func playlists(_ query: CatalogueQuery<PlaylistSort>) async throws(ClientError)
        -> CataloguePage<PlaylistItem>
    /// A playlist with a page of its entries, at most ``CatalogueLimits/largestPage``.
    func playlist(id: Int, limit: Int, offset: Int) async throws(ClientError) -> PlaylistItem
    /// A page of the tracks.
    func tracks(_ query: CatalogueQuery<TrackSort>) async throws(ClientError) -> CataloguePage<TrackItem>
    /// A track.
    func track(id: Int) async throws(ClientError) -> TrackItem
}
