import Foundation
import TestSupport
import Testing

/// Interrupted passes, and concurrent passes.
@Suite("Interruption", .serialized)
struct InterruptionTests {
    private static let long = Result { try MadeMusic.long(megabytes: 60) }

    @Test(
        "Ctrl-C ends a pass within a second and keeps finished tracks; the next pass continues",
        arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) throws {
        let fixture = try MusicFixture(pieces: 0..<4)
        // Two workers: one gets the long file, which it cannot finish; the other one finishes the rest meanwhile.
        try fixture.add(try Self.long.get(), as: "long.mp3")
        let program = try fixture.start("--jobs", "2", "--json")
        #expect(program.waits(30) { program.errors.contains("[4/5]") })
        let asked = Date()
        program.signal(signal)
        let run = try program.wait()
        #expect(Date().timeIntervalSince(asked) < 1)
        #expect(run.status == 130)
        #expect(run.errorLines.last?.hasPrefix("interrupted: 4 analysed") == true, "\(run.errors)")
        #expect(try TrackLine.all(run).count == 4)
        try fixture.databases.expectIntact()
        let next = try fixture.pass()
        #expect(next.status == 0)
        #expect(next.errors.contains("1 analysed, 4 unchanged"), "\(next.errors)")
    }

    @Test("A second pass on the same data reports that another is running, and affects neither")
    func two() throws {
        let fixture = try MusicFixture(pieces: 0..<2)
        try fixture.add(try Self.long.get(), as: "long.mp3")
        let first = try fixture.start("--json")
        #expect(first.waits(20) { first.errors.contains("to analyse") })
        let second = try fixture.pass()
        #expect(second.status == 2)
        #expect(second.errors.contains("another pass is running"), "\(second.errors)")
        #expect(second.errors.contains("process \(first.processID)"))
        // Readers are not blocked.
        #expect(try AnalyzeCLI.run("export", "--data", fixture.data).status == 0)
        let run = try first.wait()
        #expect(run.status == 0)
        #expect(try TrackLine.all(run).count == 3)
        try fixture.databases.expectIntact()
        #expect(try fixture.pass().status == 0)
    }
}
