import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import StreamHost

@Suite("Reading through the OpenSubsonic API", .timeLimit(.minutes(30)))
struct SubsonicReadingTests {
    private let library: SubsonicLibrary

    init() async throws { library = try await SubsonicLibrary.shared.value }

    @Test("A song has its tags, its file's facts and its loudness", arguments: ["getSong", "getSong.view"])
    func song(endpoint: String) async throws {
        let id = try library.id("a/1.mp3")
        let song = try #require(try await library.ask(endpoint, "id=\(id)")["song"] as? [String: Any])
        #expect(song["id"] as? String == id && song["title"] as? String == "One & <Only>")
        #expect(song["artist"] as? String == "Äther \"Trio\"" && song["album"] as? String == "First")
        #expect(song["genre"] as? String == "Jazz" && song["year"] as? Int == 1999)
        #expect(song["track"] as? Int == 1 && song["isDir"] as? Bool == false)
        #expect(song["samplingRate"] as? Int == 44_100 && song["channelCount"] as? Int == 2)
        #expect(song["bitRate"] as? Int == 160 && song["duration"] as? Int == 4)
        #expect(song["suffix"] as? String == "mp3" && song["contentType"] as? String == "audio/mpeg")
        #expect(song["path"] as? String == "a/1.mp3")
        let size = try Data(contentsOf: URL(filePath: library.served.file("a/1.mp3"))).count
        #expect(song["size"] as? Int == size)
        #expect((song["genres"] as? [[String: Any]])?.texts("name") == ["Jazz"])
        #expect((song["artists"] as? [[String: Any]])?.texts("name") == ["Äther \"Trio\""])
    }

