internal import HTTPServer
internal import MusicShared
internal import Synchronization

/// How the host's tunnel stands, as routes tell it.
final class TunnelState: Sendable {
    private let report = Mutex<TunnelReport?>(nil)

    /// The latest report; nil where there is no tunnel.
    var current: TunnelReport? { report.withLock { $0 } }

    /// Takes a report in.
    /// - Returns: whether the address is another one than before.
    func set(_ new: TunnelReport?) -> Bool {
        report.withLock { report in
            defer { report = new }
            return report?.url != new?.url
        }
    }

    /// Where a request comes from. What comes through the tunnel comes from this machine; Cloudflare says from where, and
    /// lets nobody else say it.
    func address(of request: HTTPRequest) -> String {
        let address = request.remoteAddress?.host ?? ""
        guard current != nil, address == "127.0.0.1" || address == "::1",
            let name = HTTPFieldName("CF-Connecting-IP"), let origin = request.fields[name],
            origin.utf8.count <= 45, origin.utf8.allSatisfy({ Self.addressBytes.contains($0) })
        else { return address }
        return origin
    }

    private static let addressBytes = Set("0123456789abcdefABCDEF.:".utf8)
}
