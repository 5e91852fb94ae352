import Foundation
import TestSupport
import Testing

/// `analyze-cli duplicates`.
@Suite("Duplicates", .timeLimit(.minutes(30)))
struct DuplicatesTests {
    private struct Group: Decodable {
        struct File: Decodable {
            let relative_path: String
            let difference: Double?
            let is_certain: Bool?
            let is_moved: Bool?
        }

        let best: File
        let copies: [File]
    }

    private func groups(_ fixture: MusicFixture, _ options: String...) throws -> [Group] {
        let run = try AnalyzeCLI.start(
            ["duplicates", "--data", fixture.data, "--json"] + options
        ).wait()
        #expect(run.status == 0, "\(run.errors)")
        return try run.outputLines.map { try JSONDecoder().decode(Group.self, from: Data($0.utf8)) }
    }

    /// Four encodings of one recording, one of them with another sample rate, and one with more treble; another recording, and the same
    /// audio with two tags.
    private func makeFolder() throws -> MusicFixture {
        let fixture = try MusicFixture()
        let pcm = PCM.music(frameCount: 44_100 * 30, seed: 60)
        var trimmed = pcm
        trimmed.samples.removeFirst(2 * 44_100 * 3)
        try fixture.add(try Encoders.lame(pcm, ["-b", "128"]), as: "a/middle.mp3")
        try fixture.add(try Encoders.lame(pcm, ["-b", "256"]), as: "b/best.mp3")
        try fixture.add(
            try Encoders.lame(trimmed, ["-b", "64", "--resample", "44.1"]), as: "trimmed.mp3")
        try fixture.add(try Encoders.lame(pcm, ["-b", "96", "--resample", "32"]), as: "low rate.mp3")
        try fixture.add(try Encoders.lame(brighter(pcm), ["-b", "112"]), as: "remastered.mp3")
        try fixture.add(
            try Encoders.lame(PCM.music(frameCount: 44_100 * 30, seed: 61), ["-b", "128"]), as: "other.mp3")
        try fixture.add(MadeMusic.pieces[0], as: "same 1.mp3")
        try fixture.add(MusicFixture.tag(title: "Same") + MadeMusic.pieces[0], as: "same 2.mp3")
        #expect(try fixture.pass().status == 0)
        return fixture
    }

    /// Makes high notes louder, by 6 dB at 4 kHz.
    private func brighter(_ pcm: PCM) -> PCM {
        var made = pcm
        for index in 2..<pcm.samples.count {
            let (now, before) = (Double(pcm.samples[index]), Double(pcm.samples[index - 2]))
            made.samples[index] = Int16(clamping: Int(0.5 * (now + 2 * (now - before))))
        }
        return made
    }

