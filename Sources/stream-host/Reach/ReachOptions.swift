import ConsoleProgram
import Foundation
import MusicShared
import Tunnel

/// The options of `serve` that say how the host is found and reached.
struct ReachOptions {
    static let flags: Set<String> = ["--no-announce"]
    static let valued: Set<String> = [
        "--tunnel", "--tunnel-name", "--tunnel-config", "--tunnel-token-file", "--tunnel-hostname",
        "--cloudflared",
    ]

    /// Whether the local network is told of the host.
    let isAnnounced: Bool
    /// The tunnel, as far as it is known before the host's port is; nil where there is to be none.
    let tunnel: TunnelSettings?

    /// Reads what the command line says.
    /// - Throws: `UsageError` where options do not go together, `TunnelError` where cloudflared or the token is not there.
    init(values: [String: String], flags: Set<String>) throws {
        isAnnounced = !flags.contains("--no-announce")
        guard let mode = values["--tunnel"] else {
            if let option = values.keys.filter({ Self.valued.contains($0) }).min() {
                throw UsageError(message: "\(option) goes with --tunnel")
            }
            tunnel = nil
            return
        }
        var settings = TunnelSettings(try OptionValue.oneOf(mode, for: "--tunnel"), origin: "")
        if let program = values["--cloudflared"] { settings.program = program }
        settings.name = values["--tunnel-name"]
        settings.configuration = values["--tunnel-config"]
        settings.hostName = values["--tunnel-hostname"]
        if let file = values["--tunnel-token-file"] {
            settings.token = try TunnelSettings.token(inFile: file)
        } else if settings.mode == .named {
            settings.token = ProcessInfo.processInfo.environment["TUNNEL_TOKEN"]
        }
        switch settings.mode {
        case .quick:
            let unfit = [
                "--tunnel-name", "--tunnel-config", "--tunnel-token-file", "--tunnel-hostname",
            ]
            if let option = unfit.first(where: { values[$0] != nil }) {
                throw UsageError(
                    message: "\(option) goes with --tunnel named: a quick tunnel has a name at random")
            }
        case .named:
            guard settings.name != nil || settings.configuration != nil || settings.token != nil else {
                throw UsageError(
                    message:
                        "a named tunnel needs its name (--tunnel-name), its configuration (--tunnel-config) or its token "
                        + "(--tunnel-token-file, or TUNNEL_TOKEN in the environment)")
            }
        }
        guard !flags.contains("--trust-lan") else {
            throw UsageError(
                message: "--trust-lan and --tunnel: without a key, the whole internet would be let in")
        }
        _ = try settings.executable()
        tunnel = settings
    }
}
