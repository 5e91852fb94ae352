import Foundation
import TestSupport
import Testing

/// Parts of a batch that are killed. AUDIO_COMPANION_KILLS sets the number; hundreds by hand.
@Suite("Part kill")
struct PartKillTests {
    private static let kills =
        ProcessInfo.processInfo.environment["AUDIO_COMPANION_KILLS"].flatMap { Int($0) } ?? 10

    @Test(
        "A part that is killed at any moment has either no results or all, and merged the library is complete"
    )
    func kill9() throws {
        let fixture = try MusicFixture(pieces: 0..<8)
        let single = try fixture.pass()
        #expect(single.status == 0)
        let truth = try fixture.databases.contents()
        let directory = try TemporaryDirectory()
        let run = directory.file("run")
        let plan = try AnalyzeCLI.run(
            "plan", fixture.music, "--output", run, "--part-size", "4", "--data", directory.file("none"))
        #expect(plan.status == 0 && plan.output.hasPrefix("8 tracks in 2 parts"))
        let length = UInt32(max(0.1, single.seconds / 2) * 1e6)
        var random = SeededGenerator(seed: 10)
        var hits = 0
        for round in 0..<Self.kills {
            let part = round % 2
            let program = try AnalyzeCLI.start(["part", run, "--part", "\(part)", "--force", "--quiet"])
            usleep(UInt32.random(in: 0..<length, using: &random))
            program.signal(SIGKILL)
            if try program.wait().status == 128 + 9 { hits += 1 }
            let results = "\(run)/parts/00000\(part)/results.sqlite"
            guard FileManager.default.fileExists(atPath: results) else { continue }
            #expect(try ProcessRun.run("sqlite3", [results, "SELECT count(*) FROM tracks"]).text == "4\n")
        }
        #expect(hits >= Self.kills / 2)
        for part in 0..<2 { #expect(try AnalyzeCLI.run("part", run, "--part", "\(part)").status == 0) }
        for part in 0..<2 {
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(run)/parts/00000\(part)")
            #expect(names.count >= 3)
        }
        let merged = directory.file("merged")
        #expect(try AnalyzeCLI.run("merge", run, "--into", merged + "/library.sqlite").status == 0)
        let databases = Databases(folder: merged)
        #expect(try databases.contents() == truth)
        try databases.expectIntact()
        let status = try AnalyzeCLI.run("status", run, "--json", "--core-hour-price", "3600")
        let values = try #require(
            JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any])
        #expect(
            values["done"] as? Int == 8 && values["analysed"] as? Int == 8 && values["failed"] as? Int == 0)
        #expect((values["pending"] as? [Int])?.isEmpty == true && values["parts"] as? Int == 2)
        // At 1 per core-second.
        let seconds = try #require(values["core_seconds"] as? Double)
        let cost = try #require(values["cost"] as? Double)
        #expect(seconds > 0.1 && abs(cost - seconds) < 1e-9)
        #expect(try AnalyzeCLI.run("status", run, "--pending").output.isEmpty)
    }

    @Test("A file that crashes the analysis is left out the next time, and the part has results")
    func crash() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        try fixture.add(CrashingDecoder.badFile(), as: "bad.mp3")
        let directory = try TemporaryDirectory()
        let run = directory.file("run")
        #expect(
            try AnalyzeCLI.run("plan", fixture.music, "--output", run, "--data", directory.file("none"))
                .status == 0)
        let wrapper = try CrashingDecoder.command()
        let first = try AnalyzeCLI.run("part", run, "--part", "0", wrapper: wrapper)
        #expect(first.status == 128 + Int(SIGSEGV), "\(first.errors)")
        #expect(try AnalyzeCLI.run("status", run, "--pending").output == "0\n")
        _ = try AnalyzeCLI.run("part", run, "--part", "0", wrapper: wrapper)
        let status = try AnalyzeCLI.run("status", run, "--json")
        let values = try #require(
            JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any])
        #expect(values["analysed"] as? Int == 2 && values["failed"] as? Int == 1)
        #expect((values["failures"] as? [String: Int]) == ["killed_program": 1], "\(status.output)")
        // Without such a file nothing is left behind.
        #expect(try FileManager.default.contentsOfDirectory(atPath: run + "/crashes") == ["000000"])
        try FileManager.default.removeItem(atPath: run + "/crashes/000000")
        #expect(try AnalyzeCLI.run("part", run, "--part", "0", "--force").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: run + "/crashes").isEmpty)
    }
}
