import MusicShared
import TestSupport
import Testing

@Suite("LRC")
struct LRCTests {
    private func starts(_ text: String) -> [Double?] { Lyrics(lrc: text).lines.map(\.startSeconds) }

    @Test(
        "Time formats",
        arguments: [
            ("[00:12]x", 12), ("[00:12.5]x", 12.5), ("[00:12.05]x", 12.05), ("[01:02.345]x", 62.345),
            ("[00:12.3456]x", 12.345), ("[00:12,34]x", 12.34), ("[00:12:34]x", 12.34), ("[75:00.00]x", 4500),
            ("[1:02:03]x", 3723), ("[1:02:03.5]x", 3723.5), ("[00:99.00]x", 99), ("[0:5]x", 5),
            (" \t[00:12.00] x", 12), ("[00:00.00]x", 0),
        ] as [(String, Double)])
    func times(text: String, seconds: Double) {
        let lyrics = Lyrics(lrc: text)
        #expect(lyrics.isSynced && lyrics.lines == [LyricsLine(startSeconds: seconds, text: "x")])
    }

    @Test(
        "Invalid times are text",
        arguments: [
            "[12]x", "[:12]x", "[00:]x", "[00:12", "[-1:00]x", "[00:12.00 x", "[aa:bb]x", "<00:12.00>x", "[]",
            "[00:1234567890]x", "[99999999:00]x", "[1:2:3:4]x",
        ])
    func noTimes(text: String) {
        let lyrics = Lyrics(lrc: text)
        #expect(!lyrics.isSynced && lyrics.lines.map(\.text) == [text])
    }

    @Test("Times of three parts: seconds never exceed 59, hundredths soon do")
    func threeParts() {
        #expect(starts("[00:12:34]a\n[00:15:99]b") == [12.34, 15.99])
        #expect(starts("[0:12:34]a\n[1:15:20]b") == [754, 4520])
        let hours = (0..<12).map { "[00:0\($0 / 6):\($0 % 6)5]x" }.joined(separator: "\n")
        #expect(starts(hours).last == 115)
        // Times with a decimal point are unambiguous whatever the others are.
        #expect(starts("[00:12:34]a\n[1:15:20.5]b") == [12.34, 4520.5])
    }

    @Test("Several times per line, in any order, with word times shifted along")
    func repeated() {
        let lyrics = Lyrics(
            lrc:
                "[00:30.00][00:10.00] [00:20.00]chorus\n[00:05.00]first\n[00:40.00][01:40.00]<00:40.00>a <00:40.50>b"
        )
        #expect(lyrics.lines.map(\.text) == ["first", "chorus", "chorus", "chorus", "a b", "a b"])
        #expect(lyrics.lines.map(\.startSeconds) == [5, 10, 20, 30, 40, 100])
        #expect(lyrics.lines[5].words?.map(\.startSeconds) == [100, 100.5])
    }

    @Test("Word times, with ends")
    func words() {
        let line = Lyrics(lrc: "[00:12.00] <00:12.04> When <00:12.50> the <00:12.80>truth<00:13.10>").lines[0]
        #expect(line.text == "When the truth" && line.startSeconds == 12 && line.endSeconds == 13.1)
        #expect(line.words?.map(\.text) == ["When ", "the ", "truth"])
        #expect(line.words?.map(\.startSeconds) == [12.04, 12.5, 12.8])
        #expect(line.words?.map(\.endSeconds) == [nil, nil, 13.1])
        let mixed = Lyrics(lrc: "[00:01.00]Oh <00:02.00>my<00:02.50> <00:03.00>god").lines[0]
        #expect(mixed.text == "Oh my god" && mixed.words?.map(\.startSeconds) == [1, 2, 3])
        #expect(mixed.words?[1].endSeconds == 2.5)
        // Brackets within a line mean the same; syllables have no space between.
        #expect(Lyrics(lrc: "[00:01.00]Hel[00:01.50]lo").lines[0].words?.map(\.text) == ["Hel", "lo"])
    }

    @Test(
        "A positive offset shows lines earlier",
        arguments: [
            ("+500", 9.5), ("500", 9.5), ("-250", 10.25), (" +1000 ", 9), ("0", 10), ("20000", 0),
            ("junk", 10),
        ])
    func offset(value: String, start: Double) {
        let lyrics = Lyrics(lrc: "[offset:\(value)]\n[00:10.00]x")
        #expect(lyrics.lines.map(\.startSeconds) == [start])
    }

    @Test("Tags are metadata; text that only resembles a tag is a line")
    func tags() {
        let lyrics = Lyrics(
            lrc: "[ar:Some: body]\n[TI: Title ]\n[length:03:00]\n[00:01.00]a\n[Chorus: all]\n[00:02.00]b")
        #expect(lyrics.metadata == ["ar": "Some: body", "ti": "Title", "length": "03:00"])
        #expect(lyrics.lines.map(\.text) == ["a\n[Chorus: all]", "b"])
        let plain = Lyrics(lrc: "[ti:Title]\n\n[Chorus: all]\nla la\n\n")
        #expect(!plain.isSynced && plain.lines.map(\.text) == ["[Chorus: all]", "la la"])
        #expect(plain.metadata == ["ti": "Title"])
    }

    @Test("A time without text ends the previous line")
    func ends() {
        let lyrics = Lyrics(lrc: "[00:01.00]a\n[00:03.00]\n[00:05.00]b\n[00:06.00]c")
        #expect(lyrics.lines.map(\.endSeconds) == [3, nil, nil, nil] && lyrics.lines[1].text.isEmpty)
    }

