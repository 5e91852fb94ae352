import Foundation
import TestSupport
import Testing

/// `stream-host account app-password`, next to a running host.
@Suite("App passwords from the command line", .timeLimit(.minutes(30)))
struct AppPasswordTests {
    private func command(_ fixture: MusicFixture, _ words: String...) throws -> ProgramRun {
        try RunningProgram(
            [BuiltProgram.path("stream-host"), "account", "app-password"] + words
                + ["--data", fixture.data]
        ).wait()
    }

    /// Runs `stream-host account …` with a line on standard input.
    private func account(_ fixture: MusicFixture, _ words: String, input: String = "") throws -> (
        status: Int32, output: String
    ) {
        let run = try ProcessRun.run(
            BuiltProgram.path("stream-host"),
            ["account"] + words.split(separator: " ").map(String.init) + ["--data", fixture.data],
            input: input + "\n", mustSucceed: false)
        return (run.status, run.text + String(decoding: run.errors, as: UTF8.self))
    }

    @Test("Accounts are added, listed, changed and removed next to a running host")
    func accounts() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let host = try RunningHost(fixture)
        #expect(try account(fixture, "add anna --role editor", input: "correct horse").output == "")
        #expect(try account(fixture, "list").output.contains("anna\teditor\tcreated "))
        let short = try account(fixture, "add bob", input: "short")
        #expect(short.status != 0 && short.output.contains("8 characters"))
        #expect(try account(fixture, "add ANNA --no-password").output.contains("already"))
        #expect(try account(fixture, "role anna king").status != 0)
        #expect(try account(fixture, "role anna listener").status == 0)
        #expect(try account(fixture, "password anna", input: "another horse").status == 0)
        #expect(try account(fixture, "list").output.contains("anna\tlistener"))
        let added = try account(fixture, "app-password add Phone --account anna").output
        let password = try #require(added.firstMatch(of: /[a-z2-9]{4}(-[a-z2-9]{4}){5}/)).0
        #expect(try error(host, "u=anna&p=\(password)") == nil)
        #expect(try error(host, "u=anna&p=another%20horse") == 40)
        #expect(try account(fixture, "app-password add Phone --account none").status != 0)
        #expect(try account(fixture, "remove owner").output.contains("cannot be deleted"))
        #expect(try account(fixture, "remove anna").status == 0)
        #expect(try error(host, "u=anna&p=\(password)") == 40)
        #expect(try account(fixture, "remove anna").output.contains("no account named 'anna'"))
        host.program.signal(SIGTERM)
        #expect(try host.program.wait().status == 0)
    }

    /// The error code of a ping; nil for success.
    private func error(_ host: RunningHost, _ credentials: String) throws -> Int? {
        let answer = try host.curl("/rest/ping?f=json&v=1.16.1&c=test&\(credentials)")
        guard let match = answer.firstMatch(of: /"code":(\d+)/) else {
            #expect(answer.contains("\"status\":\"ok\""), "\(answer)")
            return nil
        }
        return Int(match.1)
    }

    @Test("A running host takes a new app password at once, lists it, and refuses it once it is removed")
    func addListRemove() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        let host = try RunningHost(fixture)
        #expect(try command(fixture, "list").output == "")
        let added = try command(fixture, "add", "My Phone")
        let password = added.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(added.status == 0 && password.wholeMatch(of: /[a-z2-9]{4}(-[a-z2-9]{4}){5}/) != nil)
        #expect(added.errors.contains("My Phone"))
        #expect(try command(fixture, "list").output.contains("owner\tMy Phone\tcreated "))
        #expect(try command(fixture, "list").output.contains("last used never"))
        #expect(try error(host, "u=owner&p=\(password)") == nil)
        #expect(try error(host, "apiKey=\(password)") == nil)
        let listed = try command(fixture, "list").output
        #expect(listed.contains("My Phone") && !listed.contains("never") && !listed.contains(password))

        let twice = try command(fixture, "add", "My Phone")
        #expect(twice.status != 0 && twice.output == "" && twice.errors.contains("My Phone"))
        let second = try command(fixture, "add", "Other").output.trimmingCharacters(
            in: .whitespacesAndNewlines)
        #expect(try command(fixture, "remove", "My Phone").status == 0)
        #expect(try error(host, "u=owner&p=\(password)") == 40)
        #expect(try error(host, "apiKey=\(password)") == 44)
        #expect(try error(host, "apiKey=\(second)") == nil)
        let gone = try command(fixture, "remove", "My Phone")
        #expect(gone.status != 0 && gone.errors.contains("My Phone"))
        #expect(try !command(fixture, "list").output.contains("My Phone"))
        for words in [["add"], ["list", "x"], ["remove"], ["dance"]] {
            let run = try RunningProgram(
                [BuiltProgram.path("stream-host"), "account", "app-password"] + words
                    + ["--data", fixture.data]
            ).wait()
            #expect(run.status != 0 && run.errors.contains("app-password"), "\(words)")
        }
        host.program.signal(SIGTERM)
        let run = try host.program.wait()
        #expect(run.status == 0 && !run.errors.contains(password) && !run.errors.contains(second))
    }
}
