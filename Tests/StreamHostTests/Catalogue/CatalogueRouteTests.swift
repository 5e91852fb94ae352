import Companion
import Foundation
import LibraryStore
import MusicShared
import Testing
import TestSupport

@Suite("The catalogue over HTTP", .timeLimit(.minutes(30)))
struct CatalogueRouteTests {
    private let served: ServedLibrary

    init() async throws { served = try await ServedStreams.library.value }

    private func page<Item: Decodable>(_ path: String, of: Item.Type) async throws -> CataloguePage<Item> {
        let answer = try await served.get(path)
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(CataloguePage<Item>.self, from: Data(answer.body))
    }

    @Test("A listed track links to its stream, file and cover")
    func links() async throws {
        let tracks = try await page("/api/tracks?q=cbr", of: TrackItem.self)
        #expect(tracks.total == 1)
        let track = try #require(tracks.items.first)
        #expect(track.relativePath == "cbr.mp3" && track.sampleCount == 20 * 44_100 + 777)
        #expect(track.integratedLUFS != nil && track.truePeakDBTP != nil && track.cueInSeconds != nil)
        #expect(!track.hasCover)
        #expect(try await served.get(track.streamURL).text.hasPrefix("#EXTM3U"))
        #expect(try await served.get(track.fileURL).body.count == track.fileSizeBytes)
        #expect(try await served.get(track.coverURL).status == 404)
        let one = try await served.get("/api/tracks/\(track.id)")
        #expect(try JSONDecoder().decode(TrackItem.self, from: Data(one.body)) == track)
    }

