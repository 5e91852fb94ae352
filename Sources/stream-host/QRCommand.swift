import Companion
import ConsoleProgram
import Foundation
import MusicShared
import QRCode
import Settings
import StreamHost

/// `stream-host qr`: address and key as a QR code, for phones.
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
                    message: "--address takes one such as https://music.example.com, not \(address)")
            }
            if isForTunnel { throw UsageError(message: "--address and --tunnel exclude each other") }
        }
    }

    func run() throws -> Int32 {
        let secrets = try HostSecrets(dataFolder: data)
        guard let base = try address ?? hostAddress(key: secrets.apiKeyText) else { return 1 }
        // Behind the mark, since what stands there stays with the phone: no server or log sees it.
        let link = "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/#key=\(secrets.apiKeyText)"
        guard let code = QRCode(link) else {
            throw UsageError(message: "the address is too long for a QR code")
        }
        let isTerminal = isatty(STDOUT_FILENO) == 1
        for line in code.lines(isColoured: isTerminal) { Terminal.print(line) }
        // Columns that a terminal would break are of no use to a camera.
        let width = code.size + 2 * QRCode.quietZone
        if isTerminal, Terminal.columns < width {
            Terminal.complain(
                "The code is \(width) columns wide, the terminal \(Terminal.columns): make it wider.")
        }
        Terminal.print(link)
        return 0
    }

    private func hostAddress(key: String) throws -> String? {
        guard let host = RunningHost.find(dataFolder: data) else {
            Terminal.complain(
                "stream-host: no host runs on \(data), so its address is not known. Start it, or give the address with "
                    + "--address URL.")
            return nil
        }
        if isForTunnel {
            let health = try LocalRequest(host: host, key: key).get(Routes.health, as: HealthReport.self)
            if let url = health.tunnel?.url { return url }
            Terminal.complain("stream-host: the host has no tunnel, or its address is not known yet.")
            return nil
        }
        if let address = host.networkAddress { return address }
        Terminal.complain(
            "stream-host: only this machine reaches the host. Start it with --host 0.0.0.0, or with --tunnel and ask for "
                + "qr --tunnel.")
        return nil
    }
}
