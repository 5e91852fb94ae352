import Foundation
import TestSupport
import Testing

/// Hosts killed while they receive listener actions. AUDIO_COMPANION_KILLS sets the number; hundreds by hand.
@Suite("Listening kill", .timeLimit(.minutes(30)))
struct ListeningKillTests {
    private static let kills =
        ProcessInfo.processInfo.environment["AUDIO_COMPANION_KILLS"].flatMap { Int($0) } ?? 8

    /// Sends batches of uniquely numbered plays, and prints the number of each acknowledged batch, until the host is gone.
    private static let client = """
        import http.client, json, sys
        port, key, first = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
        connection = http.client.HTTPConnection('127.0.0.1', port, timeout=20)
        try:
            for batch in range(first, first + 100000):
                actions = [{'action': 'play', 'relative_path': '0.mp3', 'at': batch * 10 + i, 'action_id': f'{batch}-{i}'}
                    for i in range(5)]
                connection.request('POST', '/listening/actions', json.dumps({'actions': actions}),
                    {'Authorization': 'Bearer ' + key, 'Content-Type': 'application/json'})
                answer = connection.getresponse()
                if answer.status != 200: sys.exit(3)
                answer.read()
                print(batch, flush=True)
        except (OSError, http.client.HTTPException):
            pass
        """

    @Test("Killed at any moment, acknowledged actions are kept, and a batch counts completely or not at all")
    func kill9() async throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        _ = try fixture.pass("--quiet")
        let script = try TemporaryDirectory()
        let path = try script.write(Self.client.utf8, as: "client.py")
        let program = BuiltProgram.path("stream-host")
        var random = SeededGenerator(seed: 4)
        var answered: Set<Int> = []
        var first = 1
        for _ in 0..<Self.kills {
            let host = try RunningProgram(
                [
                    program, "serve", "--music", fixture.music, "--data", fixture.data, "--port", "0",
                    "--quiet",
                ])
            try #require(host.waits(60) { host.output.contains("key") })
            let port = String(try #require(host.output.firstMatch(of: /http:\/\/[0-9.]+:([0-9]+)/)).1)
            let key = try ProcessRun.run(program, ["key", "show", "--data", fixture.data]).text
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let client = try RunningProgram(["python3", "-B", path, port, key, "\(first)"])
            try #require(client.waits(60) { client.output.contains("\n") })
            usleep(UInt32.random(in: 0..<300_000, using: &random))
            host.signal(SIGKILL)
            #expect(try host.wait().status == 128 + 9)
            let run = try client.wait()
            #expect(run.status == 0, "\(run.errors)")
            let batches = run.output.split(separator: "\n").compactMap { Int($0) }
            answered.formUnion(batches)
            first = (answered.max() ?? first) + 2

            let database = "\(fixture.data)/listening.sqlite"
            func value(_ sql: String) throws -> String {
                try ProcessRun.run("sqlite3", [database, sql]).text.trimmingCharacters(in: .newlines)
            }
            #expect(try value("PRAGMA integrity_check") == "ok")
            let stored = try value("SELECT DISTINCT played_at_ms / 10000 FROM plays").split(separator: "\n")
                .compactMap {
                    Int($0)
                }
            #expect(answered.isSubset(of: stored))
            // The pending batch may have been applied.
            #expect(try value("SELECT count(*) FROM plays") == "\(stored.count * 5)")
            #expect(try value("SELECT play_count FROM listened") == "\(stored.count * 5)")
            #expect(try value("SELECT count(*) FROM done_actions") == "\(stored.count * 5)")
        }
        #expect(answered.count >= Self.kills)
    }
}
