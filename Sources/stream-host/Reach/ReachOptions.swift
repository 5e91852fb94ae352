import ConsoleProgram
import Foundation
import MusicShared
import Settings
import Tunnel

/// The settings that say how the host is found and reached.
struct ReachOptions {
    /// Whether the local network is told of the host.
    let isAnnounced: Bool
    /// The tunnel, as far as it is known before the host's port is; nil where there is to be none.
    let tunnel: TunnelSettings?

    /// Reads what is in force.
    /// - Throws: `UsageError` where settings do not go together, `TunnelError` where cloudflared or the token is not there.
    init(_ inForce: SettingsInForce) throws {
        isAnnounced = inForce[\.announce]
        let ofNamed = [
            ("--tunnel-name", inForce[\.tunnelName]), ("--tunnel-config", inForce[\.tunnelConfig]),
            ("--tunnel-token-file", inForce[\.tunnelTokenFile]),
            ("--tunnel-hostname", inForce[\.tunnelHostname]),
        ].filter { $0.1 != nil }.map(\.0)
        guard let mode = inForce[\.tunnel] else {
            if let option = ofNamed.first { throw UsageError(message: "\(option) goes with --tunnel named") }
            tunnel = nil
            return
        }
        var settings = TunnelSettings(try OptionValue.oneOf(mode, for: "--tunnel"), origin: "")
        settings.program = inForce[\.cloudflared]
        settings.name = inForce[\.tunnelName]
        settings.configuration = inForce[\.tunnelConfig]
        settings.hostName = inForce[\.tunnelHostname]
        if let file = inForce[\.tunnelTokenFile] {
            settings.token = try TunnelSettings.token(inFile: file)
        } else if settings.mode == .named {
            settings.token = ProcessInfo.processInfo.environment["TUNNEL_TOKEN"]
        }
        switch settings.mode {
        case .quick:
            if let option = ofNamed.first {
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
        guard !inForce[\.trustLAN] else {
            throw UsageError(
                message: "--trust-lan and --tunnel: without a key, the whole internet would be let in")
        }
        _ = try settings.executable()
        tunnel = settings
    }
}
