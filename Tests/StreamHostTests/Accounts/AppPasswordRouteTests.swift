import Companion
import Foundation
import HTTPServer
import MusicShared
import Testing
import TestSupport
@testable import HostAccounts

@testable import StreamHost

@Suite("Routes of app passwords", .timeLimit(.minutes(30)))
struct AppPasswordRouteTests {
    private func list(_ served: ServedLibrary) async throws -> AppPasswordList {
        let answer = try await served.get(Routes.appPasswords)
        #expect(answer.status == 200 && answer.field("Cache-Control") == "no-store")
        return try JSONDecoder().decode(AppPasswordList.self, from: Data(answer.body))
    }

    @Test("A created password signs in at /rest, is shown once, and is refused as soon as it is revoked")
    func life() async throws {
        try await SubsonicLibrary.with { library in
            let served = library.served
            let made = try await served.send("POST", Routes.appPasswords, ["name": "Phone / \"1\""])
            #expect(made.status == 201 && made.field("Cache-Control") == "no-store")
            let new = try JSONDecoder().decode(NewAppPassword.self, from: Data(made.body))
            #expect(new.name == "Phone / \"1\"" && new.user == "owner")
            let credentials = "u=\(new.user)&p=\(new.password)"
            #expect(try await library.error("ping", credentials: credentials) == nil)

            let listed = try await list(served)
            let item = try #require(listed.items.first { $0.id == new.id })
            #expect(listed.user == "owner" && item.name == new.name && item.lastUsedAt != nil)
            #expect(abs(item.createdAt - Date().timeIntervalSince1970) < 60)
            let text = String(decoding: try await served.get(Routes.appPasswords).body, as: UTF8.self)
            #expect(!text.contains(new.password) && !text.contains("sealed"))

            let path = "/account/app-passwords/\(new.id)"
            #expect(try await served.get(path, ["-X", "DELETE"]).status == 204)
            #expect(try await library.error("ping", credentials: credentials) == 40)
            #expect(try await library.error("ping") == nil)
            let again = try await served.get(path, ["-X", "DELETE"])
            #expect(again.status == 404 && again.errorCode == "no_such_app_password")
            #expect(try await list(served).items.contains { $0.id == new.id } == false)
        }
    }

    @Test("A name that is taken or invalid is rejected, and the field is named")
    func names() async throws {
        try await SubsonicLibrary.with { library in
            let served = library.served
            let taken = try await served.send("POST", Routes.appPasswords, ["name": "tests"])
            #expect(taken.status == 409 && taken.errorCode == "name_taken")
            for name in ["", "a\u{7}", String(repeating: "n", count: 101)] {
                let answer = try await served.send("POST", Routes.appPasswords, ["name": name])
                #expect(answer.status == 422 && answer.errorCode == "invalid_field", "\(name)")
                #expect(try answer.json("error", "field") as? String == "name")
            }
            #expect(try await served.send("POST", Routes.appPasswords, ["nam": "x"]).status == 400)
        }
    }

    @Test("Passwords of another account are neither listed nor revoked")
    func otherAccount() async throws {
        try await SubsonicLibrary.with { library in
            _ = try library.passwords.add(account: "someone", name: "theirs")
            let theirs = try #require(try library.passwords.list().first { $0.account == "someone" })
            #expect(try await list(library.served).items.map(\.name) == ["tests"])
            let path = "/account/app-passwords/\(theirs.id)"
            #expect(try await library.served.get(path, ["-X", "DELETE"]).status == 404)
            #expect(try library.passwords.list().count == 2)
        }
    }

    @Test("The list of addresses holds the local network's and the tunnel's, as soon as they are known")
    func addresses() {
        let tunnel = TunnelState()
        let addresses = HostAddresses(tunnel: tunnel)
        #expect(addresses.all == [])
        addresses.setNetworkAddress("http://192.168.1.20:8420")
        _ = tunnel.set(
            TunnelReport(mode: .named, state: .connected, url: "https://music.example.com/"))
        #expect(
            addresses.all == [
                ReachableAddress(url: "http://192.168.1.20:8420", kind: .network),
                ReachableAddress(url: "https://music.example.com", kind: .tunnel),
            ])
    }

    @Test(
        "zbarimg reads the drawn address",
        arguments: ["http://192.168.1.20:8420", "https://music.example.com/a%20b?c=1&d=2"])
    func code(address: String) async throws {
        let served = try await ServedStreams.library.value
        var allowed = CharacterSet.urlQueryAllowed
        allowed.remove(charactersIn: "&=+%")
        let value = try #require(address.addingPercentEncoding(withAllowedCharacters: allowed))
        let answer = try await served.get("\(Routes.qrCode)?url=\(value)")
        #expect(answer.status == 200 && answer.field("Content-Type") == "image/svg+xml")
        let directory = try TemporaryDirectory()
        try directory.write(answer.body, as: "code.svg")
        try await Self.rasterise(directory.file("code.svg"), as: directory.file("code.pgm"))
        let run = try await ProcessRun.aside("zbarimg", ["-q", "--raw", directory.file("code.pgm")])
        #expect(run.text.trimmingCharacters(in: .whitespacesAndNewlines) == address)
    }

    /// Fills the path of the drawing, which has horizontal runs of modules only, with eight pixels a module.
    private static func rasterise(_ svg: String, as image: String) async throws {
        let script = """
            import re, sys
            text = open(sys.argv[1]).read()
            side = int(re.search(r'viewBox="0 0 (\\d+)', text)[1])
            rows = [[255] * side * 8 for _ in range(side * 8)]
            for x, y, w in re.findall(r'M(\\d+) (\\d+)h(\\d+)v1h-', text):
                for row in range(int(y) * 8, int(y) * 8 + 8):
                    for column in range(int(x) * 8, (int(x) + int(w)) * 8):
                        rows[row][column] = 0
            data = bytes(v for row in rows for v in row)
            open(sys.argv[2], 'wb').write(b'P5 %d %d 255\\n' % (side * 8, side * 8) + data)
            """
        try await ProcessRun.aside("python3", ["-c", script, svg, image])
    }

    @Test(
        "Anything but a web address without a user is not drawn",
        arguments: [
            "", "ftp://host/", "javascript:alert(1)", "http://", "http://user:secret@host/",
            "http://host/" + String(repeating: "a", count: 500),
        ])
    func badAddress(address: String) async throws {
        let served = try await ServedStreams.library.value
        let answer = try await served.get("\(Routes.qrCode)?url=\(address)")
        #expect(answer.status == 422 && answer.errorCode == "invalid_parameter")
    }
}
