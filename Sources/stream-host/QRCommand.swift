import Companion
import CommandLineProgram
import Foundation
import HostAccounts
import MusicShared
import StreamHost

/// `stream-host qr`: prints address and key as a QR code for phones.
struct QRCommand {
    private let data: String
    private let address: String?
    private let isForTunnel: Bool

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var address: String?
        var isForTunnel = false
        let settings = try arguments.takeSettings(
            for: .host, only: ["config", "data"], flags: ["--tunnel"], valued: ["--address"]
        ) { name, value in
            if name == "--address" { address = value } else { isForTunnel = true }
        }
        _ = try arguments.operands(0...0, named: "the address with --address")
        data = settings[\.data]
        self.address = address
        self.isForTunnel = isForTunnel
        if let address {
            guard let url = URL(string: address), ["http", "https"].contains(url.scheme ?? ""),
                url.host() != nil
            else {
                throw UsageError(
                    message: "--address must be a URL such as https://music.example.com, not \(address)")
            }
            if isForTunnel { throw UsageError(message: "--address and --tunnel cannot be combined") }
        }
    }

    func run() throws -> Int32 {
        let secrets = try HostSecrets(dataFolder: data)
        guard let base = try address ?? hostAddress(key: secrets.apiKeyText) else { return 1 }
        // The key is in the fragment, which browsers do not send: no server or log sees it.
        let link = "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/#key=\(secrets.apiKeyText)"
        guard let code = QRCode(link) else {
            throw UsageError(message: "the URL is too long for a QR code")
        }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        for line in code.lines(isColoured: isTerminal) { Terminal.print(line) }
        // A camera cannot read a code with wrapped lines.
        let width = code.size + 2 * QRCode.quietZone
        if isTerminal, Terminal.columns < width {
            Terminal.complain(
                "The code is \(width) columns wide, but the terminal only \(Terminal.columns); widen the terminal."
            )
        }
        Terminal.print(link)
        return 0
    }

    private func hostAddress(key: String) throws -> String? {
        guard let host = RunningHost.find(dataFolder: data) else {
            Terminal.complain(
                "stream-host: no host is running on \(data), so its address is unknown. Start it, or specify the address with "
                    + "--address URL.")
            return nil
        }
        if isForTunnel {
            let health = try LocalRequest(host: host, key: key).get(Routes.health, as: HealthReport.self)
            if let url = health.tunnel?.url { return url }
            Terminal.complain("stream-host: the host has no tunnel, or its URL is not known yet.")
            return nil
        }
        if let address = host.networkAddress { return address }
        Terminal.complain(
            "stream-host: the host is only reachable from this machine. Start it with --host 0.0.0.0, or with --tunnel and use "
                + "qr --tunnel.")
        return nil
    }
}
