import Companion
import Foundation
import HTTPServer
import LibraryStore
import Testing
import TestSupport
@testable import HostAccounts

@testable import StreamHost

@Suite("Access to the OpenSubsonic API", .timeLimit(.minutes(30)))
struct SubsonicAccessTests {
    private let library: SubsonicLibrary

    init() async throws { library = try await SubsonicLibrary.shared.value }

    private func hex(_ text: String) -> String {
        text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    @Test("An app password signs in plain, in hexadecimal digits, as a salted token and as an API key")
    func mechanisms() async throws {
        let password = library.password
        let token = String(
            try await ProcessRun.aside("md5sum", [], input: password + "salt").text.prefix(32))
        for credentials in [
            "u=owner&p=\(password)", "u=owner&p=enc:\(hex(password))", "u=owner&t=\(token)&s=salt",
            "u=owner&t=\(token.uppercased())&s=salt", "apiKey=\(password)", "u=owner&p=\(password)&t=&s=",
        ] {
            #expect(try await library.error("ping", credentials: credentials) == nil, "\(credentials)")
        }
        let info = try await library.ask("tokenInfo", credentials: "apiKey=\(password)")
        #expect((info["tokenInfo"] as? [String: Any])?["username"] as? String == "owner")
    }

    @Test(
        "Wrong, missing and conflicting credentials have the specified codes",
        arguments: [
            ("u=owner&p=wrong", 40), ("u=owner&p=enc:zz", 40), ("u=owner&p=enc:f", 40),
            ("u=other&p=PASSWORD", 40),
            ("u=owner&t=0123456789abcdef0123456789abcdef&s=x", 40), ("apiKey=wrong", 44),
            ("apiKey=PASSWORD&u=owner", 43), ("apiKey=PASSWORD&u=owner&p=PASSWORD", 43),
            ("u=owner&p=PASSWORD&t=a&s=b", 43), ("", 10), ("u=owner", 10), ("p=PASSWORD", 10),
            ("u=owner&t=a", 10),
            ("u=owner&s=a", 10), ("jwt=abc", 42),
        ])
    func refused(credentials: String, code: Int) async throws {
        let credentials = credentials.replacing("PASSWORD", with: library.password)
        #expect(try await library.error("ping", credentials: credentials) == code)
    }

    @Test("The host's own API key is no password")
    func hostKey() async throws {
        let key = library.served.secrets.apiKeyText
        #expect(try await library.error("ping", credentials: "u=owner&p=\(key)") == 40)
        #expect(try await library.error("ping", credentials: "apiKey=\(key)") == 44)
    }

    @Test("The extensions are listed without credentials")
    func extensions() async throws {
        let answer = try await library.ask("getOpenSubsonicExtensions", credentials: "")
        let names = (answer["openSubsonicExtensions"] as? [[String: Any]])?.texts("name") ?? []
        #expect(
            Set(names).isSuperset(of: ["formPost", "apiKeyAuthentication", "songLyrics", "indexBasedQueue"]))
    }

    @Test("Clients of another major version of the protocol are refused")
    func versions() async throws {
        #expect(try await library.error("ping", "v=1.16.1") == nil)
        for (version, code) in [("2.0.0", 30), ("0.9", 20)] {
            let response = await library.served.responder.respond(
                to: HTTPRequest(.get, "/rest/ping?f=json&v=\(version)&\(library.credentials)"))
            guard case .bytes(let bytes) = response.body else { throw CancellationError() }
            #expect(String(decoding: bytes, as: UTF8.self).contains("\"code\":\(code)"))
        }
    }

    @Test("A revoked password is refused with the next request, others stay valid")
    func revoked() async throws {
        let passwords = library.passwords
        let second = try passwords.add(account: "owner", name: "second app")
        #expect(try await library.error("ping", credentials: "apiKey=\(second)") == nil)
        #expect(throws: HostError.self) { try passwords.add(account: "owner", name: "second app") }
        #expect(try passwords.list().first { $0.name == "second app" }?.lastUsedAt != nil)
        try passwords.remove(account: "owner", name: "second app")
        #expect(try await library.error("ping", credentials: "apiKey=\(second)") == 44)
        #expect(try await library.error("ping") == nil)
        #expect(throws: HostError.self) { try passwords.remove(account: "owner", name: "second app") }
    }

    @Test("Passwords are stored encrypted, and readable for the owner only")
    func storage() throws {
        let folder = library.served.data.path
        for name in ["accounts.json", "host.json"] {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            #expect(!text.contains(library.password) && !text.contains(library.password.prefix(9)))
            var status = stat()
            #expect(stat("\(folder)/\(name)", &status) == 0 && status.st_mode & 0o077 == 0)
        }
        #expect(library.password.wholeMatch(of: /[a-z2-9]{4}(-[a-z2-9]{4}){5}/) != nil)
    }

    @Test("Guessers are slowed down; the right password from the same address still signs in")
    func limit() async throws {
        try await SubsonicLibrary.with(allowedFailures: 3) { library in
            for _ in 1...5 { #expect(try await library.error("ping", credentials: "u=owner&p=guess") == 40) }
            let answer = try await library.ask("ping", credentials: "u=owner&p=guess")
            let message = (answer["error"] as? [String: Any])?["message"] as? String ?? ""
            #expect(message.contains("Too many"))
            #expect(try await library.error("ping") == nil)
        }
    }

    @Test("A new API key of the host leaves app passwords valid")
    func regeneratedKey() async throws {
        try await SubsonicLibrary.with { library in
            _ = try HostSecrets.regenerate(dataFolder: library.served.data.path)
            #expect(try await library.error("ping") == nil)
            let again = AppPasswords(dataFolder: library.served.data.path)
            #expect(again.account(for: .apiKey(Array(library.password.utf8))) == "owner")
        }
    }
}
