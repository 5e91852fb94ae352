import Foundation
import TestSupport
import Testing

/// Export and import of settings, favourites and playlists with the page's own buttons.
@Suite("Settings file", .onlyInChromium, .timeLimit(.minutes(30)))
struct SettingsFileTests {
    /// A file to import, with words expected in the message.
    struct Chosen: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let says: [String]
        var testDescription: String { name }
    }

    private struct Outcome: Sendable {
        var texts: [String: [String: String]] = [:]
        var exported = ""
        var consoleErrors: [String] = []
    }

    private static let kind = #""kind": "audio-companion-player-settings", "version": 1"#

    /// Invalid files, with words expected in the message: the problem and the advice.
    static let bad =
        [
            Chosen(name: "cut", text: "{\(kind), \"settings\": {\"appear", says: ["damaged", "exported"]),
            Chosen(name: "empty", text: "", says: ["damaged", "exported"]),
            Chosen(name: "null", text: "null", says: ["not a backup", "exported"]),
            Chosen(name: "foreign", text: #"{"theme": "dark"}"#, says: ["not a backup", "exported"]),
            Chosen(name: "MP3", text: "ID3\u{4}\0\0\0", says: ["damaged", "exported"]),
            Chosen(
                name: "too large", text: "large",
                says: ["too large", "exported"]),
            Chosen(
                name: "newer",
                text: #"{"kind": "audio-companion-player-settings", "version": 2, "settings": {}}"#,
                says: ["different version", "Update"]),
            Chosen(name: "list", text: "{\(kind), \"settings\": [1]}", says: ["damaged", "exported"]),
            Chosen(name: "nothing", text: "{\(kind)}", says: ["damaged", "exported"]),
        ]
        + [
            #""playback.speed": -5"#, #""playback.speed": 1e999"#, #""playback.volume": 40"#,
            #""appearance.theme": "<img src=x onerror=alert(1)>""#, #""playback.gapless": "yes""#,
            #""visualizer.full.points": 1e9"#, #""visualizer.mini.customColour": "red;background:url(//x)""#,
            #""playback.targetLUFS": null"#, #""library.sort.songs": {"toString": 1}"#,
        ].map { setting in
            // A valid setting comes first.
            Chosen(
                name: setting,
                text: "{\(kind), \"settings\": {\"appearance.density\": \"compact\", \(setting)}}",
                says: [
                    "Nothing was imported", String(setting.split(separator: "\"")[0]),
                    "export it again",
                ])
        }

    private static func songs() throws -> [(name: String, bytes: [UInt8])] {
        try (1...3).map { number in
            let tags = ["--tt", "Song \(number)", "--ta", "Artist", "--tl", "Album"]
            let pcm = PCM.music(frameCount: 44_100, seed: UInt64(number))
            return ("\(number).mp3", try Encoders.lame(pcm, ["-b", "64"] + tags))
        }
    }

    private static let outcome = Task { try await run() }

    private let outcome: Outcome

    init() async throws { outcome = try await Self.outcome.value }

    private static func run() async throws -> Outcome {
        let checks = try PageChecks("settings-checks.js")
        var outcome = Outcome()
        let folder = try TemporaryDirectory()
        let songs = try await aside { try Self.songs() }
        try await PlayedLibrary.with(songs) { played in
            try await WebBrowser.with(open: "\(played.base)/", errors: .any) { browser in
                func check(_ name: String, as step: String? = nil, _ more: [String] = []) async throws {
                    let told = try await checks.run(name, in: browser, key: played.key, more)
                    outcome.texts[step ?? name] = told.compactMapValues { $0 as? String }
                }
                try await browser.devtools(
                    "Browser.setDownloadBehavior", ["behavior": "allow", "downloadPath": folder.path])
                try await check("chosen")
                try await until {
                    FileManager.default.fileExists(atPath: folder.file("music-backup.json"))
                }
                outcome.exported = String(decoding: try folder.read("music-backup.json"), as: UTF8.self)
                try await check("changed")
                try await check("imported", [outcome.exported])
                for file in bad { try await check("imported", as: file.name, [file.text]) }
                let odd =
                    "{\(kind), \"settings\": {\"__proto__\": {\"polluted\": 1}, \"constructor\": 1, "
                    + "\"of.tomorrow\": \"x\", \"appearance.theme\": \"light\"}}"
                try await check("imported", as: "odd", [odd])
                try await check("rules")
                try await check("overtaken")
                try await check("early")
                try await check("lists", [outcome.exported])
                outcome.consoleErrors = try await browser.consoleErrors()
            }
        }
        return outcome
    }

    @Test("Importing an exported file restores and applies all settings")
    func roundTrip() throws {
        let chosen = try #require(outcome.texts["chosen"])
        #expect(chosen["version"] == "stream-host")
        let changed = try #require(outcome.texts["changed"])
        let imported = try #require(outcome.texts["imported"])
        #expect(changed["kept"] != chosen["kept"] && changed["shown"] != chosen["shown"])
        #expect(imported["kept"] == chosen["kept"])
        #expect(imported["shown"] == chosen["shown"])
        #expect(imported["said"]?.contains("imported") == true)
    }

    @Test("The file contains all changed settings, but not the API key")
    func file() throws {
        let content = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.exported.utf8)) as? [String: Any])
        #expect(Set(content.keys) == ["kind", "version", "settings", "favourites", "playlists"])
        let settings = try #require(content["settings"] as? [String: Any])
        #expect(settings["appearance.theme"] as? String == "dark")
        #expect(settings["playback.targetLUFS"] as? Double == -20)
        #expect(settings["playback.crossfade"] as? Bool == true)
        #expect(settings["visualizer.full.points"] as? Double == 48)
        #expect(settings["visualizer.mini.customColour"] as? String == "#00ff80")
        #expect(settings.keys.allSatisfy { $0.contains(".") && !$0.hasPrefix("host") })
    }

    @Test("Invalid files are rejected with advice, and no setting is applied", arguments: bad)
    func refused(file: Chosen) throws {
        let told = try #require(outcome.texts[file.name])
        let said = try #require(told["said"])
        for words in file.says { #expect(said.contains(words), "\(said)") }
        #expect(told["kept"] == outcome.texts["imported"]?["kept"])
        #expect(told["shown"] == outcome.texts["imported"]?["shown"])
    }

    @Test("An export or import waits for a library that is still being read")
    func early() throws {
        let seen = try #require(outcome.texts["early"])
        #expect(seen["exported"] == "A")
        #expect(seen["restored"] == "1 0 star")
    }

    @Test("Lists that arrive late do not replace newer ones")
    func overtaken() {
        #expect(outcome.texts["overtaken"] == ["shown": "newer", "starred": "false", "stored": "\"2\" 0"])
    }

    @Test("Favourites, ratings and playlists are restored by the audio, once, and never over existing ones")
    func lists() throws {
        let content = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.exported.utf8)) as? [String: Any])
        let favourites = try #require(content["favourites"] as? [String: [[String: Any]]])
        let songs = try #require(favourites["tracks"])
        #expect(songs.compactMap { $0["title"] as? String } == ["Song 2", "Song 1"])
        #expect(songs.compactMap { $0["rating"] as? Int } == [4])
        #expect(favourites["artists"]?.compactMap { $0["name"] as? String } == ["Artist"])
        let seen = try #require(outcome.texts["lists"])
        #expect(seen["restored"] == "Settings imported, 3 favourites, 2 playlists")
        #expect(seen["stars"] == "Song 1 0, Song 2 4")
        #expect(seen["artist"] == "true")
        #expect(seen["names"] == "Good ones: Song 3, Song 1, Song 3 | Rated: rules")
        // Both playlists are there already.
        #expect(seen["again"] == "Settings imported, 3 favourites")
        // One of the playlists has changed, and one song is not in the library.
        #expect(seen["changed"] == "Settings imported, 4 favourites, 1 playlist. Not in this library: 1 song")
        #expect(
            seen["changedNames"]
                == "Good ones (restored): Song 3, Song 1, Song 3 | Good ones: Song 1 | Rated: rules")
    }

    @Test("A backup with an invalid list is rejected as a whole, and names the field")
    func badLists() throws {
        let seen = try #require(outcome.texts["lists"])
        #expect(
            seen["badRating"]?.contains("“favourites.tracks[0].rating” is not a number from 0 to 5") == true)
        #expect(seen["badPlaylist"]?.contains("“playlists[1].tracks” is not a list of songs") == true)
        #expect(seen["afterBad"] == seen["changedNames"])
    }

    @Test("Unknown settings are ignored, whatever their names")
    func unknown() throws {
        #expect(outcome.texts["odd"]?["kept"] == #"[["appearance.theme","light"]]"#)
        #expect(outcome.texts["rules"]?["polluted"] == "undefined")
    }

    @Test("Each setting's rule allows its initial value")
    func rules() throws {
        #expect(outcome.texts["rules"]?["count"] == "49")
        #expect(outcome.texts["rules"]?["forbidden"] == "")
    }

    @Test("The browser's console has no errors")
    func console() { #expect(outcome.consoleErrors.isEmpty, "\(outcome.consoleErrors)") }
}
