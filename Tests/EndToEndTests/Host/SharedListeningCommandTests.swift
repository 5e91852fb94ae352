import Foundation
import TestSupport
import Testing

/// Programs that share listening data in PostgreSQL.
@Suite("Listening data in PostgreSQL, with the programs", .timeLimit(.minutes(15)))
struct SharedListeningCommandTests {
    private static let host = BuiltProgram.path("stream-host")
    private let fixture: MusicFixture
    private let address: String

    init() throws {
        fixture = try MusicFixture()
        address = try PostgreSQLServer.shared.get().makeDatabase("programs-\(UUID().uuidString)")
    }

    private func account(_ words: String...) throws -> ProgramRun {
        try RunningProgram([Self.host, "account"] + words + ["--data", fixture.data]).wait()
    }

    @Test(
        "A host stores what it has in the database; commands change it there; without the address they refuse"
    )
    func commands() throws {
        _ = try RunningProgram([AnalyzeCLI.path, fixture.music, "--data", fixture.data]).wait()
        #expect(try account("add", "anna", "--no-password").status == 0)
        let running = try RunningHost(fixture, ["--listening", address])
        #expect(try account("add", "bob", "--no-password", "--listening", address).status == 0)
        let accounts = try running.curl("/accounts")
        #expect(accounts.contains("anna") && accounts.contains("bob"))
        let health = try running.curl("/health")
        #expect(health.contains(#""shared_listening":{"#) && !health.contains("tester@"), "\(health)")
        let status = try RunningProgram([Self.host, "status", "--data", fixture.data]).wait()
        #expect(status.output.contains("listening  postgres://"), "\(status.output) \(status.errors)")
        running.program.signal(SIGTERM)
        _ = try running.program.wait()

        let refused = try account("list")
        #expect(refused.status != 0)
        #expect(refused.errors.contains("shared-listening.json"), "\(refused.errors)")
        #expect(refused.errors.contains("state it with --listening"))
        let list = try account("list", "--listening", address)
        #expect(list.output.split(separator: "\n").count == 3, "\(list.output)")
    }

    @Test("An address with a password is refused on the command line, and not repeated")
    func password() throws {
        let address = address.replacing("tester@", with: "tester:geheim@")
        let refused = try account("list", "--listening", address)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("other users of this machine can see a password"))
        #expect(!refused.errors.contains("geheim"))
        let list = try RunningProgram([
            "STREAM_HOST_LISTENING=\(address)", Self.host, "account", "list", "--data", fixture.data,
        ]).wait()
        #expect(list.status == 0 && list.output.contains("owner"), "\(list.errors)")
    }

    @Test(
        "A wrong address ends the program with a message",
        arguments: [
            ("mysql://db/music", "must begin with postgres://"),
            ("postgres://127.0.0.1:1/music", "postgres://127.0.0.1:1/music: connection to server"),
        ])
    func wrongAddress(text: String, message: String) throws {
        let refused = try account("list", "--listening", text)
        #expect(refused.status != 0)
        #expect(refused.errors.contains(message), "\(refused.errors)")
    }
}
