import Catalogue
import CommandLineProgram
import Foundation
import MusicShared
import StreamClient
import StreamClientHost

/// The commands `stream-player browse` and `search`.
struct BrowseCommand {
    private var folder = ClientFolder()
    private var host: String?
    private var isOffline = false
    private var isJSON = false
    private var limit = CatalogueLimits.defaultPage
    private let words: [String]
    private let isSearch: Bool

    /// - Throws: `UsageError`.
    init(_ arguments: ArgumentList, isSearch: Bool = false) throws {
        var arguments = arguments
        self.isSearch = isSearch
        var (folder, host, isOffline, isJSON, limit) = (folder, host, isOffline, isJSON, limit)
        try arguments.takeOptions(
            flags: ["--offline", "--json"], valued: ["--folder", "--host", "--limit"]
        ) { name, value in
            switch name {
            case "--folder": folder = ClientFolder(value)
            case "--host": host = value
            case "--limit":
                limit = try OptionValue.integer(value, in: 1...CatalogueLimits.largestPage, for: name)
            case "--offline": isOffline = true
            default: isJSON = true
            }
        }
        words =
            isSearch
            ? try arguments.operands(1...1000, named: "search words")
            : try arguments.operands(
                0...1, named: "artists, albums, tracks, playlists, artist:ID, album:ID or playlist:ID")
        (self.folder, self.host, self.isOffline, self.isJSON, self.limit) =
            (folder, host, isOffline, isJSON, limit)
    }

    func run() async throws -> Int32 {
        let library = try await folder.library(host, isOffline: isOffline).provider
        if isSearch { return try await search(library, words.joined(separator: " ")) }
        let word = words.first ?? "albums"
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        let id = parts.count == 2 ? Int(parts[1]) : nil
        switch (parts[0], id) {
        case ("artists", nil):
            try show(await library.artists(.init(sort: .name, limit: limit)), CatalogueLine.artist)
        case ("albums", nil):
            try show(await library.albums(.init(sort: .artist, limit: limit)), CatalogueLine.album)
        case ("tracks", nil):
            try show(await library.tracks(.init(sort: .artist, limit: limit)), CatalogueLine.track)
        case ("playlists", nil):
            try show(await library.playlists(.init(sort: .name, limit: limit)), CatalogueLine.playlist)
        case ("artist", let id?):
            let artist = try await library.artist(id: id)
            try show(artist, [CatalogueLine.artist(artist)] + (artist.albums ?? []).map(CatalogueLine.album))
        case ("album", let id?):
            let album = try await library.album(id: id)
            try show(album, [CatalogueLine.album(album)] + (album.tracks ?? []).map(CatalogueLine.track))
        case ("playlist", let id?):
            let list = try await library.playlist(id: id, limit: limit, offset: 0)
            let tracks = (list.entries?.items ?? []).map(\.track)
            try show(list, [CatalogueLine.playlist(list)] + tracks.map(CatalogueLine.track))
        default: throw UsageError(message: "cannot browse '\(word)'")
        }
        return 0
    }

    private func search(_ library: any LibraryServiceProvider, _ text: String) async throws -> Int32 {
        struct Findings: Encodable {
            var artists: [ArtistItem]
            var albums: [AlbumItem]
            var tracks: [TrackItem]
        }
        func query<Sort>(_ sort: Sort) -> CatalogueQuery<Sort> {
            var query = CatalogueQuery(sort: sort, limit: limit)
            query.text = text
            return query
        }
        let findings = try await Findings(
            artists: library.artists(query(.name)).items, albums: library.albums(query(.title)).items,
            tracks: library.tracks(query(.relevance)).items)
        try show(
            findings,
            findings.artists.map(CatalogueLine.artist) + findings.albums.map(CatalogueLine.album)
                + findings.tracks.map(CatalogueLine.track))
        return findings.artists.isEmpty && findings.albums.isEmpty && findings.tracks.isEmpty ? 1 : 0
    }

    private func show<Item>(_ page: CataloguePage<Item>, _ line: (Item) -> String) throws {
        try show(page, page.items.map(line))
        let rest = page.total - page.offset - page.items.count
        if rest > 0, !isJSON {
            Terminal.complain("\(rest) more; --limit shows up to \(CatalogueLimits.largestPage).")
        }
    }

    private func show(_ value: some Encodable, _ lines: [String]) throws {
        guard isJSON else {
            lines.forEach(Terminal.print)
            return
        }
        Terminal.print(try JSONLine.text(value))
    }
}
