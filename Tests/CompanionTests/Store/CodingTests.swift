import Analyzer
import Foundation
import Testing
@testable import LibraryStore

@testable import Companion

@Suite struct CodingTests {
    @Test(
        "Beats are read back to the microsecond",
        arguments: [
            [], [0], [0.25], [0, 0.5, 1, 1.5], [0.1, 0.600_001, 1.099_999, 1.6], [3, 2, 1, -1],
            [7_199.999_999],
            (0..<1_000).map { Double($0) * 60 / 127.97 },
        ])
    func beatsComeBackToTheMicrosecond(times: [Double]) throws {
        let back = try #require(BeatCoding.decode(BeatCoding.encode(times)))
        #expect(back.count == times.count)
        for (a, b) in zip(back, times) { #expect(abs(a - b) <= 0.5e-6 + 1e-12) }
    }

    @Test("A steady beat needs little space")
    func aSteadyBeatTakesLittleRoom() {
        let steady = (0..<500).map { 0.25 + Double($0) * 0.5 }
        // A header of 3 bytes, two numbers of up to 4 bytes, one byte for each further beat.
        #expect(BeatCoding.encode(steady).count <= 3 + 8 + 498)
    }

    @Test(
        "Bytes in another format are rejected",
        arguments: [
            [], [2, 0], [1], [1, 1], [1, 5, 0], [1, 0, 0], [1, 1, 0x80],
            [1, 1] + [UInt8](repeating: 0xFF, count: 12), [1] + [UInt8](repeating: 0xFF, count: 9) + [1],
        ])
    func bytesOfAnotherFormAreRefused(bytes: [UInt8]) {
        #expect(BeatCoding.decode(bytes) == nil)
    }

    @Test("Ramps are read back exactly")
    func rampsComeBackExactly() {
        let ramp = Sample.profile().cue.startRamp
        #expect(RampCoding.decode(RampCoding.encode(ramp)) == ramp)
        #expect(RampCoding.decode("") == [])
        #expect(RampCoding.decode("1") == nil)
        #expect(RampCoding.decode("1 x;2 3") == nil)
    }
}
