import CommandLineProgram
import Foundation
import MusicShared

/// Settings for how the host is discovered and reached.
struct ReachOptions {
    /// Whether to announce the host in the local network.
    let isAnnounced: Bool
    /// The tunnel settings, still without the host's port; nil for no tunnel.
    let tunnel: TunnelSettings?

    /// Reads the settings.
    /// - Throws: `UsageError` for conflicting settings, `TunnelError` if cloudflared or the token is missing.
    init(_ inForce: EffectiveSettings) throws {
        isAnnounced = inForce[\.announce]
        let ofNamed = [
            ("--tunnel-name", inForce[\.tunnelName]), ("--tunnel-config", inForce[\.tunnelConfig]),
            ("--tunnel-token-file", inForce[\.tunnelTokenFile]),
            ("--tunnel-hostname", inForce[\.tunnelHostname]),
        ].filter { $0.1 != nil }.map(\.0)
        guard let mode = inForce[\.tunnel] else {
            if let option = ofNamed.first { throw UsageError(message: "\(option) requires --tunnel named") }
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
                    message: "\(option) requires --tunnel named: a quick tunnel has a random name")
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
                message:
                    "--trust-lan and --tunnel cannot be combined: the host would be open to the whole internet"
            )
        }
        _ = try settings.executable()
        tunnel = settings
    }
}
