import Foundation
import TestSupport
import Testing

/// Managing the library in the real page.
@Suite("Manage in the page", .onlyInChromium, .timeLimit(.minutes(30)))
struct ManagePageTests {
    private typealias Check = (_ name: String) async throws -> [String: Any]

    private func onPage(
        _ files: [(name: String, bytes: [UInt8])], _ body: (Check) async throws -> Void
    ) async throws {
        try await PlayedLibrary.with(files) { played in
            let checks = try PageChecks("manage-page-checks.js")
            try await WebBrowser.with(open: "\(played.base)/") { browser in
                try await browser.resize(width: 1280, height: 800)
                _ = try await checks.run("begin", in: browser, key: played.key)
                try await body { try await checks.run($0, in: browser, key: played.key) }
            }
        }
    }

    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        try zip(["First", "Second"], [UInt64(1), 2]).map { name, seed in
            let tags = ["--tt", "\(name) song", "--ta", name, "--tl", "Album", "--tn", "\(seed)"]
            return (
                "\(seed).mp3",
                try Encoders.lame(PCM.music(frameCount: 44_100, seed: seed), ["-b", "64"] + tags)
            )
        }
    }

    @Test("The address has the tab, and tags are edited in a sheet over the page, with undo")
    func tabsAndSheet() async throws {
        let files = try await aside { try Self.files() }
        try await onPage(files) { check in
            let tabs = try await check("tabs")
            #expect(
                tabs["tabs"] as? [String] == [
                    "#/manage/status", "#/manage/fixes", "manage-fixes", "#/manage/status", "#/manage/trash",
                ])
            let seen = try await check("sheet")
            #expect(seen["isThere"] as? Bool == true)
            #expect(seen["isOff"] as? Bool == true)
            #expect(seen["heading"] as? String == "Edit tags of 2 songs")
        }
    }

    @Test("An empty library offers to upload")
    func emptyLibrary() async throws {
        try await onPage([]) { check in
            let seen = try await check("empty")
            #expect(seen["path"] as? String == "#/manage/upload")
        }
    }
}
