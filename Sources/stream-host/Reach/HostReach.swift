import ConsoleProgram
import Discovery
import Glibc
import HTTPServer
import MusicShared
import StreamHost
import Tunnel

/// What makes a host that listens one that is found and reached: its mark in the data folder, its announcement in the network,
/// its tunnel.
final class HostReach {
    private let mark: RunningHost.Mark?
    private let announcement: ServiceAnnouncement?
    private let tunnel: Tunnel?
    /// Serves programs of this machine without encryption, where the host itself encrypts.
    private let innerServer: HTTPServer?

    /// Makes a host known.
    /// - Parameters:
    ///   - addresses: what the host listens on.
    ///   - isEncrypted: the host speaks HTTPS.
    init(
        _ options: ReachOptions, host: Host, settings: Host.Settings, responder: RoutedResponder,
        addresses: [RemoteAddress], isEncrypted: Bool, dataFolder: String
    ) throws {
        // All have the same port. The one that others reach is told to them, the one of this machine is used here.
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
        if isWildcard, let networkAddress { Terminal.print("in this network: \(networkAddress)") }
        mark = RunningHost.Mark(
            RunningHost(
                processID: getpid(), localAddress: "http://\(inner)", networkAddress: networkAddress,
                trustsEverybody: settings.trustsEverybody), dataFolder: dataFolder)
        if mark == nil {
            Terminal.complain("another host runs on \(dataFolder): `stream-host status` tells of that one")
        }
        announcement =
            options.isAnnounced && !isPrivate
            ? Self.announce(settings, address: address, isEncrypted: isEncrypted) : nil
        tunnel = try options.tunnel.map { wanted in
            var wanted = wanted
            wanted.origin = "http://\(inner)"
            return try Self.open(wanted, for: host)
        }
    }

    /// Ends the tunnel and takes the announcement back.
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
                .init("auth", settings.trustsEverybody ? "none" : "key"),
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
            case .announced(let name): Terminal.print("announced in this network as \"\(name)\"")
            case .unavailable(let reason):
                Terminal.complain(
                    "not announced in this network (\(reason)): clients need the address. avahi-daemon and D-Bus announce "
                        + "it once they run; --no-announce does without")
            case .refused(let reason): Terminal.complain("not announced in this network: \(reason)")
            }
        }
    }

    private static func open(_ settings: TunnelSettings, for host: Host) throws -> Tunnel {
        if settings.mode == .quick {
            Terminal.complain(
                "a quick tunnel is for trying things out: its address changes at each start, at most 200 requests are under "
                    + "way at once, and Cloudflare's terms limit how much media may be served")
        }
        let told = ToldTunnel()
        return try Tunnel(settings) { report in
            host.tunnelHasChanged(report)
            if let line = told.line(for: report) { Terminal.print(line) }
        }
    }
}

/// What was said of a tunnel, so that nothing is said twice. Used by the tunnel's thread only.
private final class ToldTunnel: @unchecked Sendable {
    // Proof: the tunnel tells its changes one after the other, on one thread.
    private var last = ""

    func line(for report: TunnelReport) -> String? {
        let line =
            switch report.state {
            case .connected:
                "the tunnel is open: " + (report.url ?? "its address is the one you gave it at Cloudflare")
            case .waiting:
                "the tunnel is closed, and is tried again: " + Terminal.harmless(report.message ?? "")
            case .starting, .ended: last
            }
        defer { last = line }
        return line == last ? nil : line
    }
}
