import CueSheets
import TestSupport
import Testing

@Suite("Cue sheets")
struct CueSheetTests {
    /// As Exact Audio Copy writes them, with the fields that matter.
    private static let album = """
        REM GENRE "Progressive Rock"
        REM DATE 1973
        REM DISCNUMBER 2
        REM COMMENT "ExactAudioCopy v1.0"
        REM REPLAYGAIN_ALBUM_GAIN -6.50 dB
        CATALOG 0077774606929
        PERFORMER "The Band"
        TITLE "The "Quoted" Album"
        FILE "The Album.wav" WAVE
          TRACK 01 AUDIO
            TITLE "First"
            PERFORMER "A Guest"
            ISRC GBAYE7300001
            FLAGS DCP PRE
            REM REPLAYGAIN_TRACK_GAIN -7.25 dB
            INDEX 01 00:00:00
          TRACK 02 AUDIO
            TITLE "Second"
            SONGWRITER "A Writer"
            INDEX 00 01:02:03
            INDEX 01 01:04:74
            INDEX 02 01:30:00
          TRACK 03 AUDIO
            INDEX 01 02:00:00
        """

    @Test("Texts, positions and flags are read")
    func texts() throws {
        let sheet = try CueSheet(text: Self.album)
        #expect(sheet.files == ["The Album.wav"])
        #expect(sheet.texts.title == #"The "Quoted" Album"#)
        #expect(sheet.texts.performer == "The Band")
        #expect(sheet.texts.remarks["DATE"] == "1973")
        #expect(sheet.texts.remarks["GENRE"] == "Progressive Rock")
        #expect(sheet.texts.remarks["DISCNUMBER"] == "2")
        #expect(sheet.tracks.map(\.number) == [1, 2, 3])
        #expect(sheet.tracks.map(\.texts.title) == ["First", "Second", nil])
        #expect(sheet.tracks[0].texts.performer == "A Guest")
        #expect(sheet.tracks[0].texts.remarks["REPLAYGAIN_TRACK_GAIN"] == "-7.25 dB")
        #expect(sheet.tracks[0].isrc == "GBAYE7300001")
        #expect(sheet.tracks.map(\.hasPreEmphasis) == [true, false, false])
        #expect(sheet.tracks[1].texts.songwriter == "A Writer")
        #expect(sheet.tracks[1].pause == .discFrames(62 * 75 + 3))
        #expect(sheet.tracks[1].start == .discFrames(64 * 75 + 74))
    }

