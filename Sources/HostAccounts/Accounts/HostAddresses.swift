package import MusicShared
internal import Synchronization

/// The addresses at which others reach the host, as far as it knows them.
package final class HostAddresses: Sendable {
    private let network = Mutex<String?>(nil)
    private let tunnel: TunnelState

    package init(tunnel: TunnelState) { self.tunnel = tunnel }

    /// Sets the address in the local network.
    package func setNetworkAddress(_ url: String?) { network.withLock { $0 = url } }

    /// The addresses, the one in the local network first.
    package var all: [ReachableAddress] {
        let network = network.withLock { $0 }.map { ReachableAddress(url: $0, kind: .network) }
        let tunnel = tunnel.current?.url.map { ReachableAddress(url: Self.trimmed($0), kind: .tunnel) }
        return [network, tunnel].compactMap { $0 }
    }

    private static func trimmed(_ url: String) -> String {
        url.hasSuffix("/") ? String(url.dropLast()) : url
    }
}
