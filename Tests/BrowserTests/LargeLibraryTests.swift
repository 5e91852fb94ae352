import Analyzer
import Companion
import Foundation
import LibraryStore
import Tagging
import Testing
import TestSupport

/// The page with a library of more songs than it keeps: lists are read in windows, and everything else that it does with songs works.
@Suite("Large libraries", .onlyInChromium, .timeLimit(.minutes(30)))
struct LargeLibraryTests {
    private static let count = 3000

    /// A song in an album of ten by an artist with three albums. It has no file and has never been analysed.
    private static func track(_ number: Int, title: String? = nil) throws -> TrackRecord {
        var bytes = [UInt8](repeating: 9, count: 16)
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        let name = String(format: "Song %04d", number)
        var tags = TrackTags()
        tags.title = title ?? name
        tags.artist = "Artist \(number / 30)"
        tags.album = "Album \(number / 10)"
        tags.track.number = number % 10 + 1
        tags.genre = number % 3 == 0 ? "Jazz" : "Folk"
        tags.year = 1980 + number / 10 % 30
        return TrackRecord(
            path: try #require(RelativePath(text: "\(name).mp3")),
            file: FileState(size: 1000 + number, modificationTimeNanoseconds: number),
            audioHash: try #require(AudioHash(bytes: bytes)), tags: tags, analysis: nil)
    }

    /// Songs that can be played: every number of a hundred.
    private static let files = Task {
        try await aside {
            try (100..<112).map { number in
                let sound = PCM.music(frameCount: 20 * 44_100, seed: UInt64(number))
                let tags = [
                    "--tt", String(format: "Song %04d", number), "--ta", "Artist \(number / 30)", "--tl",
                    "Album \(number / 10)", "--tn", "\(number % 10 + 1)", "--ty",
                    "\(1980 + number / 10 % 30)",
                    "--tg", number % 3 == 0 ? "Jazz" : "Folk",
                ]
                return (
                    String(format: "Song %04d.mp3", number), try Encoders.lame(sound, ["-b", "64"] + tags)
                )
            } as [(name: String, bytes: [UInt8])]
        }
    }

    /// A device with memory for a thousand songs.
    private static let smallDevice =
        "Object.defineProperty(Navigator.prototype, 'deviceMemory', { get: () => 0.04, configurable: true });"

    @Test(
        "Songs are read in windows; sorted, filtered, selected, played, found and changed like those of a small library"
    )
    func windows() async throws {
        let checks = try PageChecks("large-checks.js")
        try await PlayedLibrary.with(try await Self.files.value) { played in
            let library = try LibraryStore(try DataFolder(path: played.directory.file("data")))
            func record(_ tracks: [TrackRecord]) async throws {
                _ = try await aside { try library.record(tracks) { _ in true } }
            }
            try await record((0..<Self.count).filter { !(100..<112).contains($0) }.map { try Self.track($0) })
            // Songs without a file cannot be played, and have no covers.
            try await WebBrowser.with(open: "about:blank", errors: .any) { browser in
                _ = try await browser.resize(width: 1300, height: 800)
                try await browser.devtools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    ["source": "performance.setResourceTimingBufferSize(5000); \(Self.smallDevice)"])
                try await browser.open("\(played.base)/")
                func check(_ name: String) async throws -> [String: Any] {
                    try await checks.run(name, in: browser, key: played.key)
                }
                let home = try await check("home")
                #expect((home["lead"] as? String)?.hasPrefix("3,000 songs · 300 albums") == true)
                #expect((home["recent"] as? [String])?.count == 2)

                let songs = try await check("songs")
                #expect(songs["lead"] as? String == "3,000 songs")
                #expect(songs["first"] as? [String] == ["Song 0000", "Song 0001", "Song 0002"])
                #expect(songs["last"] as? String == "Song 2999")
                #expect((1450...1500).contains(songs["middle"] as? Int ?? 0), "\(songs)")
                #expect(songs["isDownloadOffered"] as? Bool == false)
                #expect(songs["longest"] as? Int == 500)
                // Far fewer than the thirty pages of all songs.
                #expect((songs["requests"] as? Int ?? 99) < 12, "\(songs)")
                #expect(songs["prepared"] as? Int == 1)

                let sorted = try await check("sorted")
                // The years of ten songs each, from 1980.
                #expect(sorted["ascending"] as? [String] == ["Song 0000", "Song 0001"])
                #expect(sorted["descending"] as? [String] == ["Song 0290", "Song 0291"])
                #expect(sorted["unsorted"] as? [String] == ["Song 0000", "Song 0001"])
                #expect(sorted["artist"] as? [String] == ["Song 0000", "Song 0001"])
                #expect(sorted["afterwards"] as? [String] == ["Song 0000", "Song 0001"])

                let filtered = try await check("filtered")
                #expect(filtered["lead"] as? String == "1,000 of 3,000 songs")
                #expect(filtered["jazz"] as? [String] == ["Song 0000", "Song 0003", "Song 0006"])
                #expect(filtered["afterwards"] as? [String] == ["Song 0000", "Song 0001"])

                let selected = try await check("selected")
                #expect(selected["count"] as? String == "\(selected["wanted"] ?? 0) songs selected")
                #expect((selected["wanted"] as? Int ?? 0) > 400)
                #expect(selected["told"] as? String == "At most 2,000 songs can be selected at once")

                let search = try await check("search")
                #expect(search["song"] as? [String] == ["Song 2512"])
                #expect(search["albums"] as? String == "Album 17")
                #expect(search["count"] as? String == "3,000 songs")

                let pages = try await check("pages")
                #expect(pages["genres"] as? [String] == ["Folk2,000 songsA", "Jazz1,000 songsA"])
                #expect(pages["jazz"] as? [String] == ["1,000 songs", "Song 0000"])
                #expect(
                    pages["decades"] as? [String] == [
                        "2000s: 1,000 songs", "1990s: 1,000 songs", "1980s: 1,000 songs",
                    ])
                #expect(pages["decade"] as? String == "100 albums · 1,000 songs")
                #expect(pages["album"] as? [String] == ["Song 0170", "Song 0171"])
                #expect(pages["artist"] as? String == "3 albums · 30 songs")
                #expect(pages["missing"] as? String == "Artist not found")

                #expect(
                    try await check("favourites")["songs"] as? [String] == [
                        "Song 2990", "Song 1500", "Song 0020",
                    ])
                let backup = try await check("backup")
                #expect(backup["isLarge"] as? Bool == true)
                #expect(backup["songs"] as? [String] == ["Song 0020", "Song 1500", "Song 2990"])
                #expect(backup["starred"] as? Int == 3 && backup["missing"] as? Int == 1)

                let tags = try await check("tags")
                #expect(tags["told"] as? String == "10 songs. 10 selected.")
                #expect(tags["mayEdit"] as? Bool == true)

                #expect(try await check("before")["first"] as? String == "Song 0000")
                try await record([Self.track(1234, title: "!First of all"), Self.track(3000)])
                #expect(try await check("after")["first"] as? String == "!First of all")

                #expect(try await check("played")["isShuffled"] as? Bool == true)
                try await browser.reload()
                let reloaded = try await check("reloaded")
                #expect(reloaded["stored"] as? Int == 0)
            }
        }
    }

    @Test("Rows are placed in a box lower than all of them, and only the pages of shown rows are read")
    func places() async throws {
        let checks = try PageChecks("large-checks.js")
        try await PlayedLibrary.with([]) { played in
            try await WebBrowser.with(open: "\(played.base)/player/scripts/main.js", errors: .any) {
                browser in
                let box = try await checks.run("tallBox", in: browser, key: played.key)
                #expect(box["height"] as? Double == 15_000_000 && box["end"] as? Double == 0)
                #expect(abs((box["middle"] as? Double ?? 0) - 0.5) < 1e-6)
                #expect(box["moved"] as? Double == 1_000_000 && box["isKept"] as? Bool == true)
                // A screen of 800 pixels is the ten thousandth part of the box.
                #expect(abs(box["part"] as? Double ?? 1) < 1e-4)
                #expect(box["isFirst"] as? Bool == true && box["isLast"] as? Bool == true)
                #expect(box["home"] as? Double == 0 && box["last"] as? Double == 0)

                let list = try await checks.run("windows", in: browser, key: played.key)
                #expect(list["isUnknown"] as? Bool == true && list["first"] as? Int == 0)
                #expect(list["length"] as? Int == 100_000)
                // The two that were running, and the four last ones, the latest first.
                #expect(list["flown"] as? [Int] == [100, 200, 5000, 4900, 4800, 4700])
                #expect(list["isSlice"] as? Bool == true && list["isForgotten"] as? Bool == true)
                #expect(list["stale"] as? Int == 1 && list["fresh"] as? Int == 2)
                #expect(list["again"] as? [Int] == [9900])
                #expect(list["whileAway"] as? Int == 1)
            }
        }
    }
}