    @Test("Tracks follow each other from index 01 to index 01, and the last one ends with the audio")
    func division() throws {
        let parts = try CueSheet(text: Self.album).division(sampleRate: 44_100, sampleCount: 6_000_000)
        // 588 samples are a frame of a compact disc at 44.1 kHz.
        #expect(
            parts.map(\.samples) == [
                0..<(64 * 75 + 74) * 588, (64 * 75 + 74) * 588..<120 * 44_100, 120 * 44_100..<6_000_000,
            ])
    }

    @Test(
        "A frame that is no whole number of samples is rounded down",
        arguments: [8_000, 11_025, 32_000, 48_000, 384_000])
    func rates(rate: Int) {
        #expect(CueSheet.Position.discFrames(1).sample(at: rate) == rate / 75)
        #expect(CueSheet.Position.discFrames(75).sample(at: rate) == rate)
        #expect(
            CueSheet.Position.discFrames(74).sample(at: rate) == Int((Double(rate) * 74 / 75).rounded(.down)))
    }

    @Test("Audio before the first track belongs to none, and data after the audio is ignored")
    func surroundings() throws {
        let sheet = try CueSheet(
            text: """
                FILE a.flac WAVE
                TRACK 01 AUDIO
                INDEX 00 00:00:00
                INDEX 01 00:01:00
                TRACK 02 AUDIO
                INDEX 01 00:02:00
                TRACK 03 MODE1/2352
                INDEX 01 00:05:00
                """)
        let short = try sheet.division(sampleRate: 44_100, sampleCount: 3 * 44_100)
        #expect(short.map(\.samples) == [44_100..<88_200, 88_200..<132_300])
        let long = try sheet.division(sampleRate: 44_100, sampleCount: 9 * 44_100)
        #expect(long.map(\.samples) == [44_100..<88_200, 88_200..<220_500])
    }

    private static func sheet(_ indexes: [String], file: String = "FILE a.wav WAVE\n") -> String {
        file
            + indexes.enumerated().map {
                "TRACK \($0 + 1) AUDIO\n" + $1.split(separator: ",").joined(separator: "\n")
            }
            .joined(separator: "\n")
    }

    @Test(
        "Sheets that do not divide the audio are rejected with a reason",
        arguments: [
            (sheet(["INDEX 01 00:00:00"]), CueSheetError.Code.singleTrack, "fewer than two"),
            (sheet(["INDEX 01 00:02:00", "INDEX 01 00:01:00"]), .invalidPositions, "track 2"),
            (sheet(["INDEX 01 00:01:00", "INDEX 01 00:01:00"]), .invalidPositions, "track 2"),
            (
                sheet(["INDEX 01 00:00:00", "INDEX 00 00:02:00,INDEX 01 00:01:00"]), .invalidPositions,
                "track 2"
            ),
            (
                sheet(["INDEX 01 00:02:00", "INDEX 00 00:01:00,INDEX 01 00:03:00"]), .invalidPositions,
                "overlap"
            ),
            (sheet(["INDEX 01 00:00:00", "INDEX 00 00:01:00"]), .invalidPositions, "no INDEX 01"),
            (sheet(["INDEX 01 00:00:00", "INDEX 01 00:10:00"]), .invalidPositions, "after the end"),
            (
                sheet(["INDEX 01 00:00:00"]) + "\nFILE b.wav WAVE\nTRACK 02 AUDIO\nINDEX 01 00:00:00",
                .severalFiles,
                "2 files"
            ),
            (
                "FILE a.wav WAVE\nTRACK 02 AUDIO\nINDEX 01 00:00:00\nTRACK 01 AUDIO\nINDEX 01 00:01:00",
                .invalidPositions, "track 1 of the cue sheet follows track 2"
            ),
            (
                "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 MODE1/2352\nINDEX 01 01:00:00\n"
                    + "TRACK 03 AUDIO\nINDEX 01 02:00:00\nTRACK 04 AUDIO\nINDEX 01 03:00:00",
                .invalidPositions,
                "track 2"
            ),
        ])
    func rejected(text: String, code: CueSheetError.Code, words: String) throws {
        let sheet = try CueSheet(text: text)
        let error = #expect(throws: CueSheetError.self) {
            try sheet.division(sampleRate: 44_100, sampleCount: 5 * 44_100)
        }
        #expect(error?.code == code)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(
        "Invalid text is rejected with the number of its line",
        arguments: [
            ("", "no tracks"), ("TITLE x", "no tracks"), ("FILE", "line 1"), ("TRACK 01 AUDIO", "line 1"),
            ("FILE a WAVE\nTRACK 0 AUDIO", "line 2"), ("FILE a WAVE\nTRACK 100 AUDIO", "line 2"),
            ("FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 00:60:00", "line 3"),
            ("FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:75", "line 3"),
            ("FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 -1:00:00", "line 3"),
            ("FILE a WAVE\nTRACK 01 AUDIO\nINDEX 01 99999999999999999999:00:00", "line 3"),
            ("FILE a WAVE\nINDEX 01 00:00:00", "line 2"),
        ])
    func malformed(text: String, words: String) {
        let error = #expect(throws: CueSheetError.self) { try CueSheet(text: text) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("99 tracks are read, and no more")
    func manyTracks() throws {
        let sheet = try CueSheet(
            text: "FILE a WAVE\n"
                + (1...99).map { "TRACK \($0) AUDIO\r\nINDEX 01 00:\($0 / 2):\($0 % 2 * 37)\r\n" }.joined())
        let parts = try sheet.division(sampleRate: 44_100, sampleCount: 50 * 44_100)
        #expect(parts.map(\.track.number) == Array(1...99))
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.samples.upperBound == $1.samples.lowerBound })
    }

    @Test("The CUESHEET block that metaflac writes has the positions of its sheet")
    func block() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            IntegerSound.tones(frameCount: 3_000_000, channelCount: 1).flac(["--fast"]), as: "a.flac")
        let text = Self.sheet([
            "ISRC GBAYE7300001,INDEX 01 00:00:00", "FLAGS PRE,INDEX 00 00:20:10,INDEX 01 00:22:11",
            "INDEX 01 00:59:74",
        ])
        try ProcessRun.run(
            "metaflac", ["--import-cuesheet-from=\(directory.write(Array(text.utf8), as: "a.cue"))", path])
        let bytes = try directory.read("a.flac")
        let block = try #require(FLACMetadata(bytes)?.blocks.first { $0.type == 5 }).content
        let sheet = try CueSheet(flacBlock: block)
        #expect(sheet.tracks.map(\.isrc) == ["GBAYE7300001", nil, nil])
        #expect(sheet.tracks.map(\.hasPreEmphasis) == [false, true, false])
        #expect(sheet.end == .samples(3_000_000))
        let parts = try sheet.division(sampleRate: 44_100, sampleCount: 3_000_000)
        let starts = [0, (22 * 75 + 11) * 588, (59 * 75 + 74) * 588]
        #expect(
            parts.map(\.samples) == [starts[0]..<starts[1], starts[1]..<starts[2], starts[2]..<3_000_000])
        for length in 0..<block.count { _ = try? CueSheet(flacBlock: Array(block[..<length])) }
        var random = SeededGenerator(seed: 2)
        for _ in 0..<20_000 {
            var damaged = block
            for _ in 0..<3 {
                damaged[Int.random(in: 390..<damaged.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            guard
                let parts = try? CueSheet(flacBlock: damaged).division(
                    sampleRate: 44_100, sampleCount: 3_000_000)
            else { continue }
            #expect(
                parts.allSatisfy {
                    !$0.samples.isEmpty && $0.samples.lowerBound >= 0 && $0.samples.upperBound <= 3_000_000
                })
        }
    }

    @Test("Damaged sheets are rejected, or divide the audio into parts within it")
    func damaged() throws {
        var divided = 0
        var random = SeededGenerator(seed: 1)
        let original = Array(Self.album.utf8)
        let words = [
            "TRACK 04 AUDIO\n", "INDEX 01 ", "\"", "FILE x WAVE\n", ":", "99:59:74\n", "REM ", "TITLE \"",
        ]
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<1 + random.next() % 5 {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 4 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1:
                    bytes.insert(contentsOf: words[Int(random.next() % UInt64(words.count))].utf8, at: place)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.next() % 40) + 1))
                default: bytes[place] = UInt8(48 + random.next() % 10)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            guard let sheet = try? CueSheet(text: String(decoding: bytes, as: UTF8.self)),
                let parts = try? sheet.division(sampleRate: 44_100, sampleCount: 6_000_000)
            else { continue }
            divided += 1
            #expect(
                parts.allSatisfy {
                    !$0.samples.isEmpty && $0.samples.lowerBound >= 0 && $0.samples.upperBound <= 6_000_000
                })
            #expect(
                zip(parts, parts.dropFirst()).allSatisfy { $0.samples.upperBound <= $1.samples.lowerBound })
        }
        #expect(divided > 2000)
    }
}
