import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import Secrets
@testable import StreamHost

@Suite("Access", .timeLimit(.minutes(30)))
struct AccessTests {
    private let served: ServedLibrary

    init() async throws { served = try await ServedStreams.library.value }

    private static let paths = [
        "/auth", "/db", "/tracks/1/stream.m3u8", "/tracks/1/master.m3u8", "/tracks/1/segments/0.mp3",
        "/tracks/1/segments.json", "/api/files/1/stream", "/tracks/1/analysis", "/tracks/1/visualizer",
        "/tracks/1/waveform", "/clients",
        "/smart-dj/profile?relative_path=cbr.mp3", "/smart-dj/bulk-profiles?paths=cbr.mp3",
        "/visualizer/frames?relative_path=cbr.mp3",
        "/api/tracks", "/api/tracks/1", "/api/albums", "/api/artists", "/api/playlists",
    ]

    @Test("Nothing of the library is told without the key", arguments: paths)
    func keyIsNeeded(path: String) async throws {
        let path = path.replacing("1", with: "\(try served.id("cbr.mp3"))")
        let answer = try await served.get(path, key: "")
        #expect(answer.status == 401)
        #expect(answer.field("WWW-Authenticate") == "Bearer")
        #expect(try answer.json("error", "code") as? String == "missing_key")
        #expect(try await served.get(path).status == 200)
    }

    @Test("/health needs no key, and tells nothing")
    func health() async throws {
        let answer = try await served.get("/health", key: "")
        #expect(answer.status == 200 && answer.text == "{\"status\":\"ok\"}")
    }

    @Test("/auth says who answers")
    func auth() async throws {
        let answer = try await served.get("/auth")
        #expect(try answer.json("host_name") as? String == "test host")
        #expect(try answer.json("protocol_version") as? Int == 1)
    }

