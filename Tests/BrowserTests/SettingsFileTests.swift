import Foundation
import TestSupport
import Testing

/// Settings as a file: handed out and taken in by the page's own buttons.
@Suite("Settings as a file", .onlyInChromium, .timeLimit(.minutes(30)))
struct SettingsFileTests {
    /// A file that somebody chooses, and words of what is said then.
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

    /// What is refused: with what is wrong, and what to do.
    static let bad =
        [
            Chosen(name: "cut", text: "{\(kind), \"settings\": {\"appear", says: ["damaged", "Export"]),
            Chosen(name: "empty", text: "", says: ["damaged", "Export"]),
            Chosen(name: "null", text: "null", says: ["something else", "Export"]),
            Chosen(name: "foreign", text: #"{"theme": "dark"}"#, says: ["something else", "Export"]),
            Chosen(name: "MP3", text: "ID3\u{4}\0\0\0", says: ["damaged", "Export"]),
            Chosen(
                name: "too large", text: "large",
                says: ["too large", "Export"]),
            Chosen(
                name: "newer",
                text: #"{"kind": "audio-companion-player-settings", "version": 2, "settings": {}}"#,
                says: ["another version", "Update"]),
            Chosen(name: "list", text: "{\(kind), \"settings\": [1]}", says: ["damaged", "Export"]),
            Chosen(name: "nothing", text: "{\(kind)}", says: ["damaged", "Export"]),
        ]
        + [
            #""playback.speed": -5"#, #""playback.speed": 1e999"#, #""playback.volume": 40"#,
            #""appearance.theme": "<img src=x onerror=alert(1)>""#, #""playback.gapless": "yes""#,
            #""visualizer.full.points": 1e9"#, #""visualizer.mini.customColour": "red;background:url(//x)""#,
            #""playback.targetLUFS": null"#, #""library.sort.songs": {"toString": 1}"#,
        ].map { setting in
            // What could be used stands before it.
            Chosen(
                name: setting,
                text: "{\(kind), \"settings\": {\"appearance.density\": \"compact\", \(setting)}}",
                says: [
                    "Nothing was changed", String(setting.split(separator: "\"")[0]),
                    "export the settings anew",
                ])
        }

    private static let outcome = Task { try await run() }

    private let outcome: Outcome

    init() async throws { outcome = try await Self.outcome.value }

    private static func run() async throws -> Outcome {
        let checks = try PageChecks("settings-checks.js")
        var outcome = Outcome()
        let folder = try TemporaryDirectory()
        try await PlayedLibrary.with([]) { played in
            let browser = try await WebBrowser(open: "\(played.base)/")
            do {
                func check(_ name: String, as step: String? = nil, _ more: [String] = []) async throws {
                    let told = try await checks.run(name, in: browser, key: played.key, more)
                    outcome.texts[step ?? name] = told.compactMapValues { $0 as? String }
                }
                try await browser.devtools(
                    "Browser.setDownloadBehavior", ["behavior": "allow", "downloadPath": folder.path])
                try await check("chosen")
                try await until {
                    FileManager.default.fileExists(atPath: folder.file("music-settings.json"))
                }
                outcome.exported = String(decoding: try folder.read("music-settings.json"), as: UTF8.self)
                try await check("changed")
                try await check("imported", [outcome.exported])
                for file in bad { try await check("imported", as: file.name, [file.text]) }
                let odd =
                    "{\(kind), \"settings\": {\"__proto__\": {\"polluted\": 1}, \"constructor\": 1, "
                    + "\"of.tomorrow\": \"x\", \"appearance.theme\": \"light\"}}"
                try await check("imported", as: "odd", [odd])
                try await check("rules")
                outcome.consoleErrors = try await browser.consoleErrors()
            } catch {
                await browser.quit()
                throw error
            }
            await browser.quit()
        }
        return outcome
    }

    @Test("What Export gives out, Import brings back, and it is seen and in force")
    func roundTrip() throws {
        let chosen = try #require(outcome.texts["chosen"])
        let changed = try #require(outcome.texts["changed"])
        let imported = try #require(outcome.texts["imported"])
        #expect(changed["kept"] != chosen["kept"] && changed["shown"] != chosen["shown"])
        #expect(imported["kept"] == chosen["kept"])
        #expect(imported["shown"] == chosen["shown"])
        #expect(imported["said"]?.contains("hold now") == true)
    }

    @Test("The file holds what was chosen by name, and not the key")
    func file() throws {
        let content = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.exported.utf8)) as? [String: Any])
        #expect(Set(content.keys) == ["kind", "version", "settings"])
        let settings = try #require(content["settings"] as? [String: Any])
        #expect(settings["appearance.theme"] as? String == "dark")
        #expect(settings["playback.targetLUFS"] as? Double == -20)
        #expect(settings["playback.crossfade"] as? Bool == true)
        #expect(settings["visualizer.full.points"] as? Double == 48)
        #expect(settings["visualizer.mini.customColour"] as? String == "#00ff80")
        #expect(settings.keys.allSatisfy { $0.contains(".") && !$0.hasPrefix("host") })
    }

    @Test("A file that cannot be used is refused with what to do, and nothing of it holds", arguments: bad)
    func refused(file: Chosen) throws {
        let told = try #require(outcome.texts[file.name])
        let said = try #require(told["said"])
        for words in file.says { #expect(said.contains(words), "\(said)") }
        #expect(told["kept"] == outcome.texts["imported"]?["kept"])
        #expect(told["shown"] == outcome.texts["imported"]?["shown"])
    }

    @Test("What is no setting is left out, whatever it is called")
    func unknown() throws {
        #expect(outcome.texts["odd"]?["kept"] == #"[["appearance.theme","light"]]"#)
        #expect(outcome.texts["rules"]?["polluted"] == "undefined")
    }

    @Test("Each setting has a rule that its default keeps")
    func rules() throws {
        #expect(outcome.texts["rules"]?["without"] == "")
        #expect(outcome.texts["rules"]?["unused"] == "")
    }

    @Test("Nothing is left in the console")
    func console() { #expect(outcome.consoleErrors.isEmpty, "\(outcome.consoleErrors)") }
}
