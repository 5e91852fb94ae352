import Foundation
import TestSupport
import Testing

/// Memory does not grow with a track's length, except for the stored results.
@Suite("Memory")
struct MemoryTests {
    /// Prints the peak private memory of the program it runs, sampled every millisecond, and its largest resident set, in kB,
    /// as the last line of standard error.
    private static let measured = [
        "python3", "-c",
        """
        import resource, subprocess, sys, time
        program = subprocess.Popen(sys.argv[1:])
        own = 0
        while program.poll() is None:
            with open(f'/proc/{program.pid}/status') as file:
                for line in file:
                    if line.startswith('RssAnon:'): own = max(own, int(line.split()[1]))
            time.sleep(0.001)
        print(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
        sys.exit(program.returncode)
        """,
    ]

    private struct Peak {
        /// Private memory, without mapped files.
        let own: Int
        /// Largest resident set, including the mapped part of the music file.
        let whole: Int
    }

    @Test("Memory grows with the length only by curves: neither by audio nor by frames of spectra")
    func twoHours() throws {
        let unit = try Encoders.lame(PCM.music(frameCount: 44_100 * 30, seed: 7), ["-b", "128", "-t"])
        let fixture = try MusicFixture()
        func peak(_ copies: Int, _ parts: String...) throws -> Peak {
            try fixture.add(Array([[UInt8]](repeating: unit, count: copies).joined()), as: "a.mp3")
            let program = try AnalyzeCLI.start(
                [fixture.music, "--data", fixture.data, "--jobs", "1", "--quiet"] + parts,
                wrapper: Self.measured)
            let run = try program.wait()
            #expect(run.status == 0)
            let numbers = run.errors.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            try #require(numbers.count == 2)
            return Peak(own: numbers[0], whole: numbers[1])
        }
        let (short, long) = (try peak(4, "--dj"), try peak(240, "--dj"))
        let growth: Comment = "\(short) kB for 2 minutes, \(long) kB for 2 hours"
        // The onset envelope of two hours takes 3,375 kB, the features of beats 6,750 kB, the curve of attacks 9,690 kB, the curves of
        // level and loudness 1,266 kB. The phrases need 25 values and their sums, and 20 differences, of each of some 14,400 beats, when the features of
        // beats are no longer needed in full: up to 3,500 kB more. Before them, the network of the downbeats keeps 16 units of each
        // beat, twice: 1,850 kB.
        let curves = 25_540
        #expect(long.own - short.own < curves, growth)
        // The file itself is 112 MiB; about 4 MiB of it are mapped at a time.
        let window = 6_000
        #expect(long.whole - short.whole < curves + window, growth)

        let (shortBoth, longBoth) = (try peak(5), try peak(241))
        let growthOfBoth: Comment =
            "\(shortBoth) kB for 2 minutes, \(longBoth) kB for 2 hours, with frames"
        // Two hours of frames are 13,500 kB. They go to disk: only a block of 256 kB is in memory, and what the database's
        // cache of 1,024 kB holds of them.
        let frames = 13_500
        let passing = 1_400
        #expect(passing < frames)
        #expect(longBoth.own - shortBoth.own < curves + passing, growthOfBoth)
        #expect(longBoth.whole - shortBoth.whole < curves + passing + window, growthOfBoth)
    }
}
