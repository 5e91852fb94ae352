import Foundation
import Testing

/// The whole program with a library whose properties are known: test signals, and music composed note by note.
@Suite("Truth")
struct TruthTests {
    private static let pass = Result { () throws -> ProgramRun in
        let demo = try Corpora.demo()
        return try AnalyzeCLI.run(demo, "--data", demo + "-data", "--json")
    }

    private let lines: [String: TrackLine]
    private let tracks: [TrueTrack]

    init() throws {
        lines = try TrackLine.byPath(Self.pass.get())
        tracks = try TrueTrack.all()
    }

    @Test("Exactly these files are analysed")
    func everyFile() throws {
        let run = try Self.pass.get()
        #expect(run.status == 0)
        #expect(Set(lines.keys) == Set(tracks.map(\.path)))
        #expect(lines.values.allSatisfy { $0.error == nil })
    }

    /// Keys of the truth with the same name in the output, which must agree within the stated tolerance.
    @Test(
        "Levels, silence and peaks are within the standards' tolerances",
        arguments: [
            ("integrated_lufs", 6), ("max_momentary_lufs", 2), ("max_short_term_lufs", 2),
            ("loudness_range_lu", 5), ("sample_peak_dbfs", 5), ("true_peak_dbtp", 5),
            ("silence_start_seconds", 5), ("silence_end_seconds", 9), ("fade_out_start_seconds", 2),
        ])
    func within(key: String, count: Int) throws {
        let tolerance = try TrueTrack.tolerance(key)
        var checked = 0
        for track in tracks {
            guard let truth = track[key] else { continue }
            let found = try #require(lines[track.path]?[number: key], "\(track.path): no \(key)")
            #expect(tolerance.contains(found - truth), "\(track.path): \(key) is \(found), not \(truth)")
            checked += 1
        }
        #expect(checked >= count, "values are missing from the truth")
    }

    @Test(
        "The stream's numbers are exact",
        arguments: [
            ("samples", "sample_count"), ("frame_count", "frame_count"), ("sample_rate_hz", "sample_rate_hz"),
            ("channels", "channels"), ("duration_seconds", "duration_seconds"),
            ("encoder_delay_samples", "encoder_delay_samples"),
            ("encoder_padding_samples", "encoder_padding_samples"),
        ])
    func exact(key: String, reported: String) throws {
        for track in tracks {
            // Of other formats, the frames are the encoder's affair.
            guard track[key] != nil || track.path.hasSuffix(".mp3") else { continue }
            // A stream without a LAME tag states neither delay nor padding.
            let truth = track[key] ?? 0
            let found = try #require(lines[track.path]?[number: reported])
            #expect(abs(found - truth) < 1e-9, "\(track.path): \(reported) is \(found), not \(truth)")
        }
        #expect(tracks.count >= 70)
        #expect(Set(tracks.map { $0.path.suffix(4) }).count >= 7)
    }

    @Test("A silent track is reported as such and has no loudness")
    func silence() throws {
        let silent = tracks.filter { $0.values["is_silent"] as? Bool == true }
        #expect(!silent.isEmpty)
        for track in tracks {
            let line = try #require(lines[track.path])
            let isSilent = silent.contains { $0.path == track.path }
            #expect(line.values["is_silent"] as? Bool == isSilent, "\(track.path)")
            #expect((line[number: "integrated_lufs"] == nil) == isSilent, "\(track.path)")
        }
    }

