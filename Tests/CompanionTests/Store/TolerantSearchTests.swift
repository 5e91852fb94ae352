import Catalogue
import Companion
import Foundation
import LibraryStore
import MusicShared
import Tagging
import Testing
import TestSupport

@Suite("Searches with typos")
struct TolerantSearchTests {
    private let data: TemporaryData
    private let library: LibraryStore

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
        let tracks: [(title: String, artist: String, album: String)] = [
            ("Enter Sandman", "Metallica", "Metallica"), ("Halo", "Beyoncé", "I Am"),
            ("Jóga", "Björk", "Homogenic"), ("Moan", "Trentemøller", "The Last Resort"),
            ("Lovers", "Some Band", "Songs of Two"), ("Love", "Another Band", "Songs"),
            ("Группа крови", "Кино", "Группа крови"), ("Tribute", "Metalica", "Homage"),
        ]
        try library.record(
            tracks.enumerated().map { number, track in
                try Sample.record(
                    "\(number).mp3", hash: number + 1,
                    tags: Sample.tags(track.title, artist: track.artist, album: track.album))
            }, isPresent: Sample.present)
    }

    private func titles(_ text: String) throws -> [String] {
        var query = CatalogueQuery(sort: TrackSort.relevance, limit: 20)
        query.text = text
        let tracks = try library.catalogue { try $0.tracks(query) }
        #expect(tracks.total == tracks.items.count)
        #expect(try library.tracks(matching: text).map(\.tags.title) == tracks.items.map(\.title))
        return tracks.items.compactMap(\.title)
    }

    @Test(
        "One typo in words of five letters or more is found, and nothing in shorter ones",
        arguments: [
            ("bjrok", ["Jóga"]), ("Sandmann", ["Enter Sandman"]), ("enter sndman", ["Enter Sandman"]),
            ("sandmna enetr", ["Enter Sandman"]), ("beyonse", ["Halo"]), ("beyonçe hal", ["Halo"]),
            ("trentemoller", ["Moan"]), ("(sandmann)", ["Enter Sandman"]), ("helo", []), ("sandxann", []),
            ("sondmon", []), ("gruppa", []), ("грурпа", ["Группа крови"]), ("sandman halo", []),
        ])
    func typos(text: String, expected: [String]) throws {
        #expect(try titles(text) == expected)
    }

    @Test("Exact matches come first: whole words, then starts of words, then words with a typo")
    func order() throws {
        #expect(try titles("metalica") == ["Tribute", "Enter Sandman"])
        #expect(try titles("metallica") == ["Enter Sandman", "Tribute"])
        #expect(try titles("love").prefix(2) == ["Love", "Lovers"])
        #expect(try titles("lover") == ["Lovers", "Love"])
    }

    @Test("Albums and artists are found with a typo, exact ones first")
    func albumsAndArtists() throws {
        var albums = CatalogueQuery(sort: AlbumSort.relevance, limit: 20)
        albums.text = "metalica"
        #expect(
            try library.catalogue { try $0.albums(albums) }.items.map(\.title) == ["Homage", "Metallica"])
        albums.text = "homogneic"
        #expect(try library.catalogue { try $0.albums(albums) }.items.map(\.title) == ["Homogenic"])
        var artists = CatalogueQuery(sort: ArtistSort.relevance, limit: 20)
        artists.text = "metalica"
        #expect(
            try library.catalogue { try $0.artists(artists) }.items.map(\.name) == ["Metalica", "Metallica"])
        artists.text = "metallica"
        let found = try library.catalogue { try $0.artists(artists) }
        #expect(found.items.map(\.name) == ["Metallica", "Metalica"] && found.total == 2)
        artists.text = "sandmann"
        #expect(try library.catalogue { try $0.artists(artists) }.items.isEmpty)
    }

    @Test("Many exact matches are not diluted by words with a typo")
    func many() throws {
        try library.record(
            (100..<112).map {
                try Sample.record(
                    "\($0).mp3", hash: $0, tags: Sample.tags("Sandman \($0)", artist: "X", album: nil))
            } + [Sample.record("s.mp3", hash: 200, tags: Sample.tags("Sanddman", artist: "Y", album: nil))],
            isPresent: Sample.present)
        #expect(try titles("sandman").count == 13)
        #expect(try titles("sandman 100").contains("Sanddman") == false)
        #expect(try titles("sanddman").first == "Sanddman")
    }

    @Test("Words of new tracks are known, and the listening data's connection finds them, too")
    func newWords() throws {
        #expect(try titles("zeppelni") == [])
        try library.record(
            [Sample.record("z.mp3", hash: 99, tags: Sample.tags("Rock", artist: "Zeppelin", album: nil))],
            isPresent: Sample.present)
        #expect(try titles("zeppelni") == ["Rock"])
        let listening = try ListeningStore(data.folder).account(Account.mainID)
        var query = CatalogueQuery(sort: TrackSort.relevance, limit: 20)
        query.text = "zepelin"
        #expect(try listening.look { try $0.catalogue.tracks(query) }.items.map(\.title) == ["Rock"])
    }
}
