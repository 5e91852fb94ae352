import Foundation
import TestSupport
import Testing

/// `stream-host serve --drain` with real signals.
@Suite("Draining a host", .timeLimit(.minutes(30)))
struct DrainTests {
    private static let drainSeconds = 30.0

    @Test(
        "After SIGTERM, /ready answers 503 at once, new requests are answered, running streams end, and it exits with 0"
    )
    func drains() async throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let host = try RunningHost(fixture, ["--drain", "\(Int(Self.drainSeconds))"])
        let ready = { try host.curl("/ready", "-o", "/dev/null", "-w", "%{http_code}") }
        #expect(try ready() == "200")
        let stream = try await until {
            try host.curl("/api/tracks").firstMatch(of: /"id":\s*(\d+)/).map { "/api/files/\($0.1)/stream" }
        }
        let directory = try TemporaryDirectory()
        for name in ["whole", "slow"] { try directory.write([], as: name) }
        _ = try host.curl(stream, "-o", directory.file("whole"))
        let whole = try directory.read("whole")
        try #require(whole.count > 100_000)
        // Ends some seconds after the signal.
        let slow = try ChildProcess(
            [
                "curl", "-sS", "-m", "240", "--limit-rate", "\(whole.count / 8)", "\(host.base)\(stream)",
            ], output: .file(directory.file("slow")))
        try await until { try !directory.read("slow").isEmpty }

        host.program.signal(SIGTERM)
        let signalled = ContinuousClock.now
        try await until { try ready() == "503" }
        #expect(try host.curl("/health").contains("\"ok\""))
        let run = try host.program.wait()
        #expect(run.status == 0, "\(run.errors)")
        #expect(ContinuousClock.now - signalled >= .seconds(Self.drainSeconds))
        try await until { !slow.isRunning }
        #expect(try directory.read("slow") == whole)
    }
}