    @Test("Albums and artists link to each other")
    func albums() async throws {
        let albums = try await page("/api/albums?sort=-artist", of: AlbumItem.self)
        let album = try #require(albums.items.first)
        #expect(albums.total == 1 && album.title == "Album" && album.trackCount == 1 && album.tracks == nil)
        let one = try await served.get("/api/albums/\(album.id)")
        let full = try JSONDecoder().decode(AlbumItem.self, from: Data(one.body))
        #expect(full.tracks?.map(\.title) == ["Title"])
        #expect(full.integratedLUFS == full.tracks?.first?.integratedLUFS)
        let artists = try await page("/api/artists?q=artis", of: ArtistItem.self)
        #expect(artists.items.map(\.name) == ["Artist"] && artists.items[0].id == album.artistID)
        let artist = try await served.get("/api/artists/\(artists.items[0].id)")
        #expect(
            try JSONDecoder().decode(ArtistItem.self, from: Data(artist.body)).albums?.map(\.id) == [album.id]
        )
        let byArtist = try await page("/api/tracks?artist_id=\(artists.items[0].id)", of: TrackItem.self)
        let byAlbum = try await page("/api/tracks?album_id=\(album.id)", of: TrackItem.self)
        #expect(byArtist.items == byAlbum.items && byAlbum.items == full.tracks)
    }

    @Test("Keys are in snake case, and unknown values are omitted")
    func keys() async throws {
        let answer = try await served.get("/api/tracks?limit=1&sort=title")
        let items = try #require(try answer.json("items") as? [[String: Any]])
        let keys = try #require(items.first).keys
        #expect(keys.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "_" } })
        #expect(keys.contains("stream_url") && !keys.contains("title"))
        #expect(try answer.json("limit") as? Int == 1 && answer.json("offset") as? Int == 0)
        #expect(
            try answer.json("total") as? Int == (try await served.get("/api/tracks").json("total") as? Int))
    }

    @Test(
        "Unknown parameters are 400, invalid values are 422, and errors name them",
        arguments: [
            ("/api/tracks?limit=0", "limit"), ("/api/tracks?limit=501", "limit"),
            ("/api/tracks?limit=x", "limit"),
            ("/api/tracks?limit=", "limit"), ("/api/tracks?offset=-1", "offset"),
            ("/api/tracks?sort=size", "sort"),
            ("/api/tracks?sort=--title", "sort"), ("/api/tracks?order=title", "order"),
            ("/api/tracks?limit=1&limit=2", "limit"), ("/api/tracks?artist_id=0", "artist_id"),
            ("/api/tracks?year=19x9", "year"), ("/api/tracks/1?x=1", "x"), ("/api/albums?sort=bpm", "sort"),
            ("/api/albums?album_id=1", "album_id"), ("/api/artists?genre=Rock", "genre"),
            ("/api/playlists?sort=title", "sort"), ("/api/albums/1?q=x", "q"),
            ("/tracks/1/cover?size=15", "size"), ("/tracks/1/cover?size=1601", "size"),
        ])
    func invalid(path: String, field: String) async throws {
        let answer = try await served.get(path)
        #expect(answer.status == (answer.errorCode == "unknown_parameter" ? 400 : 422))
        #expect(try answer.json("error", "field") as? String == field)
        #expect(try answer.json("error", "message") as? String != nil)
    }

    @Test(
        "Missing items are 404",
        arguments: [
            "/api/tracks/99999", "/api/albums/99999", "/api/artists/99999", "/api/playlists/99999",
            "/api/tracks/x", "/api/albums/99999/cover", "/tracks/99999/cover",
        ])
    func notFound(path: String) async throws {
        // Even with If-None-Match.
        let tag = try #require(try await served.get("/api/tracks").field("ETag"))
        for fields in [[], ["-H", "If-None-Match: \(tag)"], ["-H", "If-None-Match: *"]] {
            let answer = try await served.get(path, fields)
            #expect(answer.status == 404)
            #expect(try answer.json("error", "code") as? String != nil)
        }
    }

    @Test(
        "Every search text is accepted",
        arguments: [
            "%22", "%00", "*", "%FF", "a%20OR", "NEAR(", "'", "%F0%9F%8E%B5", "%5C", "(((", "", "%20",
        ])
    func anySearch(text: String) async throws {
        for list in ["tracks", "albums", "artists", "playlists"] {
            #expect(try await served.get("/api/\(list)?q=\(text)").status == 200)
        }
    }

    @Test("HEAD returns the header fields of GET")
    func head() async throws {
        let get = try await served.get("/api/tracks")
        let head = try await served.get("/api/tracks", ["-I"])
        #expect(head.status == 200)
        for name in ["ETag", "Content-Type", "Content-Length", "Cache-Control"] {
            #expect(head.field(name) == get.field(name) && head.field(name) != nil)
        }
    }

    @Test("A track token does not grant access to an album or artist with the same ID")
    func tokens() async throws {
        let id = try served.id("tagged.mp3")
        let made = try await served.get("/auth/token?track_id=\(id)", ["-X", "POST"])
        let token = try #require(try made.json("token") as? String)
        #expect(try await served.get("/api/tracks/\(id)?token=\(token)", key: "").status == 200)
        let others = try await page("/api/albums", of: AlbumItem.self).items.map { "/api/albums/\($0.id)" }
        for path in others + [
            "/api/albums/\(id)", "/api/artists/\(id)", "/api/playlists/\(id)", "/api/tracks",
        ] {
            #expect(try await served.get("\(path)?token=\(token)", key: "").status == 401)
        }
    }

    @Test("Lists support conditional requests, and their ETag changes with every change")
    func conditional() async throws {
        try await ServedLibrary.with([
            ("one.mp3", try Encoders.lame(PCM.music(frameCount: 44_100), ["-b", "64"]))
        ]) { own in
            let paths = ["/api/tracks", "/api/albums?q=x", "/api/artists", "/api/playlists", "/api/tracks/1"]
            var tags: [String] = []
            for path in paths {
                let tag = try #require(try await own.get(path).field("ETag"))
                #expect(!tag.hasPrefix("W/"))
                let again = try await own.get(path, ["-H", "If-None-Match: \(tag)"])
                #expect(again.status == 304 && again.body.isEmpty && again.field("ETag") == tag)
                // Two requests on one connection, so that a wrong length would be noticed.
                let both = try await ProcessRun.aside(
                    "curl",
                    [
                        "-sS", "-m", "20", "-H", own.authorization, "-H", "If-None-Match: \(tag)", "-w",
                        "%{http_code}\n", own.base + path, own.base + path,
                    ])
                #expect(both.text == "304\n304\n")
                tags.append(tag)
            }
            _ = try own.library.makePlaylist(name: "New")
            for (path, tag) in zip(paths, tags) {
                #expect(try await own.get(path, ["-H", "If-None-Match: \(tag)"]).status == 200)
            }
        }
    }
}
