import Foundation
import TestSupport
import Testing

/// `export`: exports the library for other programs.
@Suite("Export")
struct ExportTests {
    /// A library that no test changes, and the output of its pass.
    private static let made = Result { () throws -> (MusicFixture, pass: ProgramRun) in
        let fixture = try HostileTags.fixture()
        let pass = try fixture.pass("--quiet", "--json")
        #expect(pass.status == 0)
        return (fixture, pass)
    }

    private let fixture: MusicFixture
    private let pass: ProgramRun

    init() throws { (fixture, pass) = try Self.made.get() }

    private func export(_ options: String...) throws -> ProgramRun {
        try AnalyzeCLI.start(["export", "--data", fixture.data] + options).wait()
    }

    @Test("CSV can be read by another program, whatever the tags contain")
    func csv() throws {
        let run = try export("--format", "csv")
        #expect(run.status == 0)
        let directory = try TemporaryDirectory()
        let path = try directory.write(run.output.utf8, as: "library.csv")
        let script = """
            import csv, json, sys
            rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8"), strict=True))
            assert all(None not in row and None not in row.values() for row in rows), "ragged"
            print(json.dumps(rows))
            """
        let text = try ProcessRun.run("python3", ["-c", script, path]).output
        let rows = try #require(JSONSerialization.jsonObject(with: text) as? [[String: String]])
        #expect(rows.count == HostileTags.titles.count)
        let lines = try TrackLine.byPath(pass)
        for row in rows {
            let line = try #require(lines[row["relative_path"] ?? ""])
            for (key, value) in line.values {
                let cell = try #require(row[key], "\(key)")
                if let text = value as? String { #expect(cell.utf8.elementsEqual(text.utf8), "\(key)") }
                if key != "is_silent", let number = value as? Double {
                    #expect(Double(cell) == number, "\(key)")
                }
            }
        }
    }

    @Test("JSON is one array with beat times, JSON lines match those of a pass")
    func json() throws {
        let run = try export()
        let tracks = try #require(
            JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        #expect(Set(tracks.compactMap { $0["title"] as? String }).count == HostileTags.titles.count)
        for track in tracks where track["bpm"] != nil {
            let beats = try #require(track["beat_seconds"] as? [Double])
            #expect(beats.count > 10 && beats == beats.sorted())
            #expect(abs((beats.first ?? -1) - (track["first_beat_seconds"] as? Double ?? -2)) < 0.0011)
        }
        let lines = try export("--format", "jsonl")
        #expect(lines.output == pass.output)
    }

    @Test("Liquidsoap requests have autocue's fields and units")
    func liquidsoap() throws {
        let run = try export("--format", "liquidsoap", "--music", "/srv/music")
        #expect(run.status == 0)
        #expect(run.outputLines.count == HostileTags.titles.count)
        let lines = try TrackLine.byPath(pass)
        for request in run.outputLines {
            let match = try #require(request.wholeMatch(of: #/annotate:((?:[a-z_]+="[^"]*",?)+):(.*)/#))
            let path = try #require(String(match.2).split(separator: "/srv/music/", maxSplits: 1).first)
            let line = try #require(lines[String(path)])
            var fields: [String: String] = [:]
            for field in match.1.matches(of: #/([a-z_]+)="([^"]*)"/#) {
                fields[String(field.1)] = String(field.2)
            }
            func number(_ name: String, _ unit: String = "") throws -> Double {
                let value = try #require(fields[name], "\(name)")
                #expect(value.hasSuffix(unit), "\(name)")
                return try #require(Double(value.dropLast(unit.count)), "\(name): \(value)")
            }
            for (name, unit, key, tolerance) in [
                ("duration", "", "duration_seconds", 0.0006), ("liq_cue_in", "", "cue_in_seconds", 0.0011),
                ("liq_cue_out", "", "cue_out_seconds", 0.0011),
                ("liq_cross_start_next", "", "start_next_seconds", 0.0011),
                ("liq_loudness", " LUFS", "integrated_lufs", 0.0101),
                ("liq_loudness_range", " LU", "loudness_range_lu", 0.0101),
                ("liq_amplify", " dB", "replay_gain_db", 0.0101),
                ("liq_true_peak_db", " dBFS", "true_peak_dbtp", 0.0101),
            ] {
                let truth = try #require(line[number: key])
                #expect(try abs(number(name, unit) - truth) <= tolerance, "\(name)")
            }
            #expect(
                try abs(number("liq_cue_duration") - (number("liq_cue_out") - number("liq_cue_in"))) < 0.0011)
            #expect(fields["liq_reference_loudness"] == "-18.00 LUFS")
            #expect(try number("liq_blankskip") == 0)
            #expect(
                try abs(20 * log10(number("liq_true_peak")) - number("liq_true_peak_db", " dBFS")) < 0.006)
            for flag in ["liq_longtail", "liq_sustained_ending", "liq_blank_skipped"] {
                #expect(["true", "false"].contains(fields[flag]), "\(flag)")
            }
        }
    }

    @Test("Requests contain file names as raw bytes; a name with a line break is skipped and reported")
    func liquidsoapNames() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        try fixture.add(MadeMusic.pieces[1], as: "new\nline.mp3")
        let latin: [UInt8] = [0x6C, 0xE9, 0x2E, 0x6D, 0x70, 0x33]
        try fixture.link("0.mp3", as: latin)
        _ = try fixture.pass()
        let directory = try TemporaryDirectory()
        let run = try AnalyzeCLI.run(
            "export", "--data", fixture.data, "--format", "liquidsoap", "--output", directory.file("out"))
        #expect(run.status == 1)
        #expect(run.errors.contains("skipped"))
        let lines = try directory.read("out").split(separator: 0x0A)
        #expect(lines.count == 2)
        #expect(lines.contains { $0.suffix(6).elementsEqual(latin) })
    }

    @Test("Requests for tracks of a cue sheet have the cue points in their file, also for an older library")
    func liquidsoapSheets() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let sound = IntegerSound.tones(frameCount: 588 * 900, seed: 3)
        try fixture.add(try sound.flac(), as: "Album.flac")
        let sheet = """
            FILE "Album.flac" WAVE
            TRACK 01 AUDIO
            INDEX 01 00:00:00
            TRACK 02 AUDIO
            INDEX 01 00:06:00
            """
        try fixture.add(Array(sheet.utf8), as: "Album.cue")
        _ = try fixture.pass()
        func export() throws -> (run: ProgramRun, cues: [ClosedRange<Double>]) {
            let run = try AnalyzeCLI.run(
                "export", "--data", fixture.data, "--format", "liquidsoap", "--music", "/m")
            let cues = try run.outputLines.filter { $0.hasSuffix(":/m/Album.flac") }.map { line in
                let match = try #require(line.firstMatch(of: #/liq_cue_in="([^"]*)",liq_cue_out="([^"]*)"/#))
                // The length of the file is not known.
                #expect(!line.hasPrefix("annotate:duration="))
                return try #require(Double(match.1))...(try #require(Double(match.2)))
            }
            return (run, cues)
        }
        let (run, cues) = try export()
        #expect(run.status == 0 && run.outputLines.count == 3)
        // 900 frames of a compact disc are 12 s; the sound is as loud everywhere.
        #expect(cues.count == 2)
        for (cue, expected) in zip(cues, [0.0...6, 6...12]) {
            #expect(abs(cue.lowerBound - expected.lowerBound) < 0.1)
            #expect(abs(cue.upperBound - expected.upperBound) < 0.1)
        }
        // As an earlier version has stored it: the next pass completes it, without analysing again.
        try ProcessRun.run(
            "sqlite3",
            [
                fixture.databases.library,
                "UPDATE tracks SET part_start_sample = NULL; UPDATE file_divisions SET sheets = ''",
            ])
        let older = try export()
        #expect(older.run.status == 1 && older.cues.isEmpty)
        #expect(older.run.errors.contains("Album.flac/02: its start in the file is not known"))
        let pass = try fixture.pass()
        #expect(pass.status == 0)
        #expect(try export().cues == cues)
    }

    @Test("The output file appears completely or not at all")
    func output() throws {
        let directory = try TemporaryDirectory()
        #expect(try export("--format", "csv", "--output", directory.file("a.csv")).status == 0)
        #expect(try directory.read("a.csv") == Array(export("--format", "csv").output.utf8))
        // Enough space for SQLite to read, but not for the export.
        let large = try MusicFixture(pieces: 0..<1)
        for number in 0..<60 { try large.link("0.mp3", as: Array("copy \(number).mp3".utf8)) }
        #expect(try large.pass().status == 0)
        let full = try AnalyzeCLI.start(
            ["export", "--data", large.data, "--output", directory.file("b.json")],
            wrapper: ["prlimit", "--fsize=40960"]
        ).wait()
        #expect(full.status == 2)
        #expect(full.errors.contains("b.json cannot be written"), "\(full.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("")).sorted() == ["a.csv"])
        let nowhere = try export("--output", "/nonexistent/x.json")
        #expect(nowhere.status == 2 && nowhere.errors.contains("/nonexistent/x.json"))
    }
}
