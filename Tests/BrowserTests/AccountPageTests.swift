import Companion
import Foundation
import HostAccounts
import MusicShared
import StreamHost
import Testing
import TestSupport

/// Accounts in a real browser with a real host: what they may do, and what they share.
@Suite("Accounts on the page", .onlyInChromium, .timeLimit(.minutes(30)))
struct AccountPageTests {
    @Test(
        "An owner creates an account; it signs in, is offered what its role allows, and shares a playlist")
    func accounts() async throws {
        let files = try (1...2).map { number in
            (
                name: "\(number).mp3",
                bytes: try Encoders.lame(
                    PCM.music(frameCount: 44_100, seed: UInt64(number)),
                    ["-b", "64", "--tt", "Song \(number)", "--ta", "Artist", "--tl", "Album"])
            )
        }
        let checks = try PageChecks("account-checks.js")
        try await PlayedLibrary.with(files) { played in
            // The refused second account of the same name, the wrong password, and requests that were on their way when the page
            // forgot the key.
            let errors = WebBrowser.ExpectedErrors.containing(["409", "403", "401", "favicon"])
            try await WebBrowser.with(open: "\(played.base)/", errors: errors) { browser in
                try await browser.resize(width: 1280, height: 900)
                let created = try await checks.run("created", in: browser, key: played.key)
                #expect((created["menu"] as? [String])?.contains("Edit tags…") == true)
                let rows = created["rows"] as? [String] ?? []
                #expect(rows.count == 2 && rows[0].hasPrefix("owner (you)") && rows[1].hasPrefix("Anna <i>"))
                #expect((created["refusal"] as? String)?.contains("already") == true)
                let accounts = try await aside { try Accounts(data: played.data) }
                let anna = try accounts.account(named: "anna <i>")
                #expect(anna.role == .editor)
                _ = try accounts.change(id: anna.id, role: .listener)

                let signedIn = try await checks.run("signedIn", in: browser, key: "")
                #expect(signedIn["account"] as? String == "Anna <i> (listener)")
                let menu = signedIn["menu"] as? [String] ?? []
                #expect(menu.contains("Share…") && !menu.contains("Edit tags…"))
                #expect(signedIn["isManaging"] as? Bool == false)
                #expect(signedIn["isNavigable"] as? Bool == false)
                let password = try await checks.run("password", in: browser, key: "")
                let (wrong, right) = (password["wrong"] as? [Any], password["right"] as? [Any])
                #expect(wrong?.first as? Bool == true)
                #expect((wrong?.last as? String)?.contains("current password is wrong") == true)
                #expect(right?.last as? String == "Password changed")

                let shared = try await checks.run("shared", in: browser, key: "")
                let address = try #require(shared["address"] as? String)
                #expect(address.hasPrefix("\(played.base)/share/"))
                #expect((shared["month"] as? String)?.contains("works until") == true)
                #expect((shared["rows"] as? [String])?.first?.contains("Never expires") == true)
                func status() async throws -> String {
                    try await ProcessRun.aside(
                        "curl", ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "\(address)/contents"]
                    ).text
                }
                #expect(try await status() == "200")
                _ = try await checks.run("revoked", in: browser, key: "")
                #expect(try await status() == "404")
                _ = try accounts.add(name: "eddy", role: .editor, password: "correct horse")
                let eddy = try accounts.appPasswords.add(account: "eddy", name: "test")
                try await WebBrowser.with(open: "\(played.base)/", errors: errors) { other in
                    let store = "localStorage.setItem('host.key', args[0]); return {};"
                    _ = try await other.run(store, [eddy])
                    try await other.reload()
                    let foreign = try await checks.run("foreign", in: other, key: "")
                    #expect(foreign["kind"] as? String == "Playlist by Anna <i>")
                    #expect(foreign["menu"] as? [String] == ["Share…"])
                }
            }
        }
    }
}
