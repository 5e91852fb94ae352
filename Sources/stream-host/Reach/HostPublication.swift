import CommandLineProgram
import Discovery
import Glibc
import HTTPServer
import MusicShared
import StreamHost
import Synchronization

/// Makes a listening host discoverable and reachable: publishes its address in the data folder, announces it
/// in the local network and opens its tunnel.
final class HostPublication {
    private let mark: RunningHost.Mark
    private let announcement: ServiceAnnouncement?
    private let tunnel: Tunnel?
    /// Unencrypted server for programs on this machine; only if the host itself uses HTTPS.
    private let innerServer: HTTPServer?

    /// Publishes a host.
    /// - Parameters:
    ///   - mark: Publishes the host's address in the data folder.
    ///   - addresses: The addresses that the host listens on.
    ///   - isEncrypted: Whether the host uses HTTPS.
    init(
        _ options: ReachOptions, mark: RunningHost.Mark, host: Host, settings: Host.Settings,
        responder: RoutedResponder,
        addresses: [RemoteAddress], isEncrypted: Bool
    ) throws {
        // All addresses have the same port. Announce a reachable address, and use a loopback address locally.
        let outer = addresses.first { !LocalNetwork.isLoopback($0.host) } ?? addresses.first
        let address = outer ?? RemoteAddress(host: "127.0.0.1", port: 0)
        let scheme = isEncrypted ? "https" : "http"
        let isWildcard = LocalNetwork.wildcards.contains(address.host)
        let isPrivate = LocalNetwork.isLoopback(address.host)
        var inner = addresses.first { LocalNetwork.isLoopback($0.host) } ?? address
        if isEncrypted {
            var configuration = ServerConfiguration()
            configuration.port = 0
            let server = try HTTPServer(responder, configuration: configuration)
            innerServer = server
            inner = server.addresses.first ?? address
        } else {
            innerServer = nil
            if LocalNetwork.wildcards.contains(inner.host) {
                inner = RemoteAddress(host: address.host == "::" ? "::1" : "127.0.0.1", port: address.port)
            }
        }
        let networkHost = isPrivate ? nil : isWildcard ? LocalNetwork.address() : address.host
        let networkAddress = networkHost.map { "\(scheme)://\(RemoteAddress(host: $0, port: address.port))" }
        if isWildcard, let networkAddress { Terminal.print("in the local network: \(networkAddress)") }
        host.setNetworkAddress(networkAddress)
        self.mark = mark
        mark.publish(
            RunningHost(
                processID: getpid(), localAddress: "http://\(inner)", networkAddress: networkAddress,
                requiresNoKey: settings.requiresNoKey))
        announcement =
            options.isAnnounced && !isPrivate
            ? Self.announce(settings, address: address, isEncrypted: isEncrypted) : nil
        tunnel = try options.tunnel.map { wanted in
            var wanted = wanted
            wanted.origin = "http://\(inner)"
            return try Self.open(wanted, for: host)
        }
    }

    /// Announces an imminent shutdown: a tunnel that ends from now on is not restarted.
    func expectEnd() { tunnel?.expectEnd() }

    /// Ends the tunnel and withdraws the announcement.
    func end() async {
        announcement?.end()
        await innerServer?.shutdown(withinSeconds: 0)
        tunnel?.end()
    }

    private static func announce(
        _ settings: Host.Settings, address: RemoteAddress, isEncrypted: Bool
    ) -> ServiceAnnouncement {
        let host = AnnouncedService(
            type: "_kanora._tcp", port: address.port,
            texts: [
                .init("txtvers", "1"), .init("proto", "\(StreamingConstants.protocolVersion)"),
                .init("host", settings.name), .init("port", "\(address.port)"),
                .init("tls", isEncrypted ? "1" : "0"),
                .init("auth", settings.requiresNoKey ? "none" : "key"),
            ])
        let page = AnnouncedService(
            type: isEncrypted ? "_https._tcp" : "_http._tcp", port: address.port,
            texts: [
                .init("txtvers", "1"), .init("path", "/"),
                .init("proto", "\(StreamingConstants.protocolVersion)"), .init("host", settings.name),
                .init("port", "\(address.port)"),
            ])
        return ServiceAnnouncement(
            name: settings.name, services: [host, page], at: LocalNetwork.place(of: address.host)
        ) { event in
            switch event {
            case .announced(let name): Terminal.print("announced in the local network as \"\(name)\"")
            case .unavailable(let reason):
                Terminal.complain(
                    "not announced in the local network (\(reason)): clients need the address. The host is announced once "
                        + "avahi-daemon and D-Bus are running; --no-announce disables this")
            case .refused(let reason): Terminal.complain("not announced in the local network: \(reason)")
            }
        }
    }

    private static func open(_ settings: TunnelSettings, for host: Host) throws -> Tunnel {
        if settings.mode == .quick {
            Terminal.complain(
                "a quick tunnel is only for testing: its URL changes at each start, at most 200 requests can be "
                    + "in progress at once, and Cloudflare's terms limit how much media may be served")
        }
        let log = TunnelLog()
        return try Tunnel(settings) { report in
            host.tunnelHasChanged(report)
            if let line = log.line(for: report) { Terminal.print(line) }
        }
    }
}

/// The last message about a tunnel, to suppress duplicates.
private final class TunnelLog: Sendable {
    private let last = Mutex("")

    func line(for report: TunnelReport) -> String? {
        let line: String
        switch report.state {
        case .connected:
            line = "the tunnel is open: " + (report.url ?? "its URL is the one configured at Cloudflare")
        case .waiting: line = "the tunnel is closed; retrying: " + Terminal.harmless(report.message ?? "")
        case .starting, .ended: return nil
        }
        return last.withLock { last in
            defer { last = line }
            return line == last ? nil : line
        }
    }
}
