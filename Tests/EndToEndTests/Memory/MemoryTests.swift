import Foundation
import TestSupport
import Testing

/// Memory does not grow with a track's length but for what is kept of it.
@Suite("Memory")
struct MemoryTests {
    /// Prints the largest resident set of the program that it runs, in kB, as the last line of standard error.
    private static let measured = [
        "python3", "-c",
        """
        import resource, subprocess, sys
        status = subprocess.call(sys.argv[1:])
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
        sys.exit(status)
        """,
    ]

    @Test("Two hours take no more than two minutes, but for the frames and the curves")
    func twoHours() throws {
        let unit = try Encoders.lame(PCM.music(frameCount: 44_100 * 30, seed: 7), ["-b", "128", "-t"])
        let fixture = try MusicFixture()
        func peak(_ copies: Int, _ parts: String...) throws -> Int {
            try fixture.add(Array([[UInt8]](repeating: unit, count: copies).joined()), as: "a.mp3")
            let program = try AnalyzeCLI.start(
                [fixture.music, "--data", fixture.data, "--jobs", "1", "--quiet"] + parts,
                wrapper: Self.measured)
            let run = try program.wait()
            #expect(run.status == 0)
            return try #require(Int(run.errors.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        let (short, long) = (try peak(4, "--dj"), try peak(240, "--dj"))
        // The momentary curve and the onset envelope of two hours; the file itself has 112 MiB.
        #expect(long - short < 20_000, "\(short) kB for 2 minutes, \(long) kB for 2 hours")
        let whole = try peak(241)
        // Two hours of frames are 13,824 kB; SQLite makes a copy to write them.
        #expect(whole - short < 20_000 + 3 * 13_824, "\(whole) kB with frames")
    }
}