    @Test("Files with the same recording are listed; nothing is changed")
    func listing() throws {
        let fixture = try makeFolder()
        let found = try groups(fixture)
        #expect(found.count == 2)
        let encodings = try #require(found.first { $0.best.relative_path == "b/best.mp3" })
        #expect(
            encodings.copies.map(\.relative_path)
                == ["a/middle.mp3", "remastered.mp3", "low rate.mp3", "trimmed.mp3"])
        #expect(encodings.copies.map(\.is_certain) == [true, false, true, true])
        for copy in encodings.copies {
            #expect((0.0001...0.15).contains(copy.difference ?? 1) && copy.is_moved == nil)
        }
        // The tag decides.
        let same = try #require(found.first { $0.best.relative_path == "same 2.mp3" })
        #expect(same.copies.map(\.relative_path) == ["same 1.mp3"] && same.copies[0].difference == 0)
        let run = try AnalyzeCLI.start(["duplicates", "--data", fixture.data]).wait()
        #expect(
            run.output.contains("4 files could go to the trash") && run.output.contains("1 file may be")
                && run.output.contains("--trash"))
        #expect(run.output.contains("keep   b/best.mp3  (256 kbit/s, 0:30"), "\(run.output)")
        for name in ["a/middle.mp3", "low rate.mp3", "trimmed.mp3", "same 1.mp3"] {
            #expect(FileManager.default.fileExists(atPath: fixture.file(name)))
        }
    }

    @Test(
        "With --trash, copies go to the trash, and their stars, plays and playlist entries to the best file")
    func removal() throws {
        let fixture = try makeFolder()
        let host = try RunningHost(fixture, ["--no-announce"])
        let copy = try #require(try fixture.databases.trackID("a/middle.mp3"))
        let best = try #require(try fixture.databases.trackID("b/best.mp3"))
        for (id, at) in [(copy, 1_700_000_000), (best, 1_700_000_500)] {
            _ = try host.curl(
                "/listening/actions", "-H", "Content-Type: application/json", "-d",
                #"{"actions": [{"action": "play", "track_id": \#(id), "at": \#(at)}]}"#)
        }
        _ = try host.curl(
            "/listening/tracks/\(copy)", "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
            #"{"is_starred": true, "rating": 4}"#)
        _ = try host.curl(
            "/api/playlists", "-H", "Content-Type: application/json", "-d",
            #"{"name": "evening", "track_ids": [\#(copy), \#(copy)]}"#)
        host.program.signal(SIGTERM)
        _ = try host.program.wait()

        let found = try groups(fixture, "--trash", fixture.music)
        #expect(found.flatMap(\.copies).allSatisfy { $0.is_moved == ($0.is_certain! ? true : nil) })
        #expect(FileManager.default.fileExists(atPath: fixture.file("remastered.mp3")))
        for name in ["a/middle.mp3", "low rate.mp3", "trimmed.mp3", "same 1.mp3"] {
            #expect(!FileManager.default.fileExists(atPath: fixture.file(name)), "\(name)")
        }
        #expect(FileManager.default.fileExists(atPath: fixture.file("b/best.mp3")))
        let trash = try FileManager.default.subpathsOfDirectory(atPath: fixture.file(".trash"))
        #expect(trash.count { $0.hasSuffix(".mp3") } == 4)

        func query(_ database: String, _ sql: String) throws -> String {
            try ProcessRun.run("sqlite3", [database, sql]).text
        }
        let listening = fixture.data + "/listening.sqlite"
        #expect(
            try query(
                listening,
                "SELECT place, is_starred, rating, play_count, last_played_at_ms FROM listened WHERE kind = 'track'"
            ) == "b/best.mp3|1|4|2|1700000500000\n")
        #expect(try query(listening, "SELECT count(*) FROM plays") == "2\n")
        #expect(
            try query(fixture.databases.library, "SELECT track_id FROM playlist_entries ORDER BY position")
                == "\(best)\n\(best)\n")
        #expect(try groups(fixture).flatMap(\.copies).map(\.relative_path) == ["remastered.mp3"])
    }

    @Test("A lossless file is kept, even where it needs fewer bits than a lossy one")
    func lossless() throws {
        let fixture = try MusicFixture()
        // Quiet and mono: FLAC needs less than MP3's highest bit rate.
        let music = PCM.music(frameCount: 44_100 * 30, seed: 62)
        let quiet = PCM(
            sampleRate: 44_100, channelCount: 1,
            samples: stride(from: 0, to: music.samples.count, by: music.channelCount).map {
                music.samples[$0] / 16
            })
        let flac = try IntegerSound(
            sampleRate: 44_100, channels: [quiet.samples.map { Int32($0) }], bitDepth: 16
        ).flac()
        let mp3 = try Encoders.lame(quiet, ["-m", "m", "-b", "320"])
        #expect(flac.count < mp3.count)
        try fixture.add(flac, as: "kept.flac")
        try fixture.add(mp3, as: "copy.mp3")
        #expect(try fixture.pass().status == 0)
        let group = try #require(try groups(fixture).first)
        #expect(group.best.relative_path == "kept.flac")
        #expect(group.copies.map(\.relative_path) == ["copy.mp3"] && group.copies[0].is_certain == true)
    }

    @Test("A mono mix is the same recording; one with an added beat is not")
    func mono() throws {
        let fixture = try MusicFixture()
        let pcm = PCM.music(frameCount: 44_100 * 30, seed: 63)
        var beat = pcm
        for frame in stride(from: 0, to: beat.frameCount, by: 22_050) {
            for index in frame..<min(frame + 4_000, beat.frameCount) {
                let kick =
                    9_000 * sin(Double(index - frame) * 2 * .pi * 60 / 44_100)
                    * exp(-Double(index - frame) / 1_500)
                for channel in 0..<2 {
                    let sum = Double(beat.samples[2 * index + channel]) * 0.7 + kick
                    beat.samples[2 * index + channel] = Int16(max(-32_768, min(32_767, sum)))
                }
            }
        }
        try fixture.add(try Encoders.lame(pcm, ["-b", "192"]), as: "stereo.mp3")
        try fixture.add(
            try Encoders.lame(pcm, ["-b", "96", "-a", "-m", "m", "--resample", "44.1"]), as: "mono.mp3")
        try fixture.add(
            try Encoders.lame(beat, ["-b", "96", "-a", "-m", "m", "--resample", "44.1"]), as: "beat.mp3")
        #expect(try fixture.pass().status == 0)
        let copies = try groups(fixture).flatMap(\.copies)
        #expect(copies.first { $0.relative_path == "mono.mp3" }?.is_certain == true)
        #expect(copies.first { $0.relative_path == "beat.mp3" }?.is_certain != true)
    }

    @Test("Files of other sample rates are copies, and those that only may be keep copies of their own")
    func sampleRates() throws {
        let fixture = try MusicFixture()
        let pcm = PCM.music(frameCount: 44_100 * 30, seed: 64)
        let bright = brighter(pcm)
        try fixture.add(try Encoders.lame(bright, ["-b", "256"]), as: "bright 256.mp3")
        try fixture.add(try Encoders.lame(bright, ["-b", "128"]), as: "bright 128.mp3")
        try fixture.add(try Encoders.lame(pcm, ["-b", "192", "--resample", "48"]), as: "48 kHz.mp3")
        let wav = fixture.file("made.wav")
        try Data(pcm.wav).write(to: URL(filePath: wav))
        for (rate, name) in [("96000", "96 kHz.flac"), ("48000", "48 kHz.opus")] {
            try ProcessRun.run("ffmpeg", ["-v", "error", "-i", wav, "-ar", rate, fixture.file(name)])
        }
        try FileManager.default.removeItem(atPath: wav)
        #expect(try fixture.pass().status == 0)
        let found = try groups(fixture)
        let same = try #require(found.first { $0.best.relative_path == "96 kHz.flac" })
        #expect(
            Dictionary(uniqueKeysWithValues: same.copies.map { ($0.relative_path, $0.is_certain) })
                == ["48 kHz.mp3": true, "48 kHz.opus": true, "bright 256.mp3": false])
        let bright256 = try #require(found.first { $0.best.relative_path == "bright 256.mp3" })
        #expect(
            bright256.copies.map(\.relative_path) == ["bright 128.mp3"]
                && bright256.copies[0].is_certain == true)

        // Spectra of earlier versions had another resolution at other rates.
        try ProcessRun.run(
            "sqlite3", [fixture.data + "/visualizer.sqlite", "UPDATE frames SET analyzer_version = 13"])
        let old = try groups(fixture)
        #expect(
            old.first { $0.best.relative_path == "48 kHz.mp3" }?.copies.first {
                $0.relative_path == "48 kHz.opus"
            }?.is_certain == true, "\(old)")
        #expect(
            old.first { $0.best.relative_path == "96 kHz.flac" }?.copies.allSatisfy { $0.is_certain == false }
                == true, "\(old)")
    }

    @Test("Another music folder is rejected, and nothing is moved")
    func otherFolder() throws {
        let fixture = try makeFolder()
        let other = try MusicFixture(pieces: 0..<1)
        let run = try AnalyzeCLI.start(
            ["duplicates", "--data", fixture.data, "--trash", other.music]
        ).wait()
        #expect(run.status == 2 && run.errors.contains("another"), "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: fixture.file("trimmed.mp3")))
    }
}