    @Test(
        "A page brings the key to a WebSocket as a sub-protocol, and to nothing else",
        arguments: ["/ws", "/ws/push"])
    func webSocketKey(path: String) async {
        func answer(_ key: String, isWebSocket: Bool = true, path: String) async -> HTTPResponse {
            var fields: HTTPFields = [
                .secWebSocketProtocol: "audio-companion, audio-companion.key.\(key)"
            ]
            if isWebSocket {
                for (name, value) in [
                    (HTTPFieldName.connection, "Upgrade"), (.upgrade, "websocket"),
                    (.secWebSocketVersion, "13"),
                    (.secWebSocketKey, "dGhlIHNhbXBsZSBub25jZQ=="),
                ] { fields[name] = value }
            }
            let address = RemoteAddress(host: "10.1.2.3", port: 1)
            return await served.responder.respond(
                to: HTTPRequest(.get, path, fields: fields, remoteAddress: address))
        }
        let right = await answer(served.secrets.apiKeyText, path: path)
        #expect(right.status == .switchingProtocols)
        // Browsers end a connection whose server takes none of the sub-protocols, and the key must not be sent back.
        #expect(right.fields[.secWebSocketProtocol] == "audio-companion")
        #expect(await answer("wrong", path: path).status == .unauthorized)
        #expect(await answer("", path: path).status == .unauthorized)
        #expect(
            await answer(served.secrets.apiKeyText, isWebSocket: false, path: "/api/tracks").status
                == .unauthorized)
    }

    @Test("A token opens one track, for reading, for a while")
    func tokens() async throws {
        let id = try served.id("cbr.mp3")
        let other = try served.id("vbr.mp3")
        let made = try await served.get("/auth/token?track_id=\(id)", ["-X", "POST"])
        let token = try #require(try made.json("token") as? String)
        #expect(try await served.get("/tracks/\(id)/stream.m3u8?token=\(token)", key: "").status == 200)
        #expect(try await served.get("/tracks/\(id)/segments/0.mp3?token=\(token)", key: "").status == 200)
        #expect(try await served.get("/tracks/\(other)/stream.m3u8?token=\(token)", key: "").status == 401)
        for path in ["/db", "/clients", "/ws"] {
            #expect(try await served.get("\(path)?token=\(token)", key: "").status == 401)
        }
        #expect(
            try await served.get("/auth/token?track_id=\(id)&token=\(token)", ["-X", "POST"], key: "").status
                == 401
        )
        #expect(try await served.get("/auth/token?track_id=\(id)&seconds=1e9", ["-X", "POST"]).status == 400)
    }

    @Test("A token that ran out, was changed or is of another key opens nothing")
    func tokenSignature() {
        let secret = SecretBytes(random: 32)
        let token = StreamToken(subject: .track(7), expires: 1000).signed(by: secret)
        let now = Date(timeIntervalSince1970: 999)
        #expect(StreamToken.isValid(token, for: .track(7), now: now, secret: secret))
        #expect(
            !StreamToken.isValid(
                token, for: .track(7), now: Date(timeIntervalSince1970: 1000), secret: secret))
        #expect(!StreamToken.isValid(token, for: .track(8), now: now, secret: secret))
        #expect(!StreamToken.isValid(token, for: .track(7), now: now, secret: SecretBytes(random: 32)))
        #expect(
            !StreamToken.isValid(
                token.replacing("7.1000", with: "7.9999"), for: .track(7), now: now, secret: secret))
        for text in ["", ".", "..", "7.1000.", "7.1000", "a.b.c"] {
            #expect(!StreamToken.isValid(text, for: .track(7), now: now, secret: secret))
        }
    }

    @Test("A playlist that was had by token hands it on to its segments")
    func tokenIsHandedOn() async throws {
        let id = try served.id("cbr.mp3")
        let token = try #require(
            try await served.get("/auth/token?track_id=\(id)", ["-X", "POST"]).json("token") as? String)
        let decoded = try await ProcessRun.aside(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", "\(served.base)/tracks/\(id)/master.m3u8?token=\(token)",
                "-f", "s16le", "-",
            ])
        #expect(decoded.output.count > 20 * 44_100 * 4)
    }

    @Test("Whoever guesses has to wait; who waits or has the key from elsewhere does not")
    func failureLimit() {
        let limiter = FailureLimiter(allowed: 10)
        for second in 0..<10 {
            #expect(!limiter.isBlocked("a", now: Double(second)))
            limiter.failed("a", now: Double(second))
        }
        #expect(limiter.isBlocked("a", now: 10))
        #expect(!limiter.isBlocked("b", now: 10))
        #expect(!limiter.isBlocked("a", now: 61))
    }

    @Test("Wrong keys are refused, and after some the address waits, unless it has the key after all")
    func wrongKeys() async throws {
        // A host of its own: the address would stay shut out for the other tests.
        try await ServedLibrary.with(
            [
                ("one.mp3", try Encoders.lame(PCM.music(frameCount: 44_100), ["-b", "64"]))
            ], allowedFailures: 10
        ) { own in
            let wrong = Base64URL.encode([UInt8](repeating: 1, count: 32))
            // All in one go: what counts is how many there are in a minute.
            let run = try await ProcessRun.aside(
                "curl",
                [
                    "-sS", "-w", "\n%{http_code} %header{retry-after}\n", "-H",
                    "Authorization: Bearer \(wrong)",
                ]
                    + Array(repeating: "\(own.base)/auth", count: 12))
            let lines = run.text.split(separator: "\n")
            #expect(lines.filter { $0 == "401 " }.count == 10)
            #expect(lines.filter { $0.contains("wrong_key") }.count == 10)
            #expect(lines.filter { $0 == "429 60" }.count == 2)
            #expect(try await own.get("/auth").status == 200)
        }
    }

    @Test("The owner's own key is taken, a short one is not")
    func ownKey() throws {
        let directory = try TemporaryDirectory()
        let text = Base64URL.encode((0..<40).map { UInt8($0 * 6) })
        #expect(try HostSecrets.set(text, dataFolder: directory.path).apiKeyText == text)
        #expect(try HostSecrets(dataFolder: directory.path).apiKeyText == text)
        for bad in ["", "secret", String(repeating: "ä", count: 50), String(text.prefix(42))] {
            #expect(throws: HostError.self) { try HostSecrets.set(bad, dataFolder: directory.path) }
        }
        #expect(try HostSecrets(dataFolder: directory.path).apiKeyText == text)
    }

    @Test("The key is made once, for its owner's eyes, and can be made anew")
    func secretsFile() async throws {
        let directory = try TemporaryDirectory()
        let first = try HostSecrets(dataFolder: directory.path)
        #expect(first.apiKey.bytes.count == 32 && first.apiKeyText.count == 43)
        #expect(try HostSecrets(dataFolder: directory.path).apiKey.bytes == first.apiKey.bytes)
        let path = directory.file("host.json")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let second = try HostSecrets.regenerate(dataFolder: directory.path)
        #expect(second.apiKey.bytes != first.apiKey.bytes)
        #expect(try HostSecrets(dataFolder: directory.path).apiKey.bytes == second.apiKey.bytes)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: HostError.self) { try HostSecrets(dataFolder: directory.path) }
        try directory.write(Array("{}".utf8), as: "host.json")
        chmod(path, 0o600)
        #expect(throws: HostError.self) { try HostSecrets(dataFolder: directory.path) }
    }
}
