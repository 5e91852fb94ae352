import Analyzer
import Companion
import Foundation
import LibraryStore
import Tagging
import Testing
import TestSupport

/// How the page synchronises a library of several thousand tracks that is changed elsewhere: it requests only the changes, shows
/// them, and stores each state atomically.
@Suite("Catalogue synchronisation", .timeLimit(.minutes(30)))
struct CatalogueSyncTests {
    /// The results of each step of `catalogue-checks.js`, run one after the other in one page.
    private struct Outcome: Sendable {
        var texts: [String: [String: String]] = [:]
        var numbers: [String: [String: Double]] = [:]
        var consoleErrors: [String] = []
    }

    private static let outcome = Task { try await run() }

    private let outcome: Outcome

    init() async throws { outcome = try await Self.outcome.value }

    private static let count = 4000

    /// Names whose sort order differs from their code point order.
    private static let titles = [
        "Ünder", "Straße", "\u{FF21} wide", "夜に駆ける", "😀 smile", "\u{FB03} letters", "ΣΑΣ ΟΔΟΣ", "İstanbul",
        "№ 5",
        "  two   spaces ", "007", "Ångström", "“Quoted”", "Ełk", "が", "1000000000000", "\u{E000} own", "",
        "'round",
    ]

    /// A track in an album of ten by an artist with forty. It has no file and has never been analysed.
    private static func track(_ number: Int, title: String? = nil, album: String? = nil) throws -> TrackRecord
    {
        var bytes = [UInt8](repeating: 7, count: 16)
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        var tags = TrackTags()
        let usual =
            number % 10 == 3 ? "\(titles[number / 10 % titles.count]) \(number % 100)" : "\(number) Song"
        tags.title = title ?? (number == 0 ? "!Song" : number % 10 == 4 ? nil : usual)
        tags.artist = "\(titles[number / 40 % titles.count]) \(number / 40)"
        tags.album = album ?? "\(titles[number / 10 % titles.count]) album \(number / 10)"
        return TrackRecord(
            path: try #require(RelativePath(text: "\(number / 10)/\(number) file.mp3")),
            file: FileState(size: 1000 + number, modificationTimeNanoseconds: number),
            audioHash: try #require(AudioHash(bytes: bytes)), tags: tags, analysis: nil)
    }

    private static func run() async throws -> Outcome {
        let checks = try PageChecks("catalogue-checks.js")
        var outcome = Outcome()
        try await PlayedLibrary.with([]) { played in
            let data = try DataFolder(path: played.directory.file("data"))
            let library = try LibraryStore(data)
            func record(_ tracks: [TrackRecord]) async throws {
                _ = try await aside { try library.record(tracks) { _ in true } }
            }
            try await record((0..<count).map { try track($0) })
            try await WebBrowser.with(open: "about:blank", errors: .any) { browser in
                // The page alone makes nearly as many requests as browsers record; later ones would be lost.
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    ["source": "performance.setResourceTimingBufferSize(5000);"])
                try await browser.open("\(played.base)/")
                func check(_ name: String) async throws {
                    for (field, value) in try await checks.run(name, in: browser, key: played.key) {
                        if let text = value as? String { outcome.texts[name, default: [:]][field] = text }
                        if let number = value as? NSNumber {
                            outcome.numbers[name, default: [:]][field] = number.doubleValue
                        }
                    }
                }
                try await check("first")
                try await check("queued")
                try await record([track(1234, title: "!First of all", album: "!Other album")])
                try await check("retagged")
                try await check("searched")
                _ = try await aside {
                    let gone = Set([1234] + (2000..<2009)).map { "\($0 / 10)/\($0) file.mp3" }
                    return try library.markUnavailable { !gone.contains($0.text) }
                }
                try await check("removed")
                try await record([track(count, title: "!A new one")])
                try await check("added")
                try await record((0..<100).map { try track(10 * $0 + 1, title: "!!\($0) changed") })
                try await check("many")
                try await browser.reload()
                try await check("reloaded")
                outcome.consoleErrors += try await browser.consoleErrors()
                try await check("cut")
                try await record((0..<1200).map { try track(2100 + $0, title: "!!!\($0) changed again") })
                try await check("stillBefore")
                try await check("mended")
                try await check("full")
                try await record([track(7, title: "!!!!Not written")])
                try await check("notWritten")
                try await record([track(7, title: "!!!!Written")])
                try await check("afterFull")
                // Simulates a restored backup: other change marks, and a row changed without a recorded change.
                _ = try await aside {
                    try sqlite3Tool(
                        data.libraryDatabase, ".timeout 30000",
                        """
                        BEGIN IMMEDIATE; DROP TRIGGER changes_track_update;
                        UPDATE tracks SET title = '!!!!!Restored', title_sort = '!!!!!restored'
                        WHERE title = '!!!!Written';
                        UPDATE catalogue_changes SET mark = mark + 1;
                        UPDATE library_state SET revision = revision + 1; COMMIT;
                        """)
                }
                try await check("otherLibrary")
                outcome.consoleErrors += try await browser.consoleErrors()
            }
        }
        return outcome
    }

    private func number(_ check: String, _ name: String) throws -> Double {
        try #require(outcome.numbers[check]?[name], "\(check) \(name)")
    }

    @Test(
        "After each step, the stored lists match the host's, in the same order",
        arguments: [
            "first", "retagged", "removed", "added", "many", "reloaded", "mended", "afterFull",
            "otherLibrary",
        ])
    func kept(step: String) throws {
        #expect(outcome.texts[step]?["kept"] == "all")
    }

    @Test("On first load, each list is read once")
    func first() throws {
        // Eight pages of tracks, one of albums and one of artists, each read again at most once after an announcement.
        #expect(try (10...30).contains(number("first", "lists")))
    }

    @Test(
        "Changes are requested alone: no list is read again, and only the changes are transferred",
        arguments: [
            ("retagged", 20_000.0), ("removed", 30_000), ("added", 20_000), ("many", 300_000),
            ("reloaded", 10_000),
        ])
    func bounded(step: String, bytes: Double) throws {
        #expect(try number(step, "lists") == 0)
        #expect(try (1...4).contains(number(step, "changes")))
        #expect(try number(step, "bytes") < bytes)
        #expect(try number(step, "bytes") > 0)
    }

    @Test("A queued song is shown with its new title")
    func queued() throws {
        #expect(outcome.texts["queued"]?["bar"] == "1234 file")
        #expect(outcome.texts["retagged"]?["bar"] == "!First of all")
    }

    @Test("Interrupted changes are not applied, and are requested again")
    func cut() throws {
        let before = try #require(outcome.texts["stillBefore"])
        #expect(before == ["first": "!!0 changed", "kept": "!!0 changed"])
        #expect(try number("stillBefore", "count") == 3991)
        #expect(try number("mended", "lists") == 0)
    }

    @Test("A failed write leaves the stored state unchanged, and is repeated with the next change")
    func full() throws {
        #expect(try number("notWritten", "isAsBefore") == 1)
        #expect(try number("afterFull", "lists") == 0)
    }

    @Test("A restored library is read completely")
    func otherLibrary() throws {
        #expect(try number("otherLibrary", "lists") >= 10)
    }

    @Test("The browser's console has no errors")
    func console() { #expect(outcome.consoleErrors.isEmpty, "\(outcome.consoleErrors)") }
}
