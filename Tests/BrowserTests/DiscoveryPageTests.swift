import Foundation
import TestSupport
import Testing

/// The track table, and the pages that lead to other music, in the real page with songs of several artists and years.
@Suite("Tables and discovery", .onlyInChromium, .timeLimit(.minutes(30)))
struct DiscoveryPageTests {
    private static let files = Task { try await aside { try makeFiles() } }

    private static func makeFiles() throws -> [(name: String, bytes: [UInt8])] {
        // Each song sounds differently: copies of a track are not similar ones.
        var seed: UInt64 = 20
        func sound() -> PCM {
            seed += 1
            return PCM.music(frameCount: 8 * 44_100, seed: seed)
        }
        func album(
            _ folder: String, _ title: String, by artist: String, _ year: Int, songs: Int,
            more: [String] = []
        ) throws -> [(name: String, bytes: [UInt8])] {
            try (1...songs).map { number in
                let tags = [
                    "--tt", "\(folder.capitalized) \(number)", "--ta", artist, "--tl", title, "--ty",
                    "\(year)",
                    "--tn", "\(number)", "--tg", "Folk",
                ]
                return ("\(folder)/\(number).mp3", try Encoders.lame(sound(), ["-b", "96"] + tags + more))
            }
        }
        var later = try album("later", "Later", by: "Bo", 2005, songs: 3)
        // A damaged frame in the middle of the file.
        let tags = ["title=Later 2", "artist=Bo", "album=Later", "date=2005", "track=2", "genre=Folk"]
        var flac = try Encoders.ffmpeg(sound(), tags.flatMap { ["-metadata", $0] }, as: "2.flac")
        let middle = flac.count / 2
        for position in middle..<middle + 20 { flac[position] ^= 0x5A }
        later[1] = ("later/2.flac", flac)
        let various = ["--tv", "TPE2=Various", "--tv", "TCMP=1"]
        let mix =
            try album("mix", "Mix", by: "Ada", 2011, songs: 1, more: various)
            + [
                (
                    "mix/2.mp3",
                    try Encoders.lame(
                        sound(),
                        [
                            "-b", "96", "--tt", "Mix 2", "--ta", "Bo", "--tl", "Mix", "--ty", "2011", "--tn",
                            "2",
                        ] + various)
                )
            ]
        return try album("long", "Long", by: "Ada", 1994, songs: 7)
            + album("four", "Four", by: "Ada", 1998, songs: 4)
            + album("one", "One", by: "Ada", 2003, songs: 1)
            + album("bo", "Bo's", by: "Bo", 2011, songs: 1) + later + mix
    }

    /// Runs checks in a new browser whose window is wide enough for tables, and expects no console errors.
    private func onPage(
        _ script: String,
        _ body: (WebBrowser, (_ name: String) async throws -> [String: Any]) async throws -> Void
    ) async throws {
        let checks = try PageChecks(script)
        try await PlayedLibrary.with(try await Self.files.value) { played in
            try await WebBrowser.with(open: "\(played.base)/") { browser in
                _ = try await browser.resize(width: 1500, height: 1400)
                try await body(browser) { try await checks.run($0, in: browser, key: played.key) }
            }
        }
    }

