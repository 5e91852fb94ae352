import Foundation
import TestSupport
import Testing

/// `--profile`: the time spent in each stage of a pass.
@Suite("Stage profile")
struct StageProfileTests {
    @Test("The shares of all stages add up to 100 %, and decoding has a share")
    func shares() throws {
        let fixture = try MusicFixture(pieces: 0..<3)
        let start = ContinuousClock.now
        let run = try fixture.pass("--quiet", "--profile", "--jobs", "1")
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        #expect(run.status == 0)
        var seconds: [String: Double] = [:]
        var shares = 0.0
        for line in run.errorLines {
            guard let match = line.wholeMatch(of: /\s+(\w+) +([\d.]+) +([\d.]+) %/) else { continue }
            let value: Double = try #require(Double(match.2))
            seconds[String(match.1)] = value
            shares += try #require(Double(match.3))
        }
        #expect(seconds.count == 14)
        #expect(abs(shares - 100) < 1)
        // One thread analyses, another one stores.
        #expect(seconds.values.reduce(0, +) < 2 * elapsed)
        for stage in ["decode", "loudness", "spectra", "store"] {
            #expect(try #require(seconds[stage], "\(stage)") > 0)
        }
    }

    @Test("Without --profile nothing is printed, and a pass with nothing to do uses no time")
    func nothingToDo() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        #expect(try !fixture.pass("--quiet").errors.contains("Thread time per stage"))
        let again = try fixture.pass("--quiet", "--profile")
        #expect(again.errors.contains(/decode +0\.000/))
    }
}
