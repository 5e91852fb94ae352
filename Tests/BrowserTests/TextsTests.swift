import Foundation
import TestSupport
import Testing

/// The languages of the page.
@Suite("Texts of the page", .timeLimit(.minutes(30)))
struct TextsTests {
    /// Two pieces, and a file that cannot be analysed.
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let pieces = try zip(["First", "Second"], [UInt64(1), 2]).map { name, seed in
            let tags = ["--tt", "\(name) piece", "--ta", "Ensemble", "--tl", "Collection", "--tg", "Folk"]
            return (
                "\(seed).mp3",
                try Encoders.lame(PCM.music(frameCount: 60 * 44_100, seed: seed), ["-b", "64"] + tags)
            )
        }
        return pieces + [("no-music.mp3", Array("Milk, eggs, bread\n".utf8))]
    }

    /// Runs the check of texts on a folder with one script and, if there are any, translations.
    private static func checked(
        _ script: String, translations: [String: String] = [:], singulars: String = "{}"
    ) async throws -> (status: Int, text: String) {
        let directory = try TemporaryDirectory()
        let texts = URL(filePath: directory.file("site/scripts/texts"))
        try FileManager.default.createDirectory(at: texts, withIntermediateDirectories: true)
        let files =
            [
                ("../view.js", script),
                ("singulars.js", "export const SINGULARS = Object.freeze(\(singulars));\n"),
            ]
            + translations.map { ($0.key, $0.value) }
        for (name, text) in files {
            try Data(text.utf8).write(to: texts.appending(path: name).standardizedFileURL)
        }
        let run = try await ProcessRun.aside(
            "\(PythonTools.root)/scripts/page/texts.js", [directory.file("site")], mustSucceed: false)
        return (Int(run.status), run.text)
    }

    @Test("A text outside the catalogue is found, whatever its place")
    func planted() async throws {
        for text in [
            "h('p', null, 'Hello')", "h('p', null, 'some songs')", "toast('saved')",
            "h('i', { title: `Play ${x}` })",
            "h('b', { 'aria-label': x ? 'open' : 'closed' })", "throw new Error('The file is too large.')",
            "element.textContent = 'Nothing here'",
        ] {
            let found = try await Self.checked("const show = (x) => {\n    \(text);\n};\n")
            #expect(found.status == 1, "\(text)")
            #expect(found.text.contains("scripts/view.js:2: a text outside t("), "\(text): \(found.text)")
        }
        for text in [
            "h('div.is-wide', { class: 'icon-button heart' }, t('Hello'))",
            "element.closest('.cards .card')", "headers.get('Content-Type')", "event.key === 'Escape'",
        ] {
            let found = try await Self.checked("const show = (x) => {\n    \(text);\n};\n")
            #expect(found.status == 0, "\(text): \(found.text)")
        }
    }

    @Test("A text in a constant of a module, and one with a value missing, are found")
    func misused() async throws {
        let constant = try await Self.checked("const NAMES = [t('First')];\n")
        #expect(constant.text.contains("view.js:1: t in a constant of the module"))
        let missing = try await Self.checked("const show = () => t('{name}{owner}', { name: 1 });\n")
        #expect(missing.text.contains("no value for {owner}"))
        let variable = try await Self.checked("const show = (text) => t(text);\n")
        #expect(variable.text.contains("t needs a literal"))
    }

    @Test("Translations have the same keys and placeholders, and the plural forms of their language")
    func translations() async throws {
        let script =
            "const show = (count) => [t('Play'), t('{count} songs of {name}', { count, name: 'x' })];\n"
        let singulars = "{ '{count} songs of {name}': '{count} song of {name}' }"
        func told(_ name: String, _ json: String) async throws -> (status: Int, text: String) {
            try await Self.checked(script, translations: [name: json], singulars: singulars)
        }
        let key = "{count} songs of {name}"
        let good = try await told(
            "de.json",
            #"{"Play": "A", "\#(key)": {"one": "{count} Lied, {name}", "other": "{count}{name}"}}"#)
        #expect(good.status == 0, "\(good.text)")
        #expect(
            try await told("ja.json", #"{"Play": "再生", "\#(key)": {"other": "{name} {count} 曲"}}"#).status
                == 0)
        for (json, message) in [
            (#"{"Play": "Abspielen"}"#, "no text for “\(key)”"),
            (
                #"{"Play": "", "\#(key)": {"one": "{count}{name}", "other": "{count}{name}"}}"#,
                "“Play” has no text"
            ),
            (
                #"{"Play": "A", "Stop": "B", "\#(key)": {"one": "{count}{name}", "other": "{count}{name}"}}"#,
                "“Stop” is not used any more"
            ),
            (#"{"Play": "A", "\#(key)": {"other": "{count}{name}"}}"#, "needs the plural forms one, other"),
            (
                #"{"Play": "A", "\#(key)": {"one": "{name}", "other": "{count}{nome}"}}"#,
                "has the placeholders count, nome instead of count, name"
            ),
        ] {
            let found = try await told("de.json", json)
            #expect(found.status == 1 && found.text.contains(message), "\(json): \(found.text)")
        }
        let french = try await told(
            "fr.json", #"{"Play": "A", "\#(key)": {"one": "{count}{name}", "other": "{count}{name}"}}"#)
        #expect(french.text.contains("needs the plural forms many, one, other"))
    }

    @Test(
        "All views are in the chosen language and fit, and playback goes on while it changes",
        .onlyInChromium, arguments: ["de", "ja"])
    func views(in language: String) async throws {
        let titles = ["de": "Einstellungen · Musik", "ja": "設定 · ミュージック"]
        let files = try await aside { try Self.files() }
        try await PlayedLibrary.with(files) { played in
            let checks = try PageChecks("texts-checks.js", helpers: ["views.js"])
            try await WebBrowser.with(open: "\(played.base)/", errors: .containing(["favicon"])) { browser in
                try await browser.resize(width: 1280, height: 800)
                let start = try await checks.run("begin", in: browser, key: played.key, [language])
                #expect(start["title"] as? String == titles[language])
                #expect(start["playing"] as? String == ["de": "Pause", "ja": "一時停止"][language])
                #expect(start["dir"] as? String == "ltr")
                for (width, height) in [(1280, 800), (390, 844)] {
                    try await browser.devtools(
                        "Emulation.setDeviceMetricsOverride",
                        ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500])
                    let told = try await checks.run("visit", in: browser, key: played.key, [language])
                    #expect(told["left"] as? [String] == [], "at \(width)")
                    #expect(told["wide"] as? [String] == [], "at \(width)")
                }
                let failed = try await checks.run("failure", in: browser, key: played.key)
                let reasons = ["de": "Die Datei ist keine Musik.", "ja": "音楽ファイルではありません。"]
                #expect(failed["reason"] as? String == reasons[language])
            }
        }
    }
}
