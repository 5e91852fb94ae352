import Companion
import Foundation
import HTTPServer
import LibraryStore
import Synchronization
import Testing
import TestSupport
@testable import HostAccounts

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

    @Test("Library routes reject requests without the key", arguments: paths)
    func keyIsNeeded(path: String) async throws {
        let path = path.replacing("1", with: "\(try served.id("cbr.mp3"))")
        let answer = try await served.get(path, key: "")
        #expect(answer.status == 401)
        #expect(answer.field("WWW-Authenticate") == "Bearer")
        #expect(try answer.json("error", "code") as? String == "missing_key")
        #expect(try await served.get(path).status == 200)
    }

    @Test("/health needs no key and reveals only its status")
    func health() async throws {
        let answer = try await served.get("/health", key: "")
        #expect(answer.status == 200 && answer.text == "{\"status\":\"ok\"}")
    }

    @Test("/auth identifies the host")
    func auth() async throws {
        let answer = try await served.get("/auth")
        #expect(try answer.json("host_name") as? String == "test host")
        #expect(try answer.json("version") as? String == "stream-host")
        #expect(try answer.json("protocol_version") as? Int == 1)
        let identity = try #require(try answer.json("library_id") as? String)
        #expect(identity.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        #expect(try await served.get("/auth").json("library_id") as? String == identity)
    }

    @Test(
        "The key is accepted as a WebSocket sub-protocol, but only for WebSockets",
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
        // Browsers fail a connection whose server selects no sub-protocol, and the key must not be sent back.
        #expect(right.fields[.secWebSocketProtocol] == "audio-companion")
        #expect(await answer("wrong", path: path).status == .unauthorized)
        #expect(await answer("", path: path).status == .unauthorized)
        #expect(
            await answer(served.secrets.apiKeyText, isWebSocket: false, path: "/api/tracks").status
                == .unauthorized)
    }

    @Test("A token grants read access to one track until it expires")
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
        #expect(try await served.get("/auth/token?track_id=\(id)&seconds=1e9", ["-X", "POST"]).status == 422)
    }

    @Test("Expired, modified and foreign tokens are rejected")
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

    @Test("A playlist fetched with a token passes it on to its segments")
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

    @Test("An address that guesses is blocked for a minute; other addresses are not")
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

    @Test("Invalid keys are rejected, and block the address for all requests without a valid key")
    func wrongKeys() async throws {
        // A separate host, because the address would stay blocked for other tests.
        try await ServedLibrary.with(
            [
                ("one.mp3", try Encoders.lame(PCM.music(frameCount: 44_100), ["-b", "64"]))
            ], allowedFailures: 10
        ) { own in
            let wrong = Base64URL.encode([UInt8](repeating: 1, count: 32))
            // All in one burst, because failures are counted per minute.
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

    @Test(
        "A replaced key is rejected at once: requests, tokens, open WebSockets")
    func revocation() async throws {
        let bytes = try Encoders.lame(PCM.music(frameCount: 8 * 44_100, seed: 77), ["-b", "96"])
        try await ServedLibrary.with([("one.mp3", bytes)]) { own in
            let id = try own.id("one.mp3")
            let old = own.secrets.apiKeyText
            let made = try await own.get("/auth/token?track_id=\(id)", ["-X", "POST"])
            let token = try #require(try made.json("token") as? String)
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Clients")
            let run = try await PythonClient.run(
                folder.appending(path: "replaced_key.py").path(percentEncoded: false),
                [
                    "\(own.server.port)", old, "/tracks/\(id)/segments/0.mp3", token,
                    "\(own.data.path)/host.json",
                ])
            let told = try #require(
                try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: [Int]])
            #expect(told["before"] == [200, 200, 200, 200, 200])
            #expect(told["old"] == [401, 401, 401])
            #expect(told["new"] == [200, 200, 200])
            #expect(told["closed"] == [4401, 4401])
            // The same function as on the command line.
            let fresh = try HostSecrets.regenerate(dataFolder: own.data.path).apiKeyText
            #expect(try await own.get("/auth", key: fresh).status == 200)
            #expect(try await own.get("/auth", key: old).status == 401)
        }
    }

    @Test("An unreadable secrets file keeps the current key valid, and is reported once")
    func damagedSecrets() throws {
        let directory = try TemporaryDirectory()
        let secrets = try HostSecrets(dataFolder: directory.path)
        let reports = Mutex<[String]>([])
        let current = CurrentSecrets(secrets, dataFolder: directory.path) { report in
            reports.withLock { $0.append(report) }
        }
        // Moved into place: between a write and a chmod, the background check would see two different files.
        let damaged = try directory.write(Array("{}".utf8), as: "damaged.json")
        #expect(chmod(damaged, 0o600) == 0 && rename(damaged, directory.file("host.json")) == 0)
        for _ in 0..<3 { #expect(current.value.apiKeyText == secrets.apiKeyText) }
        #expect(reports.withLock { $0.count } == 1)
        #expect(reports.withLock { $0.allSatisfy { !$0.contains(secrets.apiKeyText) } })
        let fresh = try HostSecrets.regenerate(dataFolder: directory.path)
        #expect(current.value.apiKeyText == fresh.apiKeyText)
    }

    @Test("Owners can set their own key, but not a short one")
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

    @Test("The key is created once, with mode 0600, and can be regenerated")
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
