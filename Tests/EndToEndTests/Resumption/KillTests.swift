import Foundation
import TestSupport
import Testing

/// Passes that are killed. AUDIO_COMPANION_KILLS sets the number; hundreds by hand.
@Suite("Kill")
struct KillTests {
    private static let kills =
        ProcessInfo.processInfo.environment["AUDIO_COMPANION_KILLS"].flatMap { Int($0) } ?? 20

    @Test("Killed at any moment, a pass keeps finished tracks, and the next one completes the library")
    func kill9() throws {
        let undisturbed = try MusicFixture(pieces: 0..<8)
        let whole = try undisturbed.pass()
        #expect(whole.status == 0)
        let truth = try undisturbed.databases.contents()
        // The first steps (opening, migrating) are short: a third of the kills target them.
        let length = UInt32(max(0.1, whole.seconds) * 1e6)
        var random = SeededGenerator(seed: 9)
        var fixture = try MusicFixture(pieces: 0..<8)
        var hits = 0
        var finished = 0
        var before = 0
        for round in 0..<Self.kills {
            // Start from scratch every few rounds, or little would be left to do.
            if round % 4 == 0 {
                fixture = try MusicFixture(pieces: 0..<8)
                before = 0
            }
            let program = try fixture.start("--jobs", "2", "--quiet")
            usleep(UInt32.random(in: 0..<(round % 3 == 0 ? length / 5 : length), using: &random))
            program.signal(SIGKILL)
            let run = try program.wait()
            if run.status == 128 + 9 { hits += 1 } else { finished += 1 }
            let left = try fixture.databases.copied()
            try left.expectIntact()
            guard FileManager.default.fileExists(atPath: left.library),
                try left.count("SELECT count(*) FROM sqlite_schema WHERE name = 'analysis_failures'") == 1
            else { continue }
            let stored = try left.count("SELECT count(*) FROM tracks")
            #expect(stored >= before, "a kill lost finished tracks")
            before = stored
            // A track in the library is complete.
            if stored > 0 { #expect(try left.incomplete().isEmpty) }
            if round % 4 == 3 {
                #expect(try fixture.pass().status == 0)
                #expect(try fixture.databases.contents() == truth)
            }
        }
        #expect(try fixture.pass().status == 0)
        #expect(try fixture.databases.contents() == truth)
        try fixture.databases.expectIntact()
        #expect(hits >= Self.kills / 2, "\(hits) killed, \(finished) had finished")
    }

    @Test("Killed during a long track with spooled frames, a pass leaves no file behind")
    func longTrack() throws {
        let fixture = try MusicFixture()
        try fixture.add(MadeMusic.long(megabytes: 20), as: "long.mp3")
        let whole = try fixture.pass()
        #expect(whole.status == 0)
        let truth = try fixture.databases.contents()
        let known = ["library.sqlite", "visualizer.sqlite", "pass.lock", "work.", "music-folder.json"]
        for round in 1...5 {
            try FileManager.default.removeItem(atPath: fixture.data)
            let program = try fixture.start("--quiet")
            usleep(UInt32(whole.seconds * 1e6 * Double(round) / 6))
            program.signal(SIGKILL)
            _ = try program.wait()
            let names = (try? FileManager.default.contentsOfDirectory(atPath: fixture.data)) ?? []
            let others = names.filter { name in !known.contains { name.hasPrefix($0) } }
            #expect(others.isEmpty)
            try fixture.databases.expectIntact()
        }
        #expect(try fixture.pass().status == 0)
        #expect(try fixture.databases.contents() == truth)
    }
}
