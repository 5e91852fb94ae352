import Foundation
import MusicShared
import TestSupport
import Testing

@testable import stream_host

@Suite("Tunnel settings")
struct TunnelSettingsTests {
    @Test("A missing program is reported with installation advice")
    func absent() throws {
        var settings = TunnelSettings(.quick, origin: "http://127.0.0.1:1")
        settings.program = "/no/such/program"
        let error = #expect(throws: TunnelError.self) { try settings.executable() }
        #expect(error?.code == .notInstalled)
        #expect(error?.message.contains("/no/such/program is not there") == true)
        #expect(error?.message.contains("apt-get install cloudflared") == true)
        #expect(throws: TunnelError.self) { try Tunnel(settings) { _ in } }
        // A folder is not a program.
        settings.program = "/tmp"
        #expect(throws: TunnelError.self) { try settings.executable() }
        settings.program = "env"
        #expect(try settings.executable().hasSuffix("/env"))
    }

    @Test("A token file readable by others is rejected", arguments: [0o644, 0o640, 0o604, 0o660])
    func openToken(rights: Int) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array("secret\n".utf8), as: "token")
        try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        let error = #expect(throws: TunnelError.self) { try TunnelSettings.token(inFile: path) }
        #expect(error?.message.contains("chmod 600") == true && error?.message.contains("secret") == false)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(try TunnelSettings.token(inFile: path) == "secret")
    }

    @Test("Invalid tokens are rejected", arguments: ["", " \n", "two words", "a\u{7}b"])
    func badToken(text: String) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array(text.utf8), as: "token")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(throws: TunnelError.self) { try TunnelSettings.token(inFile: path) }
        #expect(throws: TunnelError.self) { try TunnelSettings.token(inFile: path + "-not-there") }
    }

    @Test("The token is passed in the environment, never as an argument")
    func secrecy() {
        var settings = TunnelSettings(.named, origin: "http://127.0.0.1:1")
        settings.token = "secret"
        settings.name = "music"
        #expect(
            settings.arguments == [
                "cloudflared", "tunnel", "--no-autoupdate", "run", "--url", "http://127.0.0.1:1",
            ])
        #expect(settings.environment.contains("TUNNEL_TOKEN=secret"))
        settings.mode = .quick
        #expect(!settings.environment.contains { $0.hasPrefix("TUNNEL_TOKEN=") })
    }
}
