import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import StreamHost

@Suite("Malformed requests to the OpenSubsonic API", .timeLimit(.minutes(30)))
struct SubsonicRobustnessTests {
    private static let endpoints = [
        "ping", "getIndexes", "getMusicDirectory", "getArtist", "getAlbum", "getSong", "getAlbumList",
        "getAlbumList2",
        "getRandomSongs", "getSongsByGenre", "search2", "search3", "getTopSongs", "getSimilarSongs",
        "getArtistInfo2",
        "getAlbumInfo", "getLyrics", "getLyricsBySongId", "getUser", "stream", "download", "hls.m3u8",
        "getCoverArt",
        "star", "unstar", "setRating", "scrobble", "createPlaylist", "updatePlaylist", "deletePlaylist",
        "getPlaylist",
        "savePlayQueue", "savePlayQueueByIndex", "createBookmark", "deleteBookmark",
        "createInternetRadioStation",
        "updateInternetRadioStation", "deleteInternetRadioStation", "tokenInfo", "getPodcasts", "", ".view",
        "%00", "..",
    ]
    private static let names = [
        "id", "id", "id", "albumId", "artistId", "rating", "time", "submission", "query", "type", "size",
        "offset",
        "count", "songCount", "songOffset", "fromYear", "toYear", "genre", "artist", "title", "name",
        "playlistId",
        "songId", "songIdToAdd", "songIndexToRemove", "current", "currentIndex", "position", "maxBitRate",
        "format",
        "timeOffset", "bitRate", "ifModifiedSince", "username", "streamUrl", "homepageUrl", "comment", "f",
        "callback",
        "v", "c", "enhanced", "public",
    ]
    private static let values = [
        "", "0", "-1", "1", "99999999999999999999", "9223372036854775807", "-9223372036854775808", "1e9",
        "NaN",
        "tr-1", "tr-2", "tr--1", "tr-9223372036854775807", "al-1", "ar-1", "pl-1", "ra-1", "tr-", "-1-",
        "%00",
        "%ff%fe", "%F0%9F%98%80", "%22", "'; DROP TABLE tracks; --", "<script>", "random", "byYear",
        "byGenre",
        "newest", "jsonp", "json", "xml", "true", "*", "%25", "%", "a%", "Jazz", "http://x.example/",
        "\u{202E}",
        "AND%20OR%20NOT", "NEAR(", "{title}%20:%20x", String(repeating: "z", count: 5000), "2.0.0", "0.0",
    ]

    @Test("10,000 malformed requests get an answer of the protocol, never a server error")
    func malformed() async throws {
        try await SubsonicLibrary.with { library in
            var generator = SeededGenerator(seed: 17)
            func pick(_ list: [String]) -> String { list[Int.random(in: list.indices, using: &generator)] }
            for _ in 1...10_000 {
                let query = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    "\(pick(Self.names))=\(pick(Self.values))"
                }
                let endpoint = pick(Self.endpoints)
                let target = "/rest/\(endpoint)?\(library.credentials)&\(query.joined(separator: "&"))"
                    .replacing(" ", with: "+")
                let isForm = Bool.random(using: &generator)
                let request =
                    isForm
                    ? HTTPRequest(
                        .post, "/rest/\(endpoint)",
                        fields: [.contentType: "application/x-www-form-urlencoded"],
                        body: .bytes(Array(target.drop { $0 != "?" }.dropFirst().utf8)))
                    : HTTPRequest(.get, target)
                let response = await library.served.responder.respond(to: request)
                #expect(response.status.rawValue < 500, "\(target.prefix(500))")
            }
            let code = try await library.error("ping")
            #expect(code == nil)
        }
    }

    @Test("A form of any size and bytes is answered")
    func forms() async throws {
        let library = try await SubsonicLibrary.shared.value
        for body in [
            [UInt8](repeating: 0xFF, count: 5000), Array("u=%".utf8), [0],
            [UInt8](repeating: 0x61, count: 2 << 20),
        ] {
            let response = await library.served.responder.respond(
                to: HTTPRequest(
                    .post, "/rest/ping", fields: [.contentType: "application/x-www-form-urlencoded"],
                    body: .bytes(body)))
            #expect(response.status == .ok)
        }
    }
}
