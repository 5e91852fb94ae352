public import StreamClient
internal import Catalogue
public import MusicShared

/// The library of a host; every call is a request to the host.
public struct RemoteLibrary: LibraryServiceProvider {
    private let connection: HostConnection

    /// Creates a library that is read over the given connection.
    public init(_ connection: HostConnection) { self.connection = connection }

    /// Returns a page of artists.
    public func artists(
        _ query: CatalogueQuery<ArtistSort>
    ) async throws(ClientError) -> CataloguePage<ArtistItem> {
        try await page(Routes.artists, query)
    }

    /// Returns an artist with the albums.
    public func artist(id: Int) async throws(ClientError) -> ArtistItem {
        try await connection.value(Routes.path(Routes.artist, id))
    }

    /// Returns a page of albums.
    public func albums(
        _ query: CatalogueQuery<AlbumSort>
    ) async throws(ClientError) -> CataloguePage<AlbumItem> {
        try await page(
            Routes.albums, query, [("artist_id", query.artistID.map(String.init))] + Self.narrowing(query))
    }

    /// Returns an album with its tracks.
    public func album(id: Int) async throws(ClientError) -> AlbumItem {
        try await connection.value(Routes.path(Routes.album, id))
    }

    /// Returns a page of playlists.
    public func playlists(
        _ query: CatalogueQuery<PlaylistSort>
    ) async throws(ClientError) -> CataloguePage<PlaylistItem> {
        try await page(Routes.playlists, query)
    }

    /// Returns a playlist with a page of its entries.
    public func playlist(id: Int, limit: Int, offset: Int) async throws(ClientError) -> PlaylistItem {
        try await connection.value(
            Routes.path(Routes.playlist, id), query: [("limit", "\(limit)"), ("offset", "\(offset)")])
    }

    /// Returns a page of tracks.
    public func tracks(
        _ query: CatalogueQuery<TrackSort>
    ) async throws(ClientError) -> CataloguePage<TrackItem> {
        let owners = [
            ("artist_id", query.artistID.map(String.init)), ("album_id", query.albumID.map(String.init)),
            ("from_year", query.fromYear.map(String.init)), ("to_year", query.toYear.map(String.init)),
        ]
        return try await page(Routes.tracks, query, owners + Self.narrowing(query))
    }

    /// Returns a track.
    public func track(id: Int) async throws(ClientError) -> TrackItem {
        try await connection.value(Routes.path(Routes.track, id))
    }

    private static func narrowing<Sort>(_ query: CatalogueQuery<Sort>) -> [(String, String?)] {
        [("genre", query.genre), ("year", query.year.map(String.init))]
    }

    private func page<Sort: RawRepresentable<String>, Item>(
        _ path: String, _ query: CatalogueQuery<Sort>, _ narrowing: [(String, String?)] = []
    ) async throws(ClientError) -> CataloguePage<Item> {
        let parameters: [(String, String?)] = [
            ("q", query.text), ("sort", (query.isDescending ? "-" : "") + query.sort.rawValue),
            ("limit", "\(query.limit)"), ("offset", "\(query.offset)"),
        ]
        return try await connection.value(path, query: parameters + narrowing)
    }
}
