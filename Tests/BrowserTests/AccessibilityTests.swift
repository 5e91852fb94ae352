import Foundation
import TestSupport
import Testing

/// Faults of accessibility, found by axe (Deque), an independent tool: names, roles, contrast, structure.
@Suite("Accessibility", .onlyInChromium, .timeLimit(.minutes(30)))
struct AccessibilityTests {
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        try (1...3).map { number in
            let tags = ["--tt", "Song \(number)", "--ta", "Ensemble", "--tl", "Collection", "--tg", "Folk"]
            return (
                "\(number).mp3",
                try Encoders.lame(
                    PCM.music(frameCount: 60 * 44_100, seed: UInt64(number)), ["-b", "64"] + tags)
            )
        }
    }

    /// The text of axe's script.
    private static func axe() async throws -> String {
        let path = try await PythonTools.run(
            "import axe_playwright_python as axe; print(axe.__path__[0] + '/axe.min.js')")
        return try String(
            contentsOf: URL(filePath: path.trimmingCharacters(in: .newlines)), encoding: .utf8)
    }

    @Test(
        "No view has a serious fault, and what new listeners look for is at most two clicks away",
        arguments: [(1280, 800, "dark"), (390, 844, "light")])
    func views(width: Int, height: Int, theme: String) async throws {
        let axe = try await Self.axe()
        let files = try await aside { try Self.files() }
        try await PlayedLibrary.with(files) { played in
            let checks = try PageChecks("accessibility-checks.js", helpers: ["views.js"])
            try await WebBrowser.with(open: "\(played.base)/", errors: .any) { browser in
                try await browser.devtools(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500])
                _ = try await browser.run("\(axe)\nreturn {version: axe.version};")
                for (step, arguments) in [("begin", []), ("all", [theme])] {
                    let told = try await checks.run(step, in: browser, key: played.key, arguments)
                    let found = try #require(told["found"] as? [String])
                    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
                }
                // A new listener finds these by their names, starting from the first view.
                let depths = try await checks.run(
                    "walk", in: browser, key: played.key, [width < 500 ? "narrow" : "wide"])
                for goal in ["radio", "queue", "lyrics", "similar"] {
                    let depth = try #require(depths[goal] as? Int, "\(goal)")
                    #expect(1...2 ~= depth, "\(goal)")
                }
            }
        }
    }
}
