import Foundation
import TestSupport
import Testing

/// Lyrics in time with the music, in a real browser, from a real host that keeps what is changed.
@Suite("The lyrics", .timeLimit(.minutes(30)))
struct LyricsViewTests {
    private static let page = Task {
        try await CheckedPage.run("lyrics-checks.js", files: try await aside { try files() }) { played in
            let text = try played.directory.read("music/sung.lrc")
            try #require(String(decoding: text, as: UTF8.self).contains("[offset:-2200]"))
        }
    }

    private let page: CheckedPage

    init() async throws { page = try await Self.page.value }

    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let bytes = try Encoders.lame(PCM.music(frameCount: 44_100), ["-b", "64"])
        let sung = """
            [00:01.00]<00:01.00>One <00:02.00>two <00:03.00>three
            [00:04.50]Second line
            [00:08.00]Second verse
            [00:10.00]<b>not bold</b>
            [00:12.00]five
            [00:13.00]six
            [00:14.00]seven
            [00:15.00]eight
            [00:16.00]nine
            [00:17.00]ten
            [00:18.00]eleven
            [00:19.00]twelve

            """
        return [
            ("sung.mp3", bytes), ("sung.lrc", Array(sung.utf8)),
            // Another sound each: what sounds alike is one recording.
            (
                "plain.mp3",
                try Encoders.lame(PCM.music(frameCount: 44_100, seed: 2), ["-b", "64"])
            ),
            ("plain.lrc", Array("Just words\nand more\n".utf8)),
            (
                "none.mp3",
                try Encoders.lame(PCM.music(frameCount: 44_100, seed: 3), ["-b", "64"])
            ),
        ]
    }

    @Test("The line of a time is found from wherever one looks")
    func lines() throws {
        let seen = try page.of("lineOfATime")
        #expect(seen["wrong"] == 0)
        #expect([seen["before"], seen["half"], seen["after"]] == [0, 0.5, 1])
    }

    @Test("Lines and words light up in time, forwards and back, and text stays text")
    func lights() throws {
        let seen = try page.of("lights")
        #expect(seen["early"] == 0)
        #expect([seen["first"], seen["third"], seen["back"]] == [1, 1, 1])
        // At 2.5 s the first word is sung, the second half, the third not yet.
        #expect([seen["done"], seen["half"], seen["open"]] == [1, 0.5, 0])
        #expect(seen["current"] == 1)
        #expect(seen["markup"] == 0)
        #expect(seen["asText"] == 1)
    }

    @Test("They follow until somebody scrolls, and again when asked")
    func scrolls() throws {
        let seen = try page.of("scrolls")
        #expect((seen["followed"] ?? 99) < 5)
        #expect((seen["held"] ?? 999) < 10)
        #expect([seen["isOffered"], seen["isGone"]] == [1, 1])
    }

    @Test("A tap on a line goes there") func taps() throws { #expect(try page.of("taps")["sought"] == 8) }

    @Test("Taps move the times by a tenth, or to what is heard, and the host keeps it")
    func offset() throws {
        let seen = try page.of("offset")
        #expect(seen["unsaved"] == 0.2)
        #expect([seen["before"], seen["after"]] == [0, 1])
        // LRC's offset makes times earlier.
        #expect(abs((seen["offset"] ?? 0) + 0.2) < 1e-9)
        #expect(abs((seen["start"] ?? 0) - 1.2) < 1e-9)
        #expect(abs((seen["secondStart"] ?? 0) - 6.7) < 1e-9)
        #expect(abs((seen["finalOffset"] ?? 0) + 2.2) < 1e-9)
        #expect(seen["saysSaved"] == 1)
    }

    @Test("Lyrics without times are text, and a track without lyrics says so")
    func others() throws {
        let seen = try page.of("others")
        #expect(
            [seen["plainLines"], seen["plainButtons"], seen["toolsHidden"], seen["none"]] == [2, 0, 1, 1])
    }
}
