import Foundation
import HTTPServer
import LibraryStore
import MusicShared
import TestSupport
import Testing

@testable import StreamHost

@Suite("Changes through the OpenSubsonic API", .timeLimit(.minutes(30)))
struct SubsonicWritingTests {
    @Test("Stars and ratings of songs, albums and artists appear everywhere and can be removed")
    func stars() async throws {
        try await SubsonicLibrary.with { library in
            let song = try library.id("c/1.mp3")
            let album = try #require(try await library.entry("album", "First")["id"] as? String)
            let artist = try #require(try await library.entry("artist", "Beta")["id"] as? String)
            let query = "id=\(song)&albumId=\(album)&artistId=\(artist)"
            #expect(try await library.error("star", query) == nil)
            for endpoint in ["starred", "starred2"] {
                for (kind, id) in [("song", song), ("album", album), ("artist", artist)] {
                    let found = try await library.list("get\(endpoint.capitalized)", "", endpoint, kind)
                    #expect(found.texts("id") == [id] && found[0]["starred"] as? String != nil)
                }
            }
            #expect(
                try await library.list("getAlbumList2", "type=starred", "albumList2", "album").texts("id")
                    == [album])
            #expect(try await library.error("unstar", query) == nil)
            #expect(try await library.list("getStarred2", "", "starred2", "song").isEmpty)
            #expect(try await library.error("setRating", "id=\(album)&rating=4") == nil)
            let rated = try await library.list("getAlbumList2", "type=highest", "albumList2", "album")
            #expect(rated.texts("id") == [album] && rated[0]["userRating"] as? Int == 4)
            #expect(try await library.error("setRating", "id=\(album)&rating=0") == nil)
            #expect(try await library.list("getAlbumList2", "type=highest", "albumList2", "album").isEmpty)
            #expect(try await library.error("setRating", "id=\(album)&rating=6") == 0)
            #expect(try await library.error("star", "id=tr-999999") == 70)
            #expect(try await library.error("star") == 10)
        }
    }

    @Test("Scrobbles count as plays at their times, announcements show as playing now")
    func scrobbles() async throws {
        try await SubsonicLibrary.with { library in
            let (first, second) = (try library.id("c/1.mp3"), try library.id("a/1.mp3"))
            #expect(
                try await library.error(
                    "scrobble", "id=\(first)&time=1700000000000&id=\(second)&time=1700000100000") == nil)
            #expect(try await library.error("scrobble", "id=\(first)&time=1700000200000") == nil)
            let song = try #require(try await library.ask("getSong", "id=\(first)")["song"] as? [String: Any])
            #expect(song["playCount"] as? Int == 2 && song["played"] as? String == "2023-11-14T22:16:40.000Z")
            #expect(
                try await library.list("getAlbumList2", "type=frequent", "albumList2", "album").texts("name")
                    == ["Third", "First"])
            #expect(
                try await library.list("getAlbumList2", "type=recent", "albumList2", "album").texts("name")
                    == ["Third", "First"])
            #expect(try await library.error("scrobble", "id=\(second)&submission=false") == nil)
            let playing = try await library.list("getNowPlaying", "", "nowPlaying", "entry")
            #expect(playing.texts("id") == [second] && playing[0]["username"] as? String == "owner")
            #expect(playing[0]["playerName"] as? String == "tests" && playing[0]["minutesAgo"] as? Int == 0)
            // Streaming is no play.
            _ = await library.respond("stream", "id=\(second)")
            let other = try #require(
                try await library.ask("getSong", "id=\(second)")["song"] as? [String: Any])
            #expect(other["playCount"] as? Int == 1)
        }
    }

    @Test("Playlists are created, changed, replaced and deleted")
    func playlists() async throws {
        try await SubsonicLibrary.with { library in
            let ids = try ["a/1.mp3", "a/2.mp3", "b/1.mp3"].map { try library.id($0) }
            let created = try await library.ask(
                "createPlaylist", "name=Mine&songId=\(ids[0])&songId=\(ids[1])")
            let id = try #require((created["playlist"] as? [String: Any])?["id"] as? String)
            func songs() async throws -> [String] {
                try await library.list("getPlaylist", "id=\(id)", "playlist", "entry").texts("id")
            }
            #expect(try await songs() == [ids[0], ids[1]])
            let change =
                "playlistId=\(id)&name=Ours&comment=c&songIdToAdd=\(ids[2])&songIdToAdd=\(ids[0])&songIndexToRemove=0"
            #expect(try await library.error("updatePlaylist", change) == nil)
            #expect(try await songs() == [ids[1], ids[2], ids[0]])
            let lists = try await library.list("getPlaylists", "", "playlists", "playlist")
            #expect(lists.texts("name") == ["Ours"] && lists.texts("comment") == ["c"])
            #expect(lists[0]["songCount"] as? Int == 3 && lists[0]["owner"] as? String == "owner")
            #expect(try await library.error("createPlaylist", "playlistId=\(id)&songId=\(ids[2])") == nil)
            #expect(try await songs() == [ids[2]])
            #expect(try await library.error("createPlaylist", "name=Ours") == 0)
            #expect(try await library.error("createPlaylist") == 10)
            #expect(try await library.error("updatePlaylist", "playlistId=\(id)&songIndexToRemove=7") == 0)
            #expect(try await library.error("deletePlaylist", "id=\(id)") == nil)
            #expect(try await library.error("getPlaylist", "id=\(id)") == 70)
        }
    }

    @Test("Smart playlists are read-only playlists that follow the listening data")
    func smartPlaylists() async throws {
        try await SubsonicLibrary.with { library in
            let rules = try JSONDecoder().decode(
                SmartRules.self, from: Data(#"{"all": [{"is": {"loved": true}}]}"#.utf8))
            let number = try library.served.library.makePlaylist(name: "Stars", rules: rules)
            let id = "pl-\(number)"
            let songs = try ["a/1.mp3", "b/1.mp3"].map { try library.id($0) }
            func listed() async throws -> [String: Any] {
                let lists = try await library.list("getPlaylists", "", "playlists", "playlist")
                return try #require(lists.first { $0["name"] as? String == "Stars" })
            }
            #expect(try await listed()["id"] as? String == id)
            #expect(try await listed()["songCount"] as? Int == 0)
            #expect(try await library.error("star", "id=\(songs[0])&id=\(songs[1])") == nil)
            #expect(try await listed()["songCount"] as? Int == 2)
            #expect(try await listed()["readonly"] as? Bool == true)
            let entries = try await library.list("getPlaylist", "id=\(id)", "playlist", "entry")
            #expect(Set(entries.texts("id")) == Set(songs))
            #expect(
                try await library.error("updatePlaylist", "playlistId=\(id)&songIdToAdd=\(songs[0])") == 50)
            #expect(try await library.error("updatePlaylist", "playlistId=\(id)&songIndexToRemove=0") == 50)
            #expect(try await library.error("createPlaylist", "playlistId=\(id)&songId=\(songs[0])") == 50)
            #expect(try await library.error("updatePlaylist", "playlistId=\(id)&name=Loved") == nil)
            #expect(try await library.error("deletePlaylist", "id=\(id)") == nil)
        }
    }

    @Test("A saved play queue comes back, by song and by index")
    func queue() async throws {
        try await SubsonicLibrary.with { library in
            let ids = try ["a/1.mp3", "a/2.mp3"].map { try library.id($0) }
            #expect(try await library.ask("getPlayQueue")["playQueue"] == nil)
            let saved = "id=\(ids[0])&id=\(ids[1])&current=\(ids[1])&position=1234"
            #expect(try await library.error("savePlayQueue", saved) == nil)
            let queue = try #require(try await library.ask("getPlayQueue")["playQueue"] as? [String: Any])
            #expect(queue["current"] as? String == ids[1] && queue["position"] as? Int == 1234)
            #expect(queue["changedBy"] as? String == "tests" && queue["username"] as? String == "owner")
            let twice = "id=\(ids[0])&id=\(ids[0])&currentIndex=1"
            #expect(try await library.error("savePlayQueueByIndex", twice) == nil)
            let byIndex = try #require(
                try await library.ask("getPlayQueueByIndex")["playQueueByIndex"] as? [String: Any])
            #expect(byIndex["currentIndex"] as? Int == 1 && byIndex["position"] as? Int == 0)
            #expect((byIndex["entry"] as? [[String: Any]])?.texts("id") == [ids[0], ids[0]])
            for index in ["currentIndex=2", "currentIndex=-1", ""] {
                #expect(
                    try await library.error("savePlayQueueByIndex", "id=\(ids[0])&id=\(ids[0])&\(index)")
                        == 10)
            }
            #expect(try await library.error("savePlayQueue", "id=\(ids[0])") == 10)
            #expect(try await library.error("savePlayQueue") == nil)
            #expect(try await library.list("getPlayQueue", "", "playQueue", "entry").isEmpty)
        }
    }

    @Test("Bookmarks and radio stations are kept until they are deleted")
    func bookmarksAndStations() async throws {
        try await SubsonicLibrary.with { library in
            let id = try library.id("a/1.mp3")
            for position in [1000, 2000] {
                #expect(
                    try await library.error("createBookmark", "id=\(id)&position=\(position)&comment=x")
                        == nil)
            }
            let bookmarks = try await library.list("getBookmarks", "", "bookmarks", "bookmark")
            #expect(bookmarks.compactMap { $0["position"] as? Int } == [2000])
            #expect((bookmarks[0]["entry"] as? [String: Any])?["id"] as? String == id)
            #expect(try await library.error("deleteBookmark", "id=\(id)") == nil)
            #expect(try await library.error("deleteBookmark", "id=\(id)") == 70)
            let station = "streamUrl=http://radio.example/a&name=Radio"
            #expect(try await library.error("createInternetRadioStation", station) == nil)
            let found = try await library.list(
                "getInternetRadioStations", "", "internetRadioStations", "internetRadioStation")
            #expect(found.texts("streamUrl") == ["http://radio.example/a"])
            let number = try #require(found[0]["id"] as? String)
            #expect(try await library.error("deleteInternetRadioStation", "id=\(number)") == nil)
            #expect(try await library.error("deleteInternetRadioStation", "id=\(number)") == 70)
            #expect(
                try await library.error("createInternetRadioStation", "name=R&streamUrl=javascript:alert(1)")
                    == 0)
        }
    }

    @Test("startScan finds new files")
    func scan() async throws {
        try await SubsonicLibrary.with { library in
            let status = try #require(try await library.ask("startScan")["scanStatus"] as? [String: Any])
            #expect(status["scanning"] as? Bool == true && status["count"] as? Int == 6)
            let song = try Encoders.lame(
                PCM.music(frameCount: 44_100, seed: 99), ["-b", "64", "--tt", "New"])
            try Data(song).write(to: URL(filePath: library.served.file("a/new.mp3")))
            // A file that was just written is left alone until it is complete.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3600)],
                ofItemAtPath: library.served.file("a/new.mp3"))
            _ = try await library.ask("startScan")
            try await until {
                try await !library.list("search3", "query=New", "searchResult3", "song").isEmpty
            }
        }
    }
}
