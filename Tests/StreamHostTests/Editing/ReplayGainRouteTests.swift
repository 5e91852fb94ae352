import Analyzer
import Companion
import Foundation
import TestSupport
import Testing

/// Compares ReplayGain tags with those computed and written by loudgain.
@Suite("ReplayGain over HTTP", .timeLimit(.minutes(30)))
struct ReplayGainRouteTests {
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        var files: [(name: String, bytes: [UInt8])] = []
        for (number, level) in [0.9, 0.4, 0.1].enumerated() {
            var music = PCM.music(frameCount: 12 * 44_100, seed: UInt64(50 + number))
            for index in music.samples.indices {
                music.samples[index] = Int16(Double(music.samples[index]) * level)
            }
            let tags = ["--id3v2-only", "--tl", "Album", "--ta", "A", "--tn", "\(number + 1)"]
            files.append(("album/\(number + 1).mp3", try Encoders.lame(music, ["-b", "128"] + tags)))
        }
        let silence = PCM(sampleRate: 44_100, channelCount: 1, samples: [Int16](repeating: 0, count: 88_200))
        files.append(("silence.mp3", try Encoders.lame(silence)))
        return files
    }

    /// Returns gain and true peak of each file, and of the album, by loudgain.
    private static func loudgain(_ paths: [String]) async throws -> [(gain: Double, peak: Double)] {
        let run = try await ProcessRun.aside("loudgain", ["-a", "-O", "-q"] + paths)
        return run.text.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let gain = Double(fields[8].prefix { $0 != " " }) ?? .nan
            return (gain, Double(fields[3]) ?? .nan)
        }
    }

    @Test("Gains match loudgain within 0.02 dB and peaks within 0.5 %, in loudgain's format")
    func values() async throws {
        let files = try Self.files()
        try await ServedLibrary.with(files, parts: .profile) { served in
            let names = ["album/1.mp3", "album/2.mp3", "album/3.mp3"]
            let ids = try names.map { try served.id($0) }
            let truth = try await Self.loudgain(names.map { served.file($0) })
            let audio = try await served.audio(names[0])
            let dry = try await served.send("POST", "/replaygain", ["peak": "true", "all": true])
            #expect(try dry.json("changed_count") as? Int == 3, "\(dry.text)")
            for file in files { #expect(try [UInt8](served.bytes(file.name)) == file.bytes) }

            let answer = try await served.send(
                "POST", "/replaygain", ["peak": "true", "all": true, "dry_run": false])
            let results = try answer.results()
            #expect(results["silence.mp3"]?["outcome"] as? String == "silent")
            for (index, name) in names.enumerated() {
                #expect(results[name]?["outcome"] as? String == "written")
                let frames = try await TagWitness.frames(of: served.file(name))
                func text(_ key: String) throws -> String { try #require(frames["TXXX:REPLAYGAIN_\(key)"]) }
                for (kind, expected) in [("TRACK", truth[index]), ("ALBUM", truth[3])] {
                    let gain = try text("\(kind)_GAIN")
                    #expect(gain.wholeMatch(of: /-?[0-9]+\.[0-9]{2} dB/) != nil, "\(gain)")
                    let value = try #require(Double(gain.dropLast(3)))
                    #expect(abs(value - expected.gain) <= 0.0201, "\(name) \(kind) \(gain) \(expected)")
                    let peak = try text("\(kind)_PEAK")
                    #expect(peak.wholeMatch(of: /[0-9]\.[0-9]{6}/) != nil, "\(peak)")
                    let linear = try #require(Double(peak))
                    #expect(abs(linear / expected.peak - 1) <= 0.005, "\(name) \(kind) \(peak) \(expected)")
                }
            }
            #expect(try await served.audio(names[0]) == audio)
            #expect(try names.map { try served.id($0) } == ids)
            let metadata = try await served.get("/edit-metadata?id=\(ids[0])")
            #expect(try metadata.json("replay_gain", "track_gain_db") as? Double != nil)

            // The values are already right: no file is changed, and a scan has nothing to do.
            let written = try names.map { try served.bytes($0) }
            let again = try await served.send(
                "POST", "/replaygain", ["peak": "true", "all": true, "dry_run": false])
            #expect(try again.json("changed_count") as? Int == 0)
            #expect(try again.results()[names[0]]?["outcome"] as? String == "right")
            #expect(try names.map { try served.bytes($0) } == written)
            let summary = try await served.pass()
            #expect(summary.analyzedCount == 0 && summary.unchangedCount == 4)
            // Album loudness is stored by the audio of its tracks, which is unchanged.
            let albums = try await served.get("/api/albums?q=Album")
            let album = try #require((try albums.json("items") as? [[String: Any]])?.first)
            #expect(album["integrated_lufs"] as? Double != nil)
        }
    }

    @Test("Values written by loudgain are replaced in place, or kept on request")
    func existing() async throws {
        let files = try Self.files()
        try await ServedLibrary.with(files, parts: .profile) { served in
            let names = ["album/1.mp3", "album/2.mp3", "album/3.mp3"]
            // Different values, in lower-case frames.
            try await ProcessRun.aside(
                "loudgain", ["-a", "-s", "i", "-L", "-d", "-5", "-q"] + names.map { served.file($0) })
            _ = try await served.pass()
            let left = try await served.send(
                "POST", "/replaygain", ["skip_existing": true, "all": true, "dry_run": false])
            #expect(try left.json("changed_count") as? Int == 0)
            #expect(try left.results()[names[0]]?["outcome"] as? String == "existing")
            let answer = try await served.send(
                "POST", "/replaygain", ["album": "folder", "peak": "true", "all": true, "dry_run": false])
            #expect(try answer.json("changed_count") as? Int == 3, "\(answer.text)")
            let frames = try await TagWitness.frames(of: served.file(names[0]))
            let keys = frames.keys.filter {
                $0.lowercased().contains("replaygain_") && !$0.lowercased().contains("range")
            }
            #expect(
                Set(keys.filter { !$0.lowercased().contains("reference") })
                    == Set(
                        ["TRACK_GAIN", "TRACK_PEAK", "ALBUM_GAIN", "ALBUM_PEAK"].map {
                            "TXXX:REPLAYGAIN_\($0)"
                        }))
            let truth = try await Self.loudgain(names.map { served.file($0) })
            let gain = try #require(frames["TXXX:REPLAYGAIN_ALBUM_GAIN"]).dropLast(3)
            #expect(abs(try #require(Double(gain)) - truth[3].gain) <= 0.0201)
        }
    }

    @Test(
        "Tempo and key are written only on request, in the notation asked for; tracks without one keep theirs"
    )
    func tempoAndKey() async throws {
        let other = ["--id3v2-only", "--tv", "TBPM=77", "--tv", "TKEY=Gm"]
        let silence = PCM(sampleRate: 44_100, channelCount: 1, samples: [Int16](repeating: 0, count: 176_400))
        let files = [
            ("beats.mp3", try GeneratedTracks.mp3(GeneratedTracks.beats(20, bpm: 125, first: 0.2), other)),
            ("silence.mp3", try GeneratedTracks.mp3(silence, other)),
        ]
        try await ServedLibrary.with(files, parts: .profile) { served in
            func frames(_ name: String) async throws -> [String] {
                let frames = try await TagWitness.frames(of: served.file(name))
                return ["TBPM", "TKEY"].map { frames[$0] ?? "" }
            }
            func tag(_ options: [String: Any]) async throws -> ServedLibrary.Answer {
                let content = options.merging(["all": true, "dry_run": false]) { given, _ in given }
                return try await served.send("POST", "/replaygain", content)
            }
            _ = try await tag([:])
            #expect(try await frames("beats.mp3") == ["77", "Gm"])
            _ = try await tag(["bpm": true, "key": "musical", "skip_existing": true])
            #expect(try await frames("beats.mp3") == ["77", "Gm"])

            let report = try await served.get("/tracks/\(try served.id("beats.mp3"))/analysis")
            let bpm = Int(try #require(try report.json("bpm") as? Double).rounded())
            #expect(bpm == 125)
            let name = try #require(try report.json("key") as? String)
            let key = name.replacing(" minor", with: "m").replacing(" major", with: "")
            let dry = try await tag(["bpm": true, "key": "musical", "dry_run": true])
            #expect(try dry.results()["beats.mp3"]?["initial_key"] as? String == key, "\(dry.text)")
            #expect(try await frames("beats.mp3") == ["77", "Gm"])
            let audio = try await served.audio("beats.mp3")
            let written = try await tag(["bpm": true, "key": "musical", "replay_gain": false])
            #expect(try written.results()["beats.mp3"]?["bpm"] as? Int == 125)
            #expect(try written.json("changed_count") as? Int == 1, "\(written.text)")
            #expect(try await frames("beats.mp3") == ["125", key])
            #expect(try await frames("silence.mp3") == ["77", "Gm"])
            #expect(try await served.audio("beats.mp3") == audio)

            let again = try await tag(["bpm": true, "key": "musical"])
            #expect(try again.results()["beats.mp3"]?["outcome"] as? String == "right")
            _ = try await tag(["key": "camelot"])
            let camelot = try #require(try report.json("key_camelot") as? String)
            #expect(try await frames("beats.mp3") == ["125", camelot])
            #expect(try await tag(["replay_gain": false]).errorCode == "nothing_selected")
        }
    }

    @Test("Target, peak and clipping options affect the computed gains")
    func options() async throws {
        let files = try Self.files()
        try await ServedLibrary.with(files, parts: .profile) { served in
            func gains(_ options: [String: Any]) async throws -> [String: Any] {
                let content = options.merging(["relative_paths": ["album/3.mp3"]]) { $1 }
                let answer = try await served.send("POST", "/replaygain", content)
                return try #require(try answer.results()["album/3.mp3"]?["replay_gain"] as? [String: Any])
            }
            let plain = try await gains(["album": "none"])
            #expect(plain["album_gain_db"] == nil)
            let gain = try #require(plain["track_gain_db"] as? Double)
            let peak = try #require(plain["track_peak"] as? Double)
            let louder = try #require(try await gains(["target_lufs": -5])["track_gain_db"] as? Double)
            #expect(abs(louder - gain - 13) < 0.011)
            let limited = try #require(
                try await gains(["target_lufs": -5, "clip_mode": "positive"])["track_gain_db"] as? Double)
            #expect(abs(limited - min(louder, -20 * log10(peak))) < 0.011)
            for content in [["target_lufs": -31, "all": true], ["limit": 2_000, "all": true]]
                as [[String: Any]]
            {
                #expect(try await served.send("POST", "/replaygain", content).status == 422)
            }
            #expect(
                try await served.send("POST", "/replaygain", ["album": "both", "all": true]).status == 422)
        }
    }

    @Test("Nothing is written without a selection or without dry_run false")
    func explicitSelection() async throws {
        let files = try Self.files()
        try await ServedLibrary.with(files, parts: .profile) { served in
            for content in [
                [:], ["peak": "true"], ["dry_run": false], ["all": false, "dry_run": false],
                ["all": true, "track_ids": [1], "dry_run": false], ["track_ids": [], "dry_run": false],
            ] as [[String: Any]] {
                let answer = try await served.send("POST", "/replaygain", content)
                #expect(answer.status == 422, "\(content) \(answer.text)")
                #expect(["nothing_selected", "unclear_files"].contains(answer.errorCode))
            }
            for content in [["all": true], ["relative_paths": ["album/1.mp3"]]] as [[String: Any]] {
                let answer = try await served.send("POST", "/replaygain", content)
                #expect(try answer.json("dry_run") as? Bool == true)
                #expect(try answer.json("changed_count") as? Int ?? 0 > 0)
            }
            for file in files { #expect(try [UInt8](served.bytes(file.name)) == file.bytes, "\(file.name)") }
        }
    }
}
