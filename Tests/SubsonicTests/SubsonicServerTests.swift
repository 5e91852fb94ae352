import Foundation
import Testing
import TestSupport

@testable import Subsonic

@Suite("Subsonic server", .timeLimit(.minutes(30)))
struct SubsonicServerTests {
    private func server(
        _ standIn: FakeSubsonicServer, url: String? = nil, user: String = "admin",
        password: String? = "sesame",
        token: String? = nil, salt: String? = nil, timeout: Double = 30
    ) throws -> SubsonicServer {
        try SubsonicServer(
            url: url ?? standIn.url,
            credentials: SubsonicCredentials(user: user, password: password, token: token, salt: salt),
            timeoutSeconds: timeout, program: "stream-host")
    }

    @Test("A password with any characters is sent as MD5 with a fresh salt")
    func password() throws {
        let odd = "pä ss&wörd=+%?#🎵"
        let standIn = try FakeSubsonicServer("ok", password: odd)
        let server = try server(standIn, user: "ad min&u=ü", password: odd)
        #expect(try server.startScan() == .init(isScanning: true, count: 1234))
        #expect(try server.scanStatus().isScanning)
        let diary = try standIn.diary()
        #expect(
            diary.map(\.path) == ["/navidrome/rest/startScan.view", "/navidrome/rest/getScanStatus.view"])
        #expect(diary.allSatisfy { $0.right && $0.wrong.isEmpty && $0.user == "ad min&u=ü" })
        #expect(diary.allSatisfy { $0.client == "stream-host" && $0.agent == "stream-host" })
        #expect(Set(diary.map(\.salt)).count == 2)
    }

    @Test("A token and its salt are sent unchanged; a trailing slash in the URL is ignored")
    func token() throws {
        let standIn = try FakeSubsonicServer("ok")
        let token = String(repeating: "0", count: 32)
        let real = try ProcessRun.run(
            "python3", ["-c", "import hashlib; print(hashlib.md5(b'sesamepepper').hexdigest(), end='')"]
        ).text
        #expect(throws: SubsonicError.self) {
            try server(standIn, password: nil, token: token, salt: "pepper").startScan()
        }
        let right = try server(standIn, url: standIn.url + "//", password: nil, token: real, salt: "pepper")
        #expect(try right.startScan().isScanning)
        #expect(try standIn.diary().map(\.right) == [false, true])
        #expect(try standIn.diary().last?.token == real)
    }

    @Test(
        "Errors have a kind, contain no secrets, and state whether they are transient",
        arguments: [
            ("html", "no Subsonic server", false), ("gateway", "status 502", true),
            ("cut", "does not answer", true),
            ("endless", "larger than", true), ("redirect", "status 302", false),
            ("forbidden", "error 50", false),
            ("generic", "database is locked", true), ("slow", "imeout", true),
        ])
    func failures(behaviour: String, words: String, isPassing: Bool) async throws {
        let standIn = try FakeSubsonicServer(behaviour)
        let server = try server(standIn, timeout: behaviour == "slow" ? 1 : 30)
        let error = #expect(throws: SubsonicError.self) { try server.startScan() }
        #expect(try #require(error).description.contains(words), "\(String(describing: error))")
        #expect(error?.isPassing == isPassing)
        for entry in try standIn.diary() {
            for secret in ["sesame", entry.token ?? "-", entry.salt ?? "-"] {
                #expect(error?.description.contains(secret) == false)
            }
        }
    }

    @Test("A wrong password, a wrong base path and a refused connection are reported")
    func wrong() throws {
        let standIn = try FakeSubsonicServer("ok")
        let password = #expect(throws: SubsonicError.self) {
            try server(standIn, password: "wrong").startScan()
        }
        #expect(password?.code == .refused && password?.isPassing == false)
        // The stand-in's response contains token and salt; our error must not.
        let entry = try #require(try standIn.diary().last)
        let token = try #require(entry.token)
        let echo = #expect(throws: SubsonicError.self) {
            try server(standIn, password: nil, token: token, salt: "not the salt of it").startScan()
        }
        #expect(echo?.description.contains("Wrong username or password: *** ***") == true)
        let path = #expect(throws: SubsonicError.self) {
            try server(standIn, url: "http://127.0.0.1:\(standIn.port)").startScan()
        }
        #expect(path?.code == .foreignAnswer && path?.description.contains("base path") == true)
        // Port 9 (discard) has no listener.
        let refused = #expect(throws: SubsonicError.self) {
            try server(standIn, url: "http://127.0.0.1:9").startScan()
        }
        #expect(refused?.code == .noAnswer && refused?.isPassing == true)
    }

    @Test(
        "Invalid settings are reported before anything is sent",
        arguments: [
            ("navidrome:4533", "admin", "p", nil, nil, "navidrome-url"),
            ("ftp://navidrome", "admin", "p", nil, nil, "navidrome-url"),
            ("", "admin", "p", nil, nil, "navidrome-url"),
            ("http://u:p@navidrome", "admin", "p", nil, nil, "subsonic-user"),
            ("http://navidrome/?a=b", "admin", "p", nil, nil, "navidrome-url"),
            ("http://navidrome", nil, "p", nil, nil, "subsonic-user"),
            ("http://navidrome", "admin", nil, nil, "s", "subsonic-token"),
            ("http://navidrome", "admin", nil, "0123", "salt", "32 hexadecimal"),
        ] as [(String, String?, String?, String?, String?, String)])
    func badSettings(
        url: String, user: String?, password: String?, token: String?, salt: String?, words: String
    ) {
        let error = #expect(throws: SubsonicError.self) {
            try SubsonicServer(
                url: url,
                credentials: SubsonicCredentials(user: user, password: password, token: token, salt: salt),
                timeoutSeconds: 1, program: "test")
        }
        #expect(error?.code == .badSettings && error?.description.contains(words) == true)
    }
}