    @Test("Line endings of all systems", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) {
        #expect(starts(["[00:01.00]a", "", "[00:02.00]b", ""].joined(separator: end)) == [1, 2])
    }

    @Test("UTF-8 and UTF-16 with and without byte order mark, and Windows-1252")
    func encodings() {
        let text = "[00:01.00]Größe – €"
        let little = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let western: [UInt8] = Array("[00:01.00]Gr".utf8) + [0xF6, 0xDF, 0x65, 0x20, 0x96, 0x20, 0x80]
        for bytes in [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), little, [0xFF, 0xFE] + little, big,
            [0xFE, 0xFF] + big, western,
        ] {
            #expect(Lyrics(lrcFile: bytes).lines == [LyricsLine(startSeconds: 1, text: "Größe – €")])
        }
    }

    @Test("Parsed lyrics can be written, and read back unchanged")
    func roundTrip() throws {
        let text = """
            [ar:Somebody]
            [offset:+250]
            [00:01.00]a
            [00:03.00]
            [00:05.123]<00:05.12>b <00:05.50>c<00:06.00>
            [00:07.00]two
            rows
            [01:07.00]end

            """
        let lyrics = Lyrics(lrc: text)
        let written = try #require(LRCWriter.text(of: lyrics))
        #expect(Lyrics(lrc: written) == lyrics)
        #expect(written.contains("[offset:+250]") && written.contains("[00:05.123]"))
    }

    @Test("Lyrics that would read back differently are not written")
    func unwritable() {
        func text(_ lines: LyricsLine...) -> String? {
            LRCWriter.text(of: Lyrics(isSynced: lines[0].startSeconds != nil, lines: lines))
        }
        #expect(text(LyricsLine(startSeconds: 1, text: "[00:02.00]x")) == nil)
        #expect(text(LyricsLine(text: "[00:02.00]x")) == nil)
        #expect(text(LyricsLine(startSeconds: 1, text: "a <00:02.00> b")) == nil)
        #expect(text(LyricsLine(startSeconds: 2, text: "a"), LyricsLine(startSeconds: 1, text: "b")) == nil)
        #expect(text(LyricsLine(startSeconds: 1, text: "a"), LyricsLine(startSeconds: 2, text: "b")) != nil)
    }

    @Test("Changing the offset changes nothing else")
    func otherOffset() throws {
        let text = "[ti:T]\r\n[00:01.00] spaced \r\njunk\r\n"
        let moved = try #require(LRCWriter.text(text, withOffsetSeconds: 0.1))
        #expect(moved == "[ti:T]\r\n[offset:+100]\r\n[00:01.00] spaced \r\njunk\r\n")
        #expect(LRCWriter.text(moved, withOffsetSeconds: -0.1) == moved.replacing("+100", with: "-100"))
        #expect(LRCWriter.text("plain", withOffsetSeconds: 1) == nil)
    }

    @Test("A small text cannot expand to a large result")
    func bomb() {
        let times = String(repeating: "[00:01.00]", count: 50_000)
        let lyrics = Lyrics(lrc: times + String(repeating: "x", count: 400_000))
        let size = lyrics.lines.reduce(0) { $0 + $1.text.utf8.count }
        #expect(size <= LyricsLimits.expandedBytes && lyrics.lines.count <= LyricsLimits.lines)
        let words =
            String(repeating: "[00:01.00]", count: 5000) + String(repeating: "<00:01.00>a", count: 50_000)
        let count = Lyrics(lrc: words).lines.reduce(0) { $0 + ($1.words?.count ?? 0) }
        #expect(count <= LyricsLimits.words)
        // A hundred thousand rows that all belong to one line.
        let rows = Lyrics(lrc: "[00:01.00]a\n" + String(repeating: "b\n", count: 200_000))
        #expect(rows.lines.count == 1)
    }

    @Test("Any bytes give a result, and the result can be displayed", arguments: 0..<8)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "[", "]", "<", ">", ":", ".", "00", "12", "9999999", "[00:01.00]", "<00:02.5>", "[offset:-3]",
            "\n", "\r",
            "[ti:", "text", " ", "é", "\u{0}", "\u{FEFF}", "1:02:03", "-", "𝄞",
        ]
        for _ in 0..<400 {
            var bytes = (0..<Int.random(in: 0...60, using: &random)).flatMap { _ in
                Array((pieces.randomElement(using: &random) ?? "").utf8)
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            let lyrics = Lyrics(lrcFile: bytes)
            let times = lyrics.lines.compactMap(\.startSeconds)
            #expect(times.count == (lyrics.isSynced ? lyrics.lines.count : 0))
            #expect(
                times == times.sorted()
                    && times.allSatisfy { (0...LyricsLimits.latestSeconds + 3600).contains($0) })
            for line in lyrics.lines {
                #expect(
                    line.text.unicodeScalars.allSatisfy {
                        $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F)
                    })
                if let words = line.words { #expect(words.map(\.text).joined() == line.text) }
            }
            // Everything the writer accepts reads back unchanged.
            if let text = LRCWriter.text(of: lyrics) {
                let kept = Lyrics(lrc: text).lines.filter { !$0.text.isEmpty }.map(\.text)
                #expect(kept == lyrics.lines.filter { !$0.text.isEmpty }.map(\.text))
            }
        }
    }
}