    @Test("Tables sort by plays, columns are moved, rows are dragged, and damaged files are filtered")
    func table() async throws {
        try await onPage("track-table-checks.js") { browser, check in
            let plays = try await check("plays")
            #expect(plays["isHidden"] as? Bool == true && plays["place"] as? Int == 1)
            #expect(plays["most"] as? [String] == ["Long 2", "Long 5"])
            #expect(plays["shown"] as? [String] == ["3", "1"] && plays["after"] as? [String] == ["5", "3"])
            // One request for all rows, and none of that kind for the play of another client.
            #expect(plays["asked"] as? Int == 1 && plays["askedAgain"] as? Int == 1)

            let order = try await check("order")
            func columns(_ name: String) -> String? { (order[name] as? [String])?.joined(separator: " ") }
            #expect(columns("initial") == "title artist album year bpm key duration")
            #expect(columns("dragged") == "title year artist album bpm key duration")
            #expect(order["early"] as? Int == 0 && order["line"] as? Int == 1)
            #expect(order["isUnsorted"] as? Bool == true && (order["aligned"] as? Double ?? 9) <= 1)
            #expect(columns("byKey") == "title year artist album key bpm duration")
            #expect(order["hasFocus"] as? Bool == true)
            #expect(order["said"] as? String == "Key moved to position 5 of 7")
            #expect(columns("byMenu") == "year title artist album key bpm duration")
            #expect(columns("byOwnMenu") == "year title artist album key duration bpm")
            #expect(columns("kept") == columns("byOwnMenu"))
            try await browser.reload()
            let kept = try await check("keptOrder")
            #expect((kept["kept"] as? [String])?.joined(separator: " ") == columns("byOwnMenu"))
            #expect(kept["before"] as? String == "year" && kept["wider"] as? Double == 20)

            let queue = try await check("rowsToQueue")
            #expect(queue["isDraggable"] as? Bool == true)
            #expect(queue["queue"] as? [String] == queue["wanted"] as? [String])
            expectDrag(queue["both"], of: "2 songs")
            expectDrag(queue["single"])

            let lists = try await check("rowsToPlaylist")
            expectDrag(lists["mine"], of: "2 songs")
            #expect(lists["songs"] as? [String] == ["Four 1", "Four 3", "Bo 1"])
            #expect((lists["fresh"] as? [String])?.count == 1)
            let clever = lists["clever"] as? [String: Any]
            #expect(clever?["isTaken"] as? Bool == false && clever?["outline"] as? String == "none")
            #expect(
                (lists["offered"] as? [String])?.sorted() == ["Back", "Mine", "New one", "New playlist…"])

            let damaged = try await check("damaged")
            #expect(damaged["shown"] as? [String] == ["Later 2"])
            #expect(damaged["text"] as? String == "1 of 18 songs")
            #expect(damaged["rule"] as? [String] == ["damagedFrames", "gt", "0"])
        }
    }

    @Test("A real mouse drags rows to the queue and to a playlist, and a column to another place")
    func mouse() async throws {
        try await onPage("mouse-checks.js") { browser, check in
            _ = try await check("begin")
            /// Drags from one place of a check's answer to the other.
            func drag(_ name: String) async throws {
                let told = try await check(name)
                let (from, to) = (
                    try #require(told["from"] as? [Double]), try #require(told["to"] as? [Double])
                )
                try await browser.drag(along: [
                    (from[0], from[1]), (from[0] + 8, from[1] + 8),
                    ((from[0] + to[0]) / 2, (from[1] + to[1]) / 2),
                    (to[0] - 2, to[1] - 2), (to[0], to[1]),
                ])
            }
            try await drag("rowToQueue")
            let queued = try await check("queued")
            #expect(queued["queue"] as? [String] == ["Four 2"])
            #expect(queued["seen"] as? [String] == ["dragstart", "marked", "drop", "dragend"])
            try await drag("rowsToPlaylist")
            let listed = try await check("listed")
            #expect(listed["songs"] as? [String] == ["Bo 1", "Four 3"])
            try await drag("column")
            let moved = try await check("moved")
            #expect(moved["columns"] as? [String] == ["title", "album", "artist"])
        }
    }

    /// Expects that a target was marked while rows were dragged, and took them.
    private func expectDrag(_ told: Any?, of image: String? = nil) {
        let drag = told as? [String: Any]
        for name in ["isTaken", "isMarked", "isEnded"] { #expect(drag?[name] as? Bool == true, "\(name)") }
        #expect(drag?["outline"] as? String == "dashed")
        if let image { #expect(drag?["image"] as? String == image) }
    }

    @Test(
        "Artists have top songs, releases by kind and similar artists; decades and interrupted albums are shown"
    )
    func discovery() async throws {
        try await onPage("discovery-checks.js") { _, check in
            _ = try await check("enter")
            let artist = try await check("artist")
            #expect(artist["hadTop"] as? Bool == false)
            #expect(artist["top"] as? [String] == ["Long 5", "Long 2", "Four 1", "Long 7"])
            #expect(artist["albums"] as? [String] == ["Long"])
            #expect(artist["singles"] as? [String] == ["One", "Four"])
            #expect(artist["appearsOn"] as? [String] == ["Mix"])
            #expect(artist["similar"] as? [String] == ["Bo"])
            #expect(artist["radio"] as? Int == 1 && artist["heads"] as? Int == 1)

            let decades = try await check("decades")
            #expect(
                decades["tiles"] as? [String] == ["2010s: 3 songs", "2000s: 4 songs", "1990s: 11 songs"])
            #expect(decades["albums"] as? [String] == ["Long", "Four"])
            #expect(decades["texts"] as? [String] == ["1994 · Ada", "1998 · Ada"])
            #expect(decades["year"] as? [String] == ["Four"])
            #expect(decades["lead"] as? String == "1 album · 4 songs")
            #expect((decades["none"] as? String)?.contains("No albums") == true)

            let interrupted = try await check("interrupted")
            #expect(interrupted["albums"] as? [String] == ["Long"])
            #expect(interrupted["texts"] as? [String] == ["Next: Long 5"])
            #expect(interrupted["title"] as? String == "Long 5")
        }
    }
}
