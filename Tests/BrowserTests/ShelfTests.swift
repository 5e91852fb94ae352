import Analyzer
import Companion
import Foundation
import LibraryStore
import Tagging
import TestSupport
import Testing

/// Rows of cards that scroll sideways, in the real page with a library of many albums.
@Suite("Shelves", .onlyInChromium, .timeLimit(.minutes(30)))
struct ShelfTests {
    /// Twelve singles and three albums of one artist, and albums of twenty others.
    private static func tracks() throws -> [TrackRecord] {
        try (0..<68).map { number in
            var bytes = [UInt8](repeating: 5, count: 16)
            bytes[0] = UInt8(number)
            var tags = TrackTags()
            tags.title = "Song \(100 + number)"
            tags.artist = number < 48 ? "Main" : "Artist \(number)"
            tags.albumArtist = tags.artist
            tags.album =
                number < 12 || number >= 48 ? "Album \(100 + number)" : "Long album \(number % 3)"
            return TrackRecord(
                path: try #require(RelativePath(text: "\(number)/file.mp3")),
                file: FileState(size: 1000 + number, modificationTimeNanoseconds: 1_000_000 + number),
                audioHash: try #require(AudioHash(bytes: bytes)), tags: tags, analysis: nil)
        }
    }

    /// Headless browsers have no mouse.
    private static let mouse =
        "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"

    private func onPage(
        arguments: [String] = [mouse],
        _ body: (WebBrowser, (_ name: String) async throws -> [String: Any]) async throws -> Void
    ) async throws {
        let checks = try PageChecks("shelf-checks.js")
        try await PlayedLibrary.with([]) { played in
            let library = try LibraryStore(DataFolder(path: played.directory.file("data")))
            _ = try await aside { try library.record(try Self.tracks()) { _ in true } }
            // The songs are not analysed.
            let errors = WebBrowser.ExpectedErrors.containing(["/similar"])
            try await WebBrowser.with(open: "\(played.base)/", arguments: arguments, errors: errors) {
                browser in
                try await browser.resize(width: 1280, height: 800)
                _ = try await checks.run("begin", in: browser, key: played.key)
                try await body(browser) { try await checks.run($0, in: browser, key: played.key) }
            }
        }
    }

    private func expectButtons(
        _ areShown: Bool, _ check: (_ name: String) async throws -> [String: Any]
    ) async throws {
        let told = try await check("areButtonsShown")
        #expect(told["isShown"] as? Bool == areShown)
    }

    @Test("With a mouse, buttons scroll each shelf by nearly a page, and are disabled at its ends")
    func buttons() async throws {
        try await onPage { browser, check in
            let told = try await check("buttons")
            #expect(
                told["labels"] as? [String] == ["Previous in Recently added", "Next in Recently added"])
            #expect(told["isShown"] as? Bool == true)
            #expect(told["ends"] as? [[Bool]] == [[true, false], [false, false], [false, true]])
            // In cards: all but one of those that fit.
            let fitting = try #require(told["fitting"] as? Double)
            #expect(abs(try #require(told["step"] as? Double) - (fitting - 1)) < 0.05 && fitting > 3)
            #expect(told["isSmooth"] as? Bool == true)

            _ = try await check("focusNext")
            try await browser.press("\u{E007}")
            let pressed = try await check("pressed")
            #expect(pressed["isFocused"] as? Bool == true)
        }
    }

    @Test("With reduced motion, buttons scroll at once")
    func reducedMotion() async throws {
        try await onPage { browser, check in
            try await browser.devtools(
                "Emulation.setEmulatedMedia",
                ["features": [["name": "prefers-reduced-motion", "value": "reduce"]]])
            let told = try await check("buttons")
            #expect(told["isSmooth"] as? Bool == false)
        }
    }

    @Test("On a touch screen, and in a narrow window, shelves have no buttons")
    func touch() async throws {
        try await onPage(arguments: []) { _, check in
            try await expectButtons(false, check)
        }
        try await onPage { browser, check in
            try await expectButtons(true, check)
            try await browser.devtools(
                "Emulation.setDeviceMetricsOverride",
                ["width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": false])
            try await expectButtons(false, check)
        }
    }

    @Test("Cards have the same width in grids and shelves, and are reached by arrow keys")
    func cards() async throws {
        try await onPage { browser, check in
            for width in [1024, 1280, 1920] {
                try await browser.resize(width: width, height: 800)
                let widths = try #require(try await check("widths")["widths"] as? [Double])
                #expect(widths.count == 3)
                #expect(widths.allSatisfy { abs($0 - widths[0]) < 0.5 && $0 >= 172 }, "\(widths)")
            }
            let keys = try await check("keys")
            #expect(keys["inTabOrder"] as? Int == 1)
            #expect(keys["places"] as? [Int] == [1, 2, 1, 13, 0])
            #expect(keys["opened"] as? Bool == true)
        }
    }
}
