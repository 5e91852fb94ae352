public import StreamClient
internal import Catalogue
public import MusicShared
internal import SQLiteDatabase

/// A library in a database file, opened read-only: a copy downloaded from a host, or a host's own.
///
/// If the file is replaced, this object keeps reading the one it opened.
public final class LocalLibrary: LibraryServiceProvider {
    private let database: DatabaseQueue
    private let queue = DiskQueue("library")

    /// Opens the file.
    /// - Throws: ``ClientError/Code/badCopy`` if it is not a library.
    public init(path: String) throws(ClientError) {
        do {
            database = try DatabaseQueue(path: path, options: .init(access: .readOnly)) {
                _ = try CatalogueReader(database: $0).revision
            }
        } catch {
            throw ClientError(.badCopy, "Cannot open the library at \(path): \(error)")
        }
    }

    /// Returns an identifier of the library's state, which changes with every edit and differs between libraries.
    public func revision() async throws(ClientError) -> String { try await read { try $0.revision } }

    /// Returns a page of artists.
    public func artists(
        _ query: CatalogueQuery<ArtistSort>
    ) async throws(ClientError) -> CataloguePage<ArtistItem> {
        try await read { try $0.artists(query) }
    }

    /// Returns an artist with the albums.
    public func artist(id: Int) async throws(ClientError) -> ArtistItem {
        try await read("artist", id) { try $0.artist(id: id) }
    }

    /// Returns a page of albums.
    public func albums(
        _ query: CatalogueQuery<AlbumSort>
    ) async throws(ClientError) -> CataloguePage<AlbumItem> {
        try await read { try $0.albums(query) }
    }

    /// Returns an album with its tracks.
    public func album(id: Int) async throws(ClientError) -> AlbumItem {
        try await read("album", id) { try $0.album(id: id) }
    }

    /// Returns a page of playlists.
    public func playlists(
        _ query: CatalogueQuery<PlaylistSort>
    ) async throws(ClientError) -> CataloguePage<PlaylistItem> {
        try await read { try $0.playlists(query) }
    }

    /// Returns a playlist with a page of its entries.
    public func playlist(id: Int, limit: Int, offset: Int) async throws(ClientError) -> PlaylistItem {
        try await read("playlist", id) { try $0.playlist(id: id, limit: limit, offset: offset) }
    }

    /// Returns a page of tracks.
    public func tracks(
        _ query: CatalogueQuery<TrackSort>
    ) async throws(ClientError) -> CataloguePage<TrackItem> {
        try await read { try $0.tracks(query) }
    }

    /// Returns a track.
    public func track(id: Int) async throws(ClientError) -> TrackItem {
        try await read("track", id) { try $0.track(id: id) }
    }

    private func read<Value: Sendable>(
        _ kind: String, _ id: Int, _ body: @escaping @Sendable (CatalogueReader) throws -> Value?
    ) async throws(ClientError) -> Value {
        guard let value = try await read(body) else {
            throw ClientError(.notFound, "No \(kind) with id \(id).")
        }
        return value
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (CatalogueReader) throws -> Value
    ) async throws(ClientError) -> Value {
        do {
            return try await queue.perform { [database] in
                // One transaction, for a consistent view even while another process writes to the file.
                try database.read { try body(CatalogueReader(database: $0)) }
            }
        } catch {
            throw ClientError(.badCopy, "Cannot read the library: \(error)")
        }
    }
}
