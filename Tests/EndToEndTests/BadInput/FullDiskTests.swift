import Foundation
import TestSupport
import Testing

/// Insufficient disk space for the databases.
@Suite("Full disk")
struct FullDiskTests {
    /// Whether a small file system can be mounted here, directly or in a separate mount namespace.
    private static let canMount: Bool = {
        guard let directory = try? TemporaryDirectory() else { return false }
        let trial = try? ProcessRun.run(
            "unshare", ["--mount", "--map-root-user", "mount", "-t", "tmpfs", "none", directory.file("")],
            mustSucceed: false)
        return trial?.status == 0
    }()

    @Test(
        "A file size limit gives a clear error, status 2 and intact databases, and the next pass completes",
        arguments: [64, 400])
    func limitedFiles(kibibytes: Int) throws {
        let fixture = try MusicFixture(pieces: 0..<6)
        let limited = try fixture.pass("--json", wrapper: ["prlimit", "--fsize=\(kibibytes << 10)"])
        try expectFull(limited)
        try expectCompletion(of: fixture)
    }

    /// 22 minutes of frames take about 2,460 kB: there is no space for them at all, or only for the spool file.
    @Test("A long track on a full disk is handled like any other", arguments: [100, 1_500, 2_470])
    func longTrack(kibibytes: Int) throws {
        let fixture = try MusicFixture(pieces: 0..<5)
        try fixture.add(MadeMusic.long(megabytes: 20), as: "5.mp3")
        let limited = try fixture.pass("--json", wrapper: ["prlimit", "--fsize=\(kibibytes << 10)"])
        try expectFull(limited)
        try expectCompletion(of: fixture)
    }

    @Test(
        "A full disk gives a clear error, status 2 and intact databases, and the next pass completes",
        .enabled(if: canMount, "mounting a tmpfs is not permitted on this system"), arguments: [256, 900])
    func fullDisk(kibibytes: Int) throws {
        let fixture = try MusicFixture(pieces: 0..<6)
        try FileManager.default.createDirectory(atPath: fixture.data, withIntermediateDirectories: true)
        // In one mount namespace: fill a small disk and copy what the program left on it.
        let script = """
            mkdir -p "$1.disk" && mount -t tmpfs -o size=\(kibibytes)k none "$1.disk" || exit 99
            "$2" "$3" --data "$1.disk"
            status=$?
            cp "$1.disk"/* "$1"/
            exit $status
            """
        let run = try RunningProgram([
            "unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", fixture.data, AnalyzeCLI.path,
            fixture.music,
        ]).wait()
        try expectFull(run)
        try expectCompletion(of: fixture)
    }

    private func expectFull(_ run: ProgramRun) throws {
        #expect(run.status == 2, "\(run.status): \(run.errors)")
        let last = run.errorLines.filter { $0.hasPrefix("analyze-cli: ") }
        #expect(last.count == 1, "\(run.errors)")
        #expect(last.first?.contains("full") == true || last.first?.contains("I/O error") == true, "\(last)")
        #expect(last.first?.contains(".sqlite") == true, "\(last)")
        #expect(!run.errors.contains("INSERT"), "an SQL statement is of no use to users")
    }

    private func expectCompletion(of fixture: MusicFixture) throws {
        try fixture.databases.expectIntact()
        let next = try fixture.pass("--json")
        #expect(next.status == 0, "\(next.errors)")
        #expect(try TrackLine.all(next).count == 6)
        #expect(try fixture.databases.incomplete().isEmpty)
        try fixture.databases.expectIntact()
    }
}
