public import Catalogue
public import MusicShared
internal import SQLiteDatabase

/// A library in a database file, which is only read: the copy that was downloaded from a host, or a host's own.
///
/// The file may be replaced by another meanwhile: this goes on with the one that it opened.
public final class LocalLibrary: LibraryServiceProvider {
    /// Proof: used on the queue only, once it is handed over.
    private struct Held: @unchecked Sendable {
        let database: Database
    }

    private let held: Held
    private let queue = DiskQueue("library")

    /// Opens the file.
    /// - Throws: ``ClientError/Code/badCopy`` where it is no library.
    public init(path: String) throws(ClientError) {
        do {
            let database = try Database(path: path, options: .init(access: .readOnly))
            _ = try CatalogueReader(database: database).revision
            held = Held(database: database)
        } catch {
            throw ClientError(.badCopy, "There is no library at \(path): \(error)")
        }
    }

    /// A name for the state of the library: the same as long as nothing in it changes, and different in another library.
    public func revision() async throws(ClientError) -> String { try await read { try $0.revision } }

    /// A page of the artists.
    public func artists(
        _ query: CatalogueQuery<ArtistSort>
    ) async throws(ClientError) -> CataloguePage<ArtistItem> {
        try await read { try $0.artists(query) }
    }

    /// An artist with the albums.
    public func artist(id: Int) async throws(ClientError) -> ArtistItem {
        try await read("artist", id) { try $0.artist(id: id) }
    }

    /// A page of the albums.
    public func albums(
        _ query: CatalogueQuery<AlbumSort>
    ) async throws(ClientError) -> CataloguePage<AlbumItem> {
        try await read { try $0.albums(query) }
    }

    /// An album with its tracks.
    public func album(id: Int) async throws(ClientError) -> AlbumItem {
        try await read("album", id) { try $0.album(id: id) }
    }

    /// A page of the playlists.
    public func playlists(
        _ query: CatalogueQuery<PlaylistSort>
    ) async throws(ClientError) -> CataloguePage<PlaylistItem> {
        try await read { try $0.playlists(query) }
    }

    /// A playlist with a page of its entries.
    public func playlist(id: Int, limit: Int, offset: Int) async throws(ClientError) -> PlaylistItem {
        try await read("playlist", id) { try $0.playlist(id: id, limit: limit, offset: offset) }
    }

    /// A page of the tracks.
    public func tracks(
        _ query: CatalogueQuery<TrackSort>
    ) async throws(ClientError) -> CataloguePage<TrackItem> {
        try await read { try $0.tracks(query) }
    }

    /// A track.
    public func track(id: Int) async throws(ClientError) -> TrackItem {
        try await read("track", id) { try $0.track(id: id) }
    }

    private func read<Value: Sendable>(
        _ kind: String, _ id: Int, _ body: @escaping @Sendable (CatalogueReader) throws -> Value?
    ) async throws(ClientError) -> Value {
        guard let value = try await read(body) else {
            throw ClientError(.notFound, "There is no \(kind) \(id).")
        }
        return value
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (CatalogueReader) throws -> Value
    ) async throws(ClientError) -> Value {
        let held = held
        do {
            return try await queue.perform {
                // All that is read is of one moment, also where somebody writes to the file.
                try held.database.transaction(.deferred) {
                    try body(CatalogueReader(database: held.database))
                }
            }
        } catch {
            throw ClientError(.badCopy, "The library cannot be read: \(error)")
        }
    }
}