    @Test("The tempo is right within 4 %, and beats coincide with the clicks")
    func tempo() throws {
        let share = try TrueTrack.tolerance("bpm_share").upperBound
        var octaveErrors: [String] = []
        var betweenBeats: [String] = []
        var checked = 0
        for track in tracks {
            guard let truth = track["bpm"] else { continue }
            let line = try #require(lines[track.path])
            let found = try #require(line[number: "bpm"], "\(track.path): no tempo")
            checked += 1
            if abs(found - truth) > share * truth {
                // Composed music may be perceived at half or double tempo; clicks may not.
                #expect(track.isMusic, "\(track.path): \(found), not \(truth)")
                #expect(
                    [0.5, 2].contains { abs(found - truth * $0) <= share * truth * $0 },
                    "\(track.path): \(found)")
                octaveErrors.append(track.path)
            }
            let first = try #require(track["first_beat_seconds"])
            let foundFirst = try #require(line[number: "first_beat_seconds"])
            // An introduction may have no pulse: then the first beat found is a later one on the same grid. At half the tempo
            // either half of the beats is accepted.
            let rate = max(found, truth)
            let beats = (foundFirst - first) * rate / 60
            if abs(beats - beats.rounded()) * 60 / rate > 0.03 {
                #expect(track.isMusic, "\(track.path): first beat \(foundFirst)")
                betweenBeats.append("\(track.path): first beat \(foundFirst)")
            }
            if !track.isMusic { #expect(abs(foundFirst - first) <= 0.02, "\(track.path)") }
        }
        #expect(checked >= 15)
        // Of 115 pieces not used for tuning, one in five is reported at half or double tempo (Benchmarks/tempo).
        #expect(
            octaveErrors.count * 4 <= tracks.filter { $0["bpm"] != nil && $0.isMusic }.count,
            "\(octaveErrors)")
        #expect(betweenBeats.isEmpty, "\(betweenBeats)")
    }

    @Test("Keys have the right notes")
    func keys() throws {
        var wrongMode: [String] = []
        var checked = 0
        for track in tracks {
            guard let truth = track.values["key"] as? String else { continue }
            let found = try #require(lines[track.path]?[text: "key"])
            let (truePitches, foundPitches) = (Self.pitches(truth), Self.pitches(found))
            #expect(truePitches == foundPitches, "\(track.path): \(found), not \(truth)")
            if found.hasSuffix("major") != truth.hasSuffix("major") {
                wrongMode.append("\(track.path): \(found)")
            }
            checked += 1
        }
        #expect(checked == 8)
        withKnownIssue("Minor pieces without a raised leading note are detected as their relative major") {
            #expect(wrongMode.isEmpty)
        }
    }

    @Test("Endings are classified correctly")
    func endings() throws {
        var checked = 0
        for track in tracks {
            guard let truth = track.values["ending"] as? String else { continue }
            let found = try #require(lines[track.path]?[text: "ending"])
            checked += 1
            #expect(found == truth, "\(track.path)")
        }
        #expect(checked == 5)
    }

    @Test("Cue points skip clicks, find hidden tracks, and never cut sound")
    func cuePoints() throws {
        for track in tracks {
            let line = try #require(lines[track.path])
            let (cueIn, cueOut) = (
                line[number: "cue_in_seconds"] ?? -1, line[number: "cue_out_seconds"] ?? -1
            )
            if let truth = track["cue_in_seconds"] {
                // The guard before the sound is 50 ms.
                #expect((-0.061...0.011).contains(cueIn - truth), "\(track.path): \(cueIn)")
            }
            if let truth = track["silence_end_seconds"], track.values["ending"] as? String != "fade" {
                #expect((-0.011...0.061).contains(cueOut - truth), "\(track.path): \(cueOut)")
            }
            if let inner = track.values["inner_silence_seconds"] as? [Double] {
                let start = try #require(line[number: "inner_silence_start_seconds"])
                let end = try #require(line[number: "inner_silence_end_seconds"])
                #expect(abs(start - inner[0]) <= 0.06 && abs(end - inner[1]) <= 0.06, "\(track.path)")
            }
            if let tail = track["tail_start_seconds"] {
                let next = try #require(line[number: "start_next_seconds"])
                #expect(abs(next - tail) <= 0.5, "\(track.path): \(next)")
            }
        }
    }

    @Test("All kinds of tags are read")
    func tags() throws {
        for track in tracks {
            let line = try #require(lines[track.path])
            let tags = try #require(track.values["tags"] as? [String: Any])
            for key in ["title", "artist", "album", "album_artist", "genre"] {
                guard let truth = tags[key] as? String else { continue }
                #expect(line[text: key] == truth, "\(track.path): \(key)")
            }
            for (key, reported) in [("track", "track_number"), ("year", "year")] {
                guard let truth = (tags[key] as? NSNumber)?.doubleValue ?? Double(tags[key] as? String ?? "")
                else { continue }
                #expect(line[number: reported] == truth, "\(track.path): \(key)")
            }
        }
    }

    /// Returns the pitch classes of a key's scale, which are the same for its relative minor.
    private static func pitches(_ key: String) -> Set<Int> {
        let names = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]
        let words = key.split(separator: " ")
        let name = words.first.map(String.init) ?? ""
        var tonic = names[String(name.prefix(1))] ?? -100
        if name.hasSuffix("#") { tonic += 1 }
        if name.hasSuffix("b") || name.hasSuffix("♭") { tonic += 11 }
        if words.last == "minor" { tonic += 3 }
        return Set([0, 2, 4, 5, 7, 9, 11].map { (tonic + $0) % 12 })
    }
}
