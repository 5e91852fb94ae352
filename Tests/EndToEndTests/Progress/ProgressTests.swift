import Foundation
import TestSupport
import Testing

/// Progress output of a pass.
@Suite("Progress")
struct ProgressTests {
    @Test(
        "On a terminal a live line is redrawn, fits, shows the progress, and is removed at the end",
        arguments: [100, 60])
    func live(columns: Int) throws {
        let fixture = try MusicFixture(pieces: 0..<8)
        // The largest file is read first.
        let letter = [UInt8](repeating: 0x61, count: 1 << 20)
        try fixture.add(letter, as: "bad\u{1B}[2J.mp3")
        let terminal = try PseudoTerminal(columns: columns)
        let program = try RunningProgram(
            ["TERM=xterm", AnalyzeCLI.path, fixture.music, "--data", fixture.data, "--jobs", "1"],
            terminal: terminal.device)
        let run = try program.wait()
        #expect(run.status == 1)
        usleep(200_000)
        let text = terminal.text
        let drawings = text.replacing("\r\n", with: "\n").components(separatedBy: "\r").filter {
            $0.contains(" tracks · ")
        }
        #expect(drawings.count >= 2, "\(text)")
        for drawing in drawings {
            #expect(
                drawing.contains(#/\d/9 tracks · \d+\.\d h of audio · \d+ × real time · ETA (\d+:\d\d|–)/#),
                "\(drawing)")
        }
        #expect(drawings.last?.contains("1 failed") == true)
        let shown = PseudoTerminal.screen(text)
        #expect(shown.allSatisfy { !$0.contains("real time") }, "the live line was left: \(shown)")
        #expect(
            shown.contains { $0.hasPrefix("failed    bad") && $0.hasSuffix("a text file, not MP3 audio") },
            "\(shown)")
        #expect(shown.contains { $0.hasPrefix("done: 8 analysed") })
        #expect(!text.contains("\u{1B}[2J"), "a file name controlled the terminal")
        #expect(!shown.contains { $0.contains("analysed  ") }, "no lines for single tracks")
    }

    @Test("The live line is removed on interruption too")
    func interrupted() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        try fixture.add(MadeMusic.long(megabytes: 40), as: "long.mp3")
        let terminal = try PseudoTerminal(columns: 100)
        let program = try RunningProgram(
            ["TERM=xterm", AnalyzeCLI.path, fixture.music, "--data", fixture.data], terminal: terminal.device)
        #expect(program.waits(20) { terminal.text.contains(" tracks · ") })
        program.signal(SIGINT)
        #expect(try program.wait().status == 130)
        usleep(200_000)
        let shown = PseudoTerminal.screen(terminal.text)
        #expect(shown.allSatisfy { !$0.contains("real time") })
        #expect(shown.contains { $0.hasPrefix("interrupted: ") })
        #expect(shown.last == "")
    }

    @Test("Without a terminal each track is a plain line; known tracks are not counted as work")
    func plain() throws {
        let fixture = try MusicFixture(pieces: 0..<3)
        for number in 0..<5 { try fixture.add(Array("no music".utf8), as: "bad \(number).mp3") }
        let first = try fixture.pass()
        #expect(first.errorLines.first == "8 music files, 0 unchanged, 8 to analyse")
        #expect(!first.errors.contains("\r") && !first.errors.contains("\u{1B}"))
        for number in 0..<3 { #expect(first.errors.contains("analysed  \(number).mp3  (0:12)")) }
        #expect(first.errors.contains("[8/8]") == first.errors.contains("[8/8] analysed"))
        try fixture.add(MadeMusic.pieces[3], as: "3.mp3")
        let second = try fixture.pass()
        #expect(second.errorLines.first == "9 music files, 3 unchanged, 5 still failing, 1 to analyse")
        #expect(second.errors.contains("[1/1] analysed  3.mp3"), "\(second.errors)")
        #expect(second.errorLines.last?.contains("1 analysed, 3 unchanged, 5 failed") == true)
    }

    @Test("--quiet prints only failures")
    func quiet() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        let fine = try fixture.pass("--quiet")
        #expect(fine.status == 0)
        #expect(fine.errors.isEmpty && fine.output.isEmpty)
        try fixture.add(Array("no music".utf8), as: "bad.mp3")
        let failed = try fixture.pass("--quiet")
        #expect(failed.status == 1)
        #expect(failed.errors == "failed    bad.mp3: this is a text file, not MP3 audio\n")
    }

    @Test("A line of --json has the documented keys")
    func keys() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let line = try #require(try fixture.tracks()["0.mp3"])
        let numbers = [
            "duration_seconds", "integrated_lufs", "loudness_range_lu", "true_peak_dbtp", "sample_peak_dbfs",
            "silence_start_seconds", "silence_end_seconds", "cue_in_seconds", "cue_out_seconds",
            "start_next_seconds", "encoder_delay_samples", "encoder_padding_samples", "frame_count",
            "sample_rate_hz", "channels",
        ]
        for key in numbers { #expect(line[number: key] != nil, "\(key)") }
        #expect(line.audioHash?.wholeMatch(of: #/[0-9a-f]{32}/#) != nil)
        #expect(["hard", "fade", "sustained", "long_tail"].contains(line[text: "ending"]))
        // Tempo and its confidence are always reported together.
        #expect((line[number: "bpm"] == nil) == (line[number: "bpm_confidence"] == nil))
        for key in ["beat_confidence", "beats_per_bar", "first_downbeat", "bar_confidence"] {
            #expect((line[number: "bpm"] == nil) == (line[number: key] == nil), "\(key)")
        }
        #expect(line[text: "key"] != nil)
        let duration = try #require(line[number: "duration_seconds"])
        #expect(duration == 12)
    }
}
