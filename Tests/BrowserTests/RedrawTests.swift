import Analyzer
import Companion
import Foundation
import LibraryStore
import Tagging
import Testing
import TestSupport

/// A change of the library keeps the focus and the scroll position of each view.
@Suite("Redrawing after a change", .onlyInChromium, .timeLimit(.minutes(30)))
struct RedrawTests {
    private struct Told: Sendable {
        let focus: String
        let isSameElement: Double
        let moved: Double
        let listeners: Double
        let isShown: Double
        let inOrder: Double
    }

    /// Views, each with the element that has the focus.
    private static let views = [
        ("/songs", ".track-row[data-track]"), ("/albums", ".cards .card"), ("/artists", ".cards .card"),
        ("/genres", ".tile"), ("/genres/Folk", ".track-row"), ("/albums/3", ".track-row"),
        ("/albums/3", ".hero-actions .is-main"),
        // Not the albums whose songs change: their cards are made again.
        (
            "/artists/1",
            ".card a.card-title:not([href=\"#/albums/1\"], [href=\"#/albums/3\"])"
        ),
        ("/artists/1", ".track-row"), ("/", "[aria-label=\"Recently added\"] .card a.card-title"),
        ("/queue", ".queue-row"),
    ]

    private static let outcome = Task { try await run() }
    private let outcome: [String: Told]

    init() async throws { outcome = try await Self.outcome.value }

    private static func track(_ number: Int, title: String? = nil) throws -> TrackRecord {
        var bytes = [UInt8](repeating: 3, count: 16)
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        var tags = TrackTags()
        tags.title = title ?? "Song \(1000 + number)"
        // The number of artists changes while the artists page is shown.
        tags.artist = number == -3 ? "!Artist" : number < 200 ? "Main" : "Artist \(1000 + number / 4)"
        tags.albumArtist = tags.artist
        tags.album = number < 0 ? "!Album \(-number)" : "Album \(1000 + number / 20)"
        tags.genre = number % 2 == 0 || number < 0 ? "Folk" : "Genre \(number % 40)"
        return TrackRecord(
            path: try #require(RelativePath(text: "\(number)/file.mp3")),
            file: FileState(size: 100_000 + number, modificationTimeNanoseconds: 1_000_000 + number),
            audioHash: try #require(AudioHash(bytes: bytes)), tags: tags, analysis: nil)
    }

    private static func run() async throws -> [String: Told] {
        let checks = try PageChecks("redraw-checks.js")
        var outcome: [String: Told] = [:]
        try await PlayedLibrary.with([]) { played in
            let data = try DataFolder(path: played.directory.file("data"))
            let library = try LibraryStore(data)
            func record(_ tracks: [TrackRecord]) async throws {
                _ = try await aside { try library.record(tracks) { _ in true } }
            }
            try await record((0..<400).map { try track($0) })
            try await WebBrowser.with(open: "\(played.base)/", errors: .any) { browser in
                _ = try await checks.run("begin", in: browser, key: played.key)
                for (step, (path, selector)) in views.enumerated() {
                    _ = try await checks.run("look", in: browser, key: played.key, [path, selector])
                    // A track that sorts first everywhere, and a renamed track of the visible album.
                    try await record([
                        track(-1 - step, title: "!New \(step)"), track(41, title: "Song 1041 of \(step)"),
                        track(1, title: "Song 1001 of \(step)"),
                    ])
                    let told = try await checks.run(
                        "changed", in: browser, key: played.key, ["!New \(step)"])
                    func number(_ name: String) -> Double { (told[name] as? NSNumber)?.doubleValue ?? -1 }
                    outcome["\(path) \(selector)"] = Told(
                        focus: told["focus"] as? String ?? "", isSameElement: number("isSame"),
                        moved: number("moved"), listeners: number("listeners"), isShown: number("isShown"),
                        inOrder: number("inOrder"))
                }
            }
        }
        return outcome
    }

    @Test(
        "A change of the library keeps the focus and the scroll position, and adds no listeners",
        arguments: views)
    func stays(path: String, selector: String) throws {
        let told = try #require(outcome["\(path) \(selector)"])
        #expect(told.focus == "kept")
        #expect(told.isSameElement == 1)
        #expect(told.moved >= 0 && told.moved < 2)
        #expect(told.listeners == 0)
        #expect(told.isShown == 1)
        // Screen readers read rows in document order.
        #expect(told.inOrder == 1)
    }
}
