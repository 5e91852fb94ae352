public import StreamClient
internal import Catalogue
public import MusicShared

/// A music library, local or remote; the caller does not need to know which.
///
/// All methods throw ``ClientError/Code/notFound`` if the item does not exist, ``ClientError/Code/badCopy`` if a local copy
/// is damaged, and, with a host, any error of the connection.
public protocol LibraryServiceProvider: Sendable {
    /// Returns a page of artists.
    func artists(_ query: CatalogueQuery<ArtistSort>) async throws(ClientError) -> CataloguePage<ArtistItem>
    /// Returns an artist with the albums.
    func artist(id: Int) async throws(ClientError) -> ArtistItem
    /// Returns a page of albums.
    func albums(_ query: CatalogueQuery<AlbumSort>) async throws(ClientError) -> CataloguePage<AlbumItem>
    /// Returns an album with its tracks.
    func album(id: Int) async throws(ClientError) -> AlbumItem
    /// Returns a page of playlists.
    func playlists(_ query: CatalogueQuery<PlaylistSort>) async throws(ClientError)
        -> CataloguePage<PlaylistItem>
    /// Returns a playlist with a page of its entries, at most ``CatalogueLimits/largestPage``.
    func playlist(id: Int, limit: Int, offset: Int) async throws(ClientError) -> PlaylistItem
    /// Returns a page of tracks.
    func tracks(_ query: CatalogueQuery<TrackSort>) async throws(ClientError) -> CataloguePage<TrackItem>
    /// Returns a track.
    func track(id: Int) async throws(ClientError) -> TrackItem
}