    @Test("A song has its codes, moods, advice and credits, and empty ones where it has none")
    func credits() async throws {
        let id = try library.id("a/1.mp3")
        let song = try #require(try await library.ask("getSong", "id=\(id)")["song"] as? [String: Any])
        #expect(song["isrc"] as? [String] == ["USSM18300073"] && song["moods"] as? [String] == ["calm"])
        #expect(song["musicBrainzId"] as? String == SubsonicLibrary.recordingID)
        #expect(
            song["sortName"] as? String == "One, sorted" && song["explicitStatus"] as? String == "explicit")
        let people = try #require(song["contributors"] as? [[String: Any]])
        #expect(people.texts("role") == ["lyricist", "conductor", "remixer"])
        #expect(
            people.compactMap { $0["artist"] as? [String: Any] }.texts("name") == [
                "Anna Author", "Carl Conductor", "Rita Remixer",
            ])
        let other = try #require(
            try await library.ask("getSong", "id=\(library.id("a/2.mp3"))")["song"] as? [String: Any])
        for key in ["isrc", "moods", "contributors"] { #expect((other[key] as? [Any])?.isEmpty == true) }
        for key in ["musicBrainzId", "sortName", "explicitStatus"] { #expect(other[key] as? String == "") }
    }

    @Test("ReplayGain leads to -18 LUFS as libebur128 measures it, peaks are linear")
    func replayGain() async throws {
        let id = try library.id("c/1.mp3")
        let song = try #require(try await library.ask("getSong", "id=\(id)")["song"] as? [String: Any])
        let gain = try #require(song["replayGain"] as? [String: Any])
        // ffmpeg's ebur128 filter is an independent meter.
        let run = try await ProcessRun.aside(
            "ffmpeg",
            [
                "-nostdin", "-hide_banner", "-i", library.served.file("c/1.mp3"), "-af", "ebur128=peak=true",
                "-f", "null", "-",
            ])
        let report = String(decoding: run.errors, as: UTF8.self)
        let summary = try #require(report.components(separatedBy: "Summary:").last)
        let loudness = try #require(
            summary.firstMatch(of: /I: +(-?[0-9.]+) LUFS/).flatMap { Double($0.output.1) })
        let peak = try #require(
            summary.firstMatch(of: /Peak: +(-?[0-9.]+) dBFS/).flatMap { Double($0.output.1) })
        let trackGain = try #require(gain["trackGain"] as? Double)
        #expect(abs(trackGain - (-18 - loudness)) <= 0.2)
        let trackPeak = try #require(gain["trackPeak"] as? Double)
        #expect(trackPeak > 0 && abs(20 * log10(trackPeak) - peak) <= 0.5)
        #expect(gain["albumGain"] as? Double != nil && gain["albumPeak"] as? Double != nil)
    }

    @Test("Albums, artists and directories lead to the songs")
    func browsing() async throws {
        let album = try await library.entry("album", "First")
        let albumID = try #require(album["id"] as? String)
        #expect(album["songCount"] as? Int == 2 && album["duration"] as? Int == 8)
        #expect(album["year"] as? Int == 1999 && album["genre"] as? String == "Jazz")
        #expect(
            try await library.list("getAlbum", "id=\(albumID)", "album", "song").texts("title") == [
                "One & <Only>", "Two",
            ])
        let artist = try await library.entry("artist", "Äther \"Trio\"")
        let artistID = try #require(artist["id"] as? String)
        #expect(artist["albumCount"] as? Int == 2)
        #expect(
            try await library.list("getArtist", "id=\(artistID)", "artist", "album").texts("name") == [
                "First", "Second",
            ])
        let root = try await library.list("getMusicDirectory", "id=1", "directory", "child")
        #expect(root.texts("id").contains(artistID) && root.allSatisfy { $0["isDir"] as? Bool == true })
        let albums = try await library.list("getMusicDirectory", "id=\(artistID)", "directory", "child")
        #expect(albums.texts("title") == ["First", "Second"] && albums[0]["parent"] as? String == artistID)
        let songs = try await library.list("getMusicDirectory", "id=\(albumID)", "directory", "child")
        #expect(songs.texts("title") == ["One & <Only>", "Two"] && songs[0]["parent"] as? String == albumID)
    }

    @Test("Artists are indexed by their first letter without accents")
    func index() async throws {
        for (endpoint, element) in [("getArtists", "artists"), ("getIndexes", "indexes")] {
            let index = try await library.list(endpoint, "", element, "index")
            #expect(index.texts("name") == ["A", "B"])
        }
        let changed = try #require(
            (try await library.ask("getIndexes")["indexes"] as? [String: Any])?["lastModified"] as? Int)
        #expect(abs(Double(changed) / 1000 - Date().timeIntervalSince1970) < 86_400)
        let later = try await library.list("getIndexes", "ifModifiedSince=\(changed)", "indexes", "index")
        #expect(later.isEmpty)
    }

    @Test("Album lists have the specified orders, in pages")
    func albumLists() async throws {
        func names(_ query: String) async throws -> [String] {
            let old = try await library.list("getAlbumList", query, "albumList", "album").texts("title")
            let new = try await library.list("getAlbumList2", query, "albumList2", "album").texts("name")
            #expect(old == new, "\(query)")
            return new
        }
        #expect(try await names("type=alphabeticalByName") == ["First", "Second", "Third"])
        #expect(try await names("type=alphabeticalByName&size=1&offset=1") == ["Second"])
        #expect(try await names("type=byYear&fromYear=2000&toYear=2020") == ["Second", "Third"])
        #expect(try await names("type=byYear&fromYear=2020&toYear=1990") == ["Third", "Second", "First"])
        #expect(try await names("type=byGenre&genre=jazz") == ["First", "Second"])
        #expect(try await Set(names("type=newest")) == ["First", "Second", "Third"])
        #expect(
            try await Set(library.list("getAlbumList2", "type=random", "albumList2", "album").texts("name"))
                == ["First", "Second", "Third"])
        #expect(try await library.error("getAlbumList2") == 10)
        #expect(try await library.error("getAlbumList2", "type=byYear") == 10)
        #expect(try await library.error("getAlbumList2", "type=nonsense") == 0)
    }

    @Test("An empty query, also as two quotes, returns everything once, in pages", arguments: ["", "%22%22"])
    func everything(query: String) async throws {
        var ids: [String] = []
        for offset in stride(from: 0, through: 6, by: 2) {
            ids += try await library.list(
                "search3", "query=\(query)&songCount=2&songOffset=\(offset)", "searchResult3", "song"
            ).texts("id")
        }
        #expect(try Set(ids) == Set(SubsonicLibrary.songs.map { try library.id($0.file) }) && ids.count == 6)
        #expect(try await library.list("search3", "query=\(query)", "searchResult3", "album").count == 3)
        #expect(try await library.list("search3", "query=\(query)", "searchResult3", "artist").count == 2)
    }

    @Test("Searches ignore accents and find beginnings of words", arguments: ["search2", "search3"])
    func search(endpoint: String) async throws {
        let element = endpoint == "search2" ? "searchResult2" : "searchResult3"
        let songs = try await library.list(endpoint, "query=ather%20tr", element, "song")
        #expect(songs.count == 3)
        #expect(try await library.list(endpoint, "query=six", element, "song").texts("title") == ["Six"])
        // One typo, exact matches first.
        #expect(try await library.list(endpoint, "query=scond", element, "album").count == 1)
        #expect(try await library.list(endpoint, "query=thrid", element, "song").count == 3)
        #expect(
            try await library.list(endpoint, "query=three", element, "song").texts("title").first == "Three")
        #expect(try await library.error(endpoint) == 10)
    }

    @Test("Genres count their songs and albums")
    func genres() async throws {
        let genres = try await library.list("getGenres", "", "genres", "genre")
        #expect(genres.texts("value") == ["Jazz", "Rock"])
        #expect(genres.compactMap { $0["songCount"] as? Int } == [3, 3])
        #expect(genres.compactMap { $0["albumCount"] as? Int } == [2, 1])
        let songs = try await library.list(
            "getSongsByGenre", "genre=Rock&count=2&offset=1", "songsByGenre", "song")
        #expect(songs.texts("title") == ["Five", "Six"])
        let random = try await library.list(
            "getRandomSongs", "genre=Jazz&fromYear=2000&size=9", "randomSongs", "song")
        #expect(random.texts("title") == ["Three"])
    }

    @Test("Songs similar to those of an album or artist are others, and top songs are the artist's")
    func similar() async throws {
        for (kind, name) in [("album", "Third"), ("artist", "Beta")] {
            let id = try #require(try await library.entry(kind, name)["id"] as? String)
            let songs = try await library.list("getSimilarSongs2", "id=\(id)", "similarSongs2", "song")
            #expect(Set(songs.texts("title")) == ["One & <Only>", "Two", "Three"])
        }
        let top = try await library.list("getTopSongs", "artist=beta", "topSongs", "song")
        #expect(Set(top.texts("title")) == ["Four", "Five", "Six"])
    }

    @Test("Lyrics have lines and words with their times")
    func lyrics() async throws {
        let id = try library.id("a/1.mp3")
        let found = try await library.list("getLyricsBySongId", "id=\(id)", "lyricsList", "structuredLyrics")
        let first = try #require(found.first)
        let lines = try #require(first["line"] as? [[String: Any]])
        #expect(first["synced"] as? Bool == true && first["cueLine"] == nil && first["kind"] == nil)
        #expect(
            lines.compactMap { $0["start"] as? Int } == [500, 2000]
                && lines.texts("value") == ["Hello", "World again"])
        let enhanced = try await library.list(
            "getLyricsBySongId", "id=\(id)&enhanced=true", "lyricsList", "structuredLyrics")
        let cues = (enhanced.first?["cueLine"] as? [[String: Any]])?.first?["cue"] as? [[String: Any]] ?? []
        #expect(cues.compactMap { $0["start"] as? Int } == [2000, 2500])
        #expect(cues.compactMap { $0["byteStart"] as? Int } == [0, 6])
        #expect(
            try await library.list(
                "getLyricsBySongId", "id=\(library.id("b/1.mp3"))", "lyricsList", "structuredLyrics"
            ).isEmpty)
    }

    @Test("An item without a cover gets a picture that stands for one, in the size that is asked for")
    func placeholder() async throws {
        for (query, side) in [
            ("id=al-1&size=100", 128), ("id=ar-1", 512), ("id=\(try library.id("a/1.mp3"))&size=9999", 1600),
        ] {
            let response = await library.respond("getCoverArt", query)
            #expect(response.fields[.contentType] == "image/png")
            guard case .bytes(let bytes) = response.body else {
                Issue.record("\(query): no picture")
                continue
            }
            let directory = try TemporaryDirectory()
            let path = try directory.write(bytes, as: "cover.png")
            let probe = try await ProcessRun.aside(
                "ffprobe", ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path])
            #expect(probe.text == "\(side),\(side)\n", "\(query)")
        }
    }

    @Test(
        "Items that do not exist are error 70, missing parameters 10",
        arguments: [
            ("getSong", "id=tr-999999", 70), ("getSong", "id=nonsense", 70), ("getSong", "id=al-1", 70),
            ("getSong", "", 10),
            ("getAlbum", "id=al-999999", 70), ("getArtist", "id=ar-999999", 70),
            ("getMusicDirectory", "id=tr-1", 70),
            ("getPlaylist", "id=pl-999999", 70), ("getAvatar", "username=owner", 70),
            ("getUser", "username=other", 50),
            ("stream", "id=tr-999999", 70), ("getCoverArt", "id=tr-999999", 70),
            ("getCoverArt", "id=al-999999", 70),
            ("getPodcasts", "", 0), ("jukeboxControl", "", 10),
        ])
    func errors(endpoint: String, query: String, code: Int) async throws {
        #expect(try await library.error(endpoint, query) == code)
    }

    @Test("An unknown endpoint is 404 with an error of the protocol")
    func unknown() async throws {
        let response = await library.respond("noSuchEndpoint")
        guard case .bytes(let bytes) = response.body else { throw CancellationError() }
        #expect(
            response.status == .notFound
                && String(decoding: bytes, as: UTF8.self).contains("\"status\":\"failed\""))
    }

    @Test("POST takes parameters of the form, XML is the standard format")
    func form() async throws {
        let answer = try await library.served.get(
            "/rest/getSong.view", ["-d", "\(library.credentials)&id=\(try library.id("a/2.mp3"))"], key: "")
        #expect(answer.status == 200 && answer.field("Content-Type")?.hasPrefix("text/xml") == true)
        #expect(answer.text.contains("<song id=") && answer.text.contains("title=\"Two\""))
    }
}
