import MusicalStructure
import Analyzer
import Companion
import Foundation
import LibraryStore
import Tagging
import Testing
import TestSupport

@testable import TrackView

@Suite struct TerminalReportTests {
    static let plain = TerminalStyle(colours: .none, usesUnicode: true)
    static let styles = TerminalStyle.Colours.allCases.flatMap { colours in
        [true, false].map { TerminalStyle(colours: colours, usesUnicode: $0) }
    }

    private func lines(
        _ track: AnalysedTrack, _ frames: VisualizerSpectra? = nil, width: Int = 80,
        style: TerminalStyle = plain
    ) -> [String] {
        TerminalReport(width: width, style: style).render(track, frames: frames)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Each number of a made-up analysis stands in the line of its name, with its unit.
    @Test(arguments: [
        ("title", "Some Title"), ("artist", "Some Artist"), ("album", "Some Album"),
        ("album artist", "Some Band"),
        ("track", "3 of 12"), ("disc", "1 of 2"), ("year", "1994"), ("genre", "Trip Hop"),
        ("composer", "Some Composer"), ("comment", "First line second line"),
        ("tagged gain", "track -7.53 dB"),
        ("kinds", "ID3v2, APE"),
        ("duration", "3:20.000  8,820,000 samples"), ("encoding", "MPEG-2.5 layer III  stereo"),
        ("sample rate", "44,100 Hz"), ("bit rate", "245.7 kbit/s  variable (VBR)"),
        ("frames", "9,876  × 1,152 samples"), ("trimmed", "576 + 1,234 samples  encoder delay + padding"),
        ("untrimmed", "8,821,810 samples"),
        ("path", "albums/file.mp3"), ("size", "7,654,321 bytes"), ("analyzer", "version 1"),
        ("visualizer", "6,000 frames  × 64 bands, 30/s"),
        ("integrated", "-14.27 LUFS"), ("range", "6.31 LU"), ("max momentary", "-9.12 LUFS  400 ms"),
        ("max short-term", "-10.45 LUFS  3 s"), ("sample peak", "-0.50 dBFS"),
        ("true peak", "0.29 dBTP  over full scale"), ("ReplayGain", "-3.73 dB  to -18 LUFS"),
        ("cue-in", "0:04.000  confidence 91 %"), ("fade-in end", "0:20.000"), ("fade-out start", "2:40.000"),
        ("start next", "3:00.000  confidence 73 %"), ("cue-out", "3:14.000  confidence 82 %"),
        ("ending", "long tail"), ("silence", "4.000 s before · 6.000 s after"),
        ("inner silence", "1:20.000 – 1:40.000  20.0 s"), ("hidden track", "1:40.000"),
        ("start ramp", "-12 dB 0.50 s · -6 dB 1.25 s"), ("end ramp", "-12 dB 2.50 s"),
        ("tempo", "123.45 BPM  confidence 64 %"), ("first beat", "0:00.375  411 beats"),
        ("phrases", "0:16 · 1:03"),
        ("key", "F♯ minor  Camelot 11A, confidence 55 %"),
        ("key changes", "0:00 F♯ minor · 1:35 A major"),
        ("energy", "37 %"), ("danceability", "68 %"), ("brightness", "812 Hz"),
    ])
    func showsEveryNumber(_ label: String, _ value: String) {
        var analysis = MadeUpTrack.analysis(seconds: 200, profile: MadeUpTrack.profile(seconds: 200))
        analysis.version = 1
        let track = MadeUpTrack.track(analysis: analysis)
        let frames = MadeUpTrack.frames(seconds: 200, band: 20)
        let expected = "  " + label + String(repeating: " ", count: 16 - label.count) + value
        #expect(lines(track, frames).contains(expected))
        // In two columns the same values stand side by side.
        #expect(lines(track, frames, width: 160).contains { $0.contains(expected) })
    }

    @Test func showsTheAudioHash() {
        let track = MadeUpTrack.track(analysis: nil)
        #expect(
            lines(track).contains {
                $0.hasPrefix("  audio hash") && $0.hasSuffix(track.track.audioHash.description)
            })
    }

