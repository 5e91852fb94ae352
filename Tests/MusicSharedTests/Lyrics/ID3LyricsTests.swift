import MusicShared
import TestSupport
import Testing

/// Frames built by hand according to ID3v2.4.0 frames §4.8 and §4.9.
@Suite("Lyrics frames of ID3v2")
struct ID3LyricsTests {
    private func time(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    @Test("Text in every encoding")
    func texts() throws {
        let wide = Array("é\n€".utf16)
        let little = wide.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = wide.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let contents: [[UInt8]] = [
            [0] + Array("fra".utf8) + Array("d\0".utf8) + [0xE9, 0x0A, 0x80],
            [1] + Array("fra".utf8) + [0xFF, 0xFE, 0x64, 0, 0, 0, 0xFF, 0xFE] + little,
            [1] + Array("fra".utf8) + [0xFE, 0xFF, 0, 0x64, 0, 0, 0xFE, 0xFF] + big,
            [2] + Array("fra".utf8) + [0, 0x64, 0, 0] + big,
            [3] + Array("FRA".utf8) + Array("d\0é\n€".utf8) + [0],
        ]
        for content in contents {
            let frame = try #require(ID3Lyrics(content: content, isSynchronised: false))
            #expect(frame == ID3Lyrics(language: "fra", description: "d", content: .text("é\n€")))
        }
        for unknown in ["XXX", "und", "\0\0\0", "   ", "e1?"] {
            #expect(
                ID3Lyrics(content: [3] + Array(unknown.utf8) + [0, 0x61], isSynchronised: false)?.language
                    == nil)
        }
    }

    @Test("Text with times in milliseconds and in MPEG frames")
    func entries() throws {
        let body = Array("one\0".utf8) + time(1500) + Array("two\0".utf8) + time(3000) + [0] + time(4000)
        func lyrics(_ unit: UInt8, _ frameSeconds: Double?) -> Lyrics? {
            ID3Lyrics(content: [3] + Array("eng".utf8) + [unit, 1, 0] + body, isSynchronised: true).flatMap {
                Lyrics($0, frameSeconds: frameSeconds)
            }
        }
        let plain = try #require(lyrics(2, nil))
        #expect(plain.isSynced && plain.lines.map(\.text) == ["one", "two", ""])
        #expect(plain.lines.map(\.startSeconds) == [1.5, 3, 4] && plain.lines[1].endSeconds == 4)
        // 1152 samples at 44.1 kHz.
        let frames = try #require(lyrics(1, 1152.0 / 44_100))
        #expect(frames.lines.map(\.startSeconds) == [39.184, 78.367, 104.49])
        #expect(lyrics(1, nil) == nil && lyrics(3, 1) == nil)
        let chords = [3] + Array("eng".utf8) + [2, 5, 0] + Array("Am\0".utf8) + time(0)
        #expect(ID3Lyrics(content: chords, isSynchronised: true) == nil)
    }

    @Test("Syllables are joined into words and lines")
    func syllables() throws {
        let texts = [
            ("Strang", 0), ("ers ", 100), ("in", 200), ("\nthe", 1000), (" night", 1100), ("\n", 2000),
        ]
        let frame = ID3Lyrics(
            content: .entries(texts.map { ID3Lyrics.Entry(text: $0.0, time: $0.1) }, .milliseconds))
        let lyrics = try #require(Lyrics(frame, frameSeconds: nil))
        #expect(lyrics.lines.map(\.text) == ["Strangers in", "the night", ""])
        #expect(lyrics.lines[0].words?.map(\.text) == ["Strang", "ers ", "in"])
        #expect(lyrics.lines[1].words?.map(\.text) == ["the ", "night"] && lyrics.lines[1].endSeconds == 2)
    }

    @Test("Written lyrics read back unchanged, in both versions", arguments: [3, 4])
    func roundTrip(version: Int) throws {
        for text in ["plain", "Größe", "日本語 𝄞\nzwei"] {
            let plain = ID3Lyrics(language: "jpn", description: text, content: .text(text))
            let read = ID3Lyrics(content: plain.encoded(forVersion: version), isSynchronised: false)
            #expect(read?.content == plain.content && read?.language == "jpn")
            let timed = ID3Lyrics(
                content: .entries(
                    [.init(text: text, time: 5), .init(text: "", time: 70_000)], .milliseconds))
            #expect(ID3Lyrics(content: timed.encoded(forVersion: version), isSynchronised: true) == timed)
        }
    }

    @Test("Lines with words round-trip through SYLT")
    func throughFrame() throws {
        let lyrics = Lyrics(
            lrc:
                "[00:01.00]<00:01.00>a <00:01.50>b<00:02.00>\n[00:03.00]<00:03.00>c <00:04.00>d\n[00:05.00]end"
        )
        let frame = try #require(lyrics.frame(language: "eng", asText: false))
        let back = try #require(Lyrics(frame, frameSeconds: nil))
        let said = back.lines.filter { !$0.text.isEmpty }
        #expect(said.map(\.text) == lyrics.lines.map(\.text))
        #expect(said.map(\.startSeconds) == lyrics.lines.map(\.startSeconds))
        #expect(
            said.map { $0.words?.map(\.startSeconds) } == lyrics.lines.map { $0.words?.map(\.startSeconds) })
        #expect(said[0].endSeconds == 2)
    }

    @Test("Arbitrary bytes are read safely", arguments: 0..<6)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let whole = [1] + Array("eng".utf8) + [2, 1, 0xFF, 0xFE, 0, 0, 0xFF, 0xFE, 0x61, 0, 0, 0] + time(9)
        for _ in 0..<3000 {
            var bytes =
                whole
                + (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
            for isSynchronised in [false, true] {
                guard let frame = ID3Lyrics(content: bytes, isSynchronised: isSynchronised) else { continue }
                #expect(frame.isSynchronised == isSynchronised)
                if let lyrics = Lyrics(frame, frameSeconds: 0.026), lyrics.isSynced {
                    let times = lyrics.lines.compactMap(\.startSeconds)
                    #expect(times == times.sorted())
                }
            }
        }
    }
}
