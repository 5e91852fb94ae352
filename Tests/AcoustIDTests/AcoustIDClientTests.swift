import TestSupport
import Testing

@testable import AcoustID

@Suite("AcoustID", .timeLimit(.minutes(10)))
struct AcoustIDClientTests {
    private static let first = "11111111-1111-4111-8111-111111111111"
    private static let second = "22222222-2222-4222-8222-222222222222"
    /// Three words as `fpcalc` prints them: the algorithm, their number, and their differences.
    private static let fingerprint = "AQAAA0mUaEkSRZEGAA"

    private func client(_ server: FakeAcoustIDServer, key: String = FakeAcoustIDServer.key) throws
        -> AcoustIDClient
    {
        try AcoustIDClient(address: server.url + "/", key: key, program: "tests/1")
    }

    private func failure(_ body: () throws -> Void) -> AcoustIDError? {
        do {
            try body()
            return nil
        } catch { return error as? AcoustIDError }
    }

    @Test("Recordings are read with artists and releases; incomplete ones are left out")
    func recordings() throws {
        let server = try FakeAcoustIDServer(
            body: FakeAcoustIDServer.result(
                score: 0.97,
                [
                    (
                        Self.first, "Song", [("A", " & "), ("B", "")],
                        [(Self.second, "Album"), ("bad", "Other")]
                    ),
                    ("no identifier", "Song", [("A", "")], []), (Self.second, "", [("A", "")], []),
                ]))
        let found = try client(server).recordings(fingerprint: Self.fingerprint, durationSeconds: 201.6)
        #expect(
            found == [
                AcoustIDRecording(
                    id: Self.first, score: 0.97, title: "Song", artist: "A & B",
                    releases: [.init(id: Self.second, title: "Album")])
            ])
        let seen = try #require(try server.diary().first)
        #expect(seen.wrong == [] && seen.duration == "202" && seen.agent == "tests/1")
        #expect(seen.fingerprint == Self.fingerprint)
    }

    @Test("The most similar result comes first, and each recording once")
    func order() throws {
        let recording = { (id: String) in
            #"{"id": "\#(id)", "title": "T", "artists": [{"name": "A"}]}"#
        }
        let server = try FakeAcoustIDServer(
            body: """
                {"status": "ok", "results": [{"score": 0.5, "recordings": [\(recording(Self.first))]},
                {"score": 0.9, "recordings": [\(recording(Self.second)), \(recording(Self.first))]}, {"score": 1}]}
                """)
        let found = try client(server).recordings(fingerprint: Self.fingerprint, durationSeconds: 100)
        #expect(found.map(\.id) == [Self.second, Self.first] && found.map(\.score) == [0.9, 0.9])
    }

    @Test("Four requests take a second: three per second are allowed")
    func pacing() throws {
        let server = try FakeAcoustIDServer(body: #"{"status": "ok", "results": []}"#)
        let client = try client(server)
        for _ in 0..<4 {
            #expect(try client.recordings(fingerprint: Self.fingerprint, durationSeconds: 100) == [])
        }
        let times = try server.diary().map(\.time)
        #expect(times.count == 4)
        // A request arrives some milliseconds after it is sent.
        #expect(times[3] - times[0] > 0.95)
    }

    @Test("Errors have their own codes, and do not contain the key")
    func errors() throws {
        let server = try FakeAcoustIDServer(body: "")
        func code(_ status: Int, _ body: String) throws -> AcoustIDError? {
            try server.answer(status: status, body)
            let client = try client(server)
            return failure {
                _ = try client.recordings(fingerprint: Self.fingerprint, durationSeconds: 100)
            }
        }
        let refused = failure {
            _ = try client(server, key: "other-key").recordings(
                fingerprint: Self.fingerprint, durationSeconds: 100)
        }
        #expect(refused?.code == .refused && refused?.description.contains("other-key") == false)
        let error = { (number: Int) in
            #"{"status": "error", "error": {"code": \#(number), "message": "no \#(FakeAcoustIDServer.key)"}}"#
        }
        #expect(try code(400, error(3))?.code == .invalidRequest)
        #expect(try code(400, error(3))?.description == "AcoustID refuses the request: no …")
        #expect(try code(429, error(14))?.code == .unavailable)
        #expect(try code(500, error(5))?.code == .unavailable)
        #expect(try code(502, "<html>")?.code == .unavailable)
        #expect(try code(200, "<html>")?.code == .foreignAnswer)
        #expect(try code(200, #"{"status": "ok", "results": 1}"#)?.code == .foreignAnswer)
    }

    @Test(
        "The key is sent only over https, or to this machine",
        arguments: [
            ("https://api.acoustid.org", true), ("http://127.0.0.1:80", true), ("http://localhost", true),
            ("http://api.acoustid.org", false), ("ftp://127.0.0.1", false), ("api.acoustid.org", false),
            ("https://user@api.acoustid.org", false), ("https://api.acoustid.org?a", false), ("", false),
        ])
    func addresses(_ address: String, _ isAccepted: Bool) {
        let error = failure { _ = try AcoustIDClient(address: address, key: "k", program: "tests") }
        #expect(error?.code == (isAccepted ? nil : .badSettings))
    }
}
