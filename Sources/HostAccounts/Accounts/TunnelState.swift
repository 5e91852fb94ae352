package import HTTPServer
package import MusicShared
internal import Synchronization

/// The state of the host's tunnel, as shown by routes.
package final class TunnelState: Sendable {
    private let report = Mutex<TunnelReport?>(nil)

    /// Creates the state of a host without a tunnel.
    package init() {}

    /// The latest report; nil if there is no tunnel.
    package var current: TunnelReport? { report.withLock { $0 } }

    /// Stores a report.
    /// - Returns: Whether the URL has changed.
    package func set(_ new: TunnelReport?) -> Bool {
        report.withLock { report in
            defer { report = new }
            return report?.url != new?.url
        }
    }

    /// Returns the client address of a request. Requests through the tunnel come from this machine;
    /// Cloudflare adds the original address in a header, which clients cannot forge.
    package func address(of request: HTTPRequest) -> String {
        let address = request.remoteAddress?.host ?? ""
        guard current != nil, address == "127.0.0.1" || address == "::1",
            let name = HTTPFieldName("CF-Connecting-IP"), let origin = request.fields[name],
            origin.utf8.count <= 45, origin.utf8.allSatisfy({ Self.addressBytes.contains($0) })
        else { return address }
        return origin
    }

    private static let addressBytes = Set("0123456789abcdefABCDEF.:".utf8)
}
