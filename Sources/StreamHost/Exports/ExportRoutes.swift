internal import APIDescription
internal import Catalogue
internal import Companion
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared

/// Exports tracks, albums and playlists as documents for other systems: playlists, radio automation.
struct ExportRoutes: DescribedRoutes {
    /// Maximum length of a prefix in Unicode scalars; few systems support longer paths.
    static let longestPrefix = 1000

    let library: LibraryStore

    func add(to routes: some RouteCollection) {
        routes.get(Routes.trackExport) { request in
            let id: Int = try request.parameters.require("id")
            let track = try library.track(id: id)
            return try document(track.map { _ in ("track \(id)", [id]) }, request)
        }
        routes.get(Routes.albumExport) { request in
            let id: Int = try request.parameters.require("album_id")
            let album = try library.catalogue { try $0.album(id: id) }
            return try document(album.map { ($0.title, ($0.tracks ?? []).map(\.id)) }, request)
        }
        routes.get(Routes.playlistExport) { request in
            let id: Int = try request.parameters.require("playlist_id")
            let accountID = try request.caller.accountID
            let playlist = try library.catalogue {
                try $0.playlist(id: id, limit: 0, offset: 0, visibleTo: accountID)
            }
            return try document(playlist.map { ($0.name, $0.trackIDs ?? []) }, request)
        }
    }

    private func document(_ list: (name: String, tracks: [Int])?, _ request: HTTPRequest) throws
        -> HTTPResponse
    {
        guard let list else {
            throw request.nothingThere
        }
        let (format, prefix) = (try request.value(Self.format), try request.value(Self.prefix))
        let library = library
        return HTTPResponse(
            fields: [.contentType: format.contentType, .cacheControl: "no-cache"],
            body: .stream(
                ResponseStream { writer in
                    var document = PlaylistDocument(format, name: list.name, prefix: prefix)
                    try await writer.write(Array(document.head.utf8))
                    for id in list.tracks {
                        try Task.checkCancellation()
                        guard let track = try library.track(id: id), track.track.unavailableSince == nil
                        else { continue }
                        try await writer.write(Array(try document.entry(track).utf8))
                    }
                    try await writer.write(Array(document.end.utf8))
                }))
    }
}
