import Foundation
import TestSupport
import Testing

/// Synced lyrics in a real browser, with a real host that saves changes.
@Suite("Lyrics view", .timeLimit(.minutes(30)))
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
            // Different audio for each: files with the same audio are one recording.
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

    @Test("The line at a time is found from any hint")
    func lines() throws {
        let seen = try page.of("lineOfATime")
        #expect(seen["wrong"] == 0)
        #expect([seen["before"], seen["half"], seen["after"]] == [0, 0.5, 1])
    }

    @Test("Lines and words are highlighted in time, forwards and backwards, and text is never parsed as HTML")
    func lights() throws {
        let seen = try page.of("lights")
        #expect(seen["early"] == 0)
        #expect([seen["first"], seen["third"], seen["back"]] == [1, 1, 1])
        // At 2.5 s, the first word has been sung, half of the second, and nothing of the third.
        #expect([seen["done"], seen["half"], seen["open"]] == [1, 0.5, 0])
        #expect(seen["current"] == 1)
        #expect(seen["markup"] == 0)
        #expect(seen["asText"] == 1)
    }

    @Test("The view follows playback until the user scrolls, and again on request")
    func scrolls() throws {
        let seen = try page.of("scrolls")
        #expect((seen["followed"] ?? 99) < 5)
        #expect((seen["held"] ?? 999) < 10)
        #expect([seen["isOffered"], seen["isGone"]] == [1, 1])
    }

    @Test("Tapping a line seeks to it") func taps() throws { #expect(try page.of("taps")["sought"] == 8) }

    @Test("The offset is adjusted in steps or by tapping a line in time, and saved on the host")
    func offset() throws {
        let seen = try page.of("offset")
        #expect(seen["unsaved"] == 0.2)
        #expect([seen["before"], seen["after"]] == [0, 1])
        // In LRC, a positive offset makes times earlier.
        #expect(abs((seen["offset"] ?? 0) + 0.2) < 1e-9)
        #expect(abs((seen["start"] ?? 0) - 1.2) < 1e-9)
        #expect(abs((seen["secondStart"] ?? 0) - 6.7) < 1e-9)
        #expect(abs((seen["finalOffset"] ?? 0) + 2.2) < 1e-9)
        #expect(seen["saysSaved"] == 1)
    }

    @Test("Unsynced lyrics are shown as text, and a track without lyrics shows a note")
    func others() throws {
        let seen = try page.of("others")
        #expect(
            [seen["plainLines"], seen["plainButtons"], seen["toolsHidden"], seen["none"]] == [2, 0, 1, 1])
    }
}
