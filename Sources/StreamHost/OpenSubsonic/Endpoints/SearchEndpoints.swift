internal import Catalogue
internal import Companion
internal import Foundation
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// The time, in the form in which the protocol's items have it.
enum SubsonicClock {
    /// Seconds since 1970.
    static var now: Double { Date().timeIntervalSince1970 }

    /// Returns seconds as whole milliseconds.
    static func milliseconds(_ seconds: Double) -> Int {
        Int((min(max(seconds, -1e12), 1e12) * 1000).rounded())
    }
}

/// Searches. An empty query returns everything in pages, in an order that is the same for each page.
struct SearchEndpoints: SubsonicEndpoints {
    /// The most items of a kind that one request returns.
    private static let countLimit = 10_000

    let listening: AccountListening

    var handlers: [String: Handler] {
        [
            "search2": { call in
                try search(call.request, "searchResult2") {
                    try $0.artists($1).map(\.asFolder)
                } albums: {
                    try $0.folders($1)
                }
            },
            "search3": { call in
                try search(call.request, "searchResult3") {
                    try $0.artists($1)
                } albums: {
                    try $0.albums($1)
                }
            },
        ]
    }

    private func search<Artist: SubsonicRepresentable, Album: SubsonicRepresentable>(
        _ request: SubsonicRequest, _ name: String,
        artists form: (SubsonicItems, [ArtistItem]) throws -> [Artist],
        albums albumForm: (SubsonicItems, [AlbumItem]) throws -> [Album]
    ) throws -> SubsonicAnswer {
        let text = Self.searchText(try request.require("query"))
        // Everything is listed in the order in which it was added: whatever is scanned meanwhile comes last.
        let artists = try Self.query(
            request, "artist", text, sort: text == nil ? ArtistSort.added : .relevance)
        let albums = try Self.query(request, "album", text, sort: text == nil ? AlbumSort.added : .relevance)
        let songs = try Self.query(request, "song", text, sort: text == nil ? TrackSort.added : .relevance)
        let object = try listening.look { reader in
            let items = SubsonicItems(reader: reader)
            var object = SubsonicObject()
            let foundArtists = artists.limit > 0 ? try reader.catalogue.artists(artists).items : []
            object.add("artist", try form(items, foundArtists))
            let foundAlbums = albums.limit > 0 ? try reader.catalogue.albums(albums).items : []
            object.add("album", try albumForm(items, foundAlbums))
            let foundSongs = songs.limit > 0 ? try reader.catalogue.tracks(songs).items : []
            object.add("song", try items.songs(foundSongs))
            return object
        }
        return .element(name, object)
    }

    private static func query<Sort>(
        _ request: SubsonicRequest, _ kind: String, _ text: String?, sort: Sort
    ) throws -> CatalogueQuery<Sort> {
        let limit = try request.count("\(kind)Count", standard: 20, limit: countLimit)
        var query = CatalogueQuery(sort: sort, limit: limit)
        query.offset = try request.offset("\(kind)Offset")
        query.text = text
        return query
    }

    /// The text to search for; nil for everything: an empty query, also in the form of two quotes.
    private static func searchText(_ query: String) -> String? {
        let text = query.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty || text == "\"\"" || text == "*" ? nil : text
    }
}