    @Test func saysWhatIsOdd() {
        let analysis = MadeUpTrack.analysis(
            seconds: 10, profile: nil,
            remarks: ["truncated last frame " + String(repeating: "and so on ", count: 20)], version: 0)
        let text = lines(MadeUpTrack.track(analysis: analysis)).joined(separator: "\n")
        for words in [
            "truncated last frame", "4,096 bytes between frames", "found again 2 times",
            "only visualizer frames",
            "analysed by version 0",
        ] { #expect(text.contains(words)) }
        // Remarks are wrapped, never cut.
        #expect(text.components(separatedBy: "and").count - 1 >= 20)
        #expect(lines(MadeUpTrack.track(analysis: nil)).contains("  ! not analysed yet"))
    }

    /// The triangle of the made-up waveform is tall on the left and low on the right; arrows stand at their columns.
    @Test func drawsTheWaveform() throws {
        let analysis = MadeUpTrack.analysis(seconds: 200, profile: MadeUpTrack.profile(seconds: 200))
        let lines = lines(MadeUpTrack.track(analysis: analysis), width: 106)
        let top = try #require(lines.firstIndex { $0.hasPrefix("  0.0 ") })
        let rows = lines[top..<top + 8].map(Array.init)
        func height(_ column: Int) -> Int {
            rows.count { 6 + column < $0.count && !" ┊".contains($0[6 + column]) }
        }
        #expect(height(1) == 8)
        #expect(height(48) >= 4 && height(48) <= 5)
        #expect(height(98) <= 2)
        // 100 columns for 200 seconds: the cue-in at 4 s is column 2, start next at 180 s column 90, cue-out 97.
        let arrows = lines[..<top].flatMap { line in Array(line).indices.filter { Array(line)[$0] == "▼" } }
        #expect(arrows.sorted() == [6 + 2, 6 + 90, 6 + 97])
        let axis = try #require(lines.first { $0.contains("0:00  ") && $0.contains("1:00") })
        let minute = try #require(axis.range(of: "1:00"))
        #expect(axis.distance(from: axis.startIndex, to: minute.lowerBound) == 6 + 30)
    }

    /// A tone is drawn in the row of its frequency and nowhere else.
    @Test(arguments: [(1_000.0, "1k"), (4_000, "4k"), (250, "250"), (12_000, "12k")])
    func drawsTheSpectrogram(_ hertz: Double, _ label: String) throws {
        let band = try #require(BandLayout().band(atHz: hertz))
        let analysis = MadeUpTrack.analysis(seconds: 20, profile: nil)
        let frames = MadeUpTrack.frames(seconds: 20, band: band)
        let lines = lines(MadeUpTrack.track(analysis: analysis), frames)
        let filled = lines.filter { $0.contains("████") }
        #expect(filled.count == 1)
        #expect(filled.first?.trimmingCharacters(in: .whitespaces).hasPrefix(label + " █") == true)
    }

    @Test func colourlessTextHasNoEscapes() {
        let analysis = MadeUpTrack.analysis(seconds: 200, profile: MadeUpTrack.profile(seconds: 200))
        let frames = MadeUpTrack.frames(seconds: 200, band: 3)
        for usesUnicode in [true, false] {
            let style = TerminalStyle(colours: .none, usesUnicode: usesUnicode)
            let text = TerminalReport(width: 100, style: style)
                .render(MadeUpTrack.track(analysis: analysis), frames: frames)
            #expect(!text.contains("\u{1B}"))
            #expect(usesUnicode || text.utf8.allSatisfy { $0 < 0x80 })
        }
        for colours in [TerminalStyle.Colours.palette256, .trueColour] {
            let style = TerminalStyle(colours: colours, usesUnicode: true)
            let text = TerminalReport(width: 100, style: style)
                .render(MadeUpTrack.track(analysis: analysis), frames: frames)
            #expect(text.contains(colours == .trueColour ? "\u{1B}[38;2;" : "\u{1B}[38;5;"))
        }
    }

    /// Python measures every line of every report: none is wider than the terminal, and nothing but looks (SGR) is sent
    /// to it, whatever tags and analysis hold.
    @Test func staysInItsBounds() throws {
        let directory = try TemporaryDirectory()
        var all = ""
        for (index, track) in Self.hostileTracks.enumerated() {
            for width in [1, 7, 20, 40, 80, 103, 104, 160] {
                for style in Self.styles {
                    let frames = index % 2 == 0 ? MadeUpTrack.frames(seconds: 2, band: 5) : nil
                    let text = TerminalReport(width: width, style: style).render(track, frames: frames)
                    #expect(text.hasSuffix("\n"))
                    all += text.split(separator: "\n").map { "\(width)|\($0)\n" }.joined()
                }
            }
        }
        let program = """
            import re, sys, unicodedata as u
            count = 0
            for line in open(sys.argv[1], encoding='utf-8', newline='\\n').read().split('\\n')[:-1]:
                width, text = line.split('|', 1)
                text = re.sub('\\x1b\\\\[[0-9;]*m', '', text)
                columns = 0
                for ch in text:
                    k = u.category(ch)
                    if k in ('Cc', 'Zl', 'Zp') or k == 'Cf' and ch not in '\\u200c\\u200d': sys.exit('control: %r' % text)
                    columns += 0 if k in ('Mn', 'Me', 'Cf') else 2 if u.east_asian_width(ch) in 'WF' else 1
                if columns > int(width): sys.exit('%d > %s: %r' % (columns, width, text))
                count += 1
            print(count)
            """
        try directory.write(all.utf8, as: "lines")
        let run = try ProcessRun.run("python3", ["-c", program, directory.file("lines")])
        #expect(Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 1_000)
    }

    static let hostileTracks: [AnalysedTrack] = {
        let texts = [
            "\u{1B}]0;owned\u{07}\u{1B}[2J\u{1B}[31m" + String(repeating: "東京", count: 300),
            "\u{202E}\u{2067}"
                + String(repeating: "e\u{301}\u{302}\u{303}\u{20DD}\u{304}\u{305}\u{306}", count: 200),
            "👨‍👩‍👧‍👦🇩🇪👍🏽❤️\u{9B}5A\u{85}\u{2028}\r\n\t" + String(repeating: "x", count: 10_000), "",
            "\u{1F6DC}\u{31350}\u{E0041}\u{F0000}\u{10FFFF}",
        ]
        let durations = [0.05, 0, -1, .nan, .infinity, 36_000, 200, 1e300]
        return durations.enumerated().map { index, seconds in
            let text = texts[index % texts.count]
            var tags = MadeUpTrack.tags(title: text, artist: text)
            tags.comment = text
            tags.year = Int.max
            let sane = seconds.isFinite && seconds >= 0 && seconds < 1e6
            var profile = MadeUpTrack.profile(seconds: sane ? seconds : 1)
            profile.cue.cueOutSeconds = [.nan, -5, 1e300, 3][index % 4]
            if index % 3 == 1 {
                profile.loudness.integratedLUFS = nil
                profile.loudness.samplePeak = 0
                profile.loudness.truePeak = .nan
                profile.loudness.momentary = MomentaryCurve(values: [])
                profile.silence = SilenceBounds(
                    leadingEndSeconds: seconds, trailingStartSeconds: 0, isSilent: true)
                profile.tempo = nil
                profile.key = nil
                profile.waveform = WaveformOverview(sampleRateHz: 0, samplesPerPixel: 0, extremes: [1])
            }
            if index == 0 { profile.key?.tonic = -1 }
            if index == 2 { profile.key?.tonic = Int.max }
            profile.cue.innerSilence = index % 2 == 0 ? nil : profile.cue.innerSilence
            let analysis = MadeUpTrack.analysis(
                seconds: seconds, profile: index == 6 ? nil : profile, remarks: index % 2 == 0 ? [text] : [])
            return MadeUpTrack.track(tags: tags, path: "a\u{1B}[1mb\nc/\u{202E}file.mp3", analysis: analysis)
        }
    }()

    @Test(
        arguments: [
            (
                ["TERM": "xterm-256color", "LANG": "en_GB.UTF-8"], true, TerminalStyle.Colours.palette256,
                true
            ),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], true, .trueColour, true),
            (["TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"], true, .none, true),
            (["TERM": "dumb"], true, .none, true), (["TERM": "xterm"], false, .none, true),
            (["TERM": "xterm", "LANG": "C"], true, .palette256, false),
            (["TERM": "xterm", "LC_ALL": "de_DE.ISO-8859-1", "LANG": "C.UTF-8"], true, .palette256, false),
            (["TERM": "xterm", "LC_ALL": "", "LC_CTYPE": "C.utf8", "LANG": "C"], true, .palette256, true),
        ] as [([String: String], Bool, TerminalStyle.Colours, Bool)])
    func readsTheEnvironment(
        _ environment: [String: String], _ isTerminal: Bool, _ colours: TerminalStyle.Colours,
        _ usesUnicode: Bool
    ) {
        let style = TerminalStyle(environment: environment, isTerminal: isTerminal)
        #expect(style == TerminalStyle(colours: colours, usesUnicode: usesUnicode))
    }
}
