internal import APIDescription
internal import Foundation
package import HTTPServer

/// Protects a host that requires no key from pages of other sites.
///
/// Without a key, any page that a user on the local network opens could read and change the library through
/// their browser. So a request made by a page is served only if the page comes from the host itself, and only
/// if the `Host` header is an IP address or a local name. Otherwise a site could resolve its own name to the
/// host's address (DNS rebinding).
package struct LocalPagesMiddleware: HTTPMiddleware {
    /// The machine's host name.
    package let hostName: String

    /// Memberwise initializer.
    package init(hostName: String) {
        self.hostName = hostName
    }

    package func prepare(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        if let host = request.fields[.host], !isLocal(Self.name(ofAuthority: host)) {
            throw APIError.foreignName(
                "Without an API key, the host accepts only IP addresses and local names as Host, not \(host).",
                field: "Host")
        }
        guard !isForeign(request) else {
            throw APIError.foreignPage(
                "Without an API key, requests from pages of other sites are rejected.", field: "Origin")
        }
        return nil
    }

    /// Whether a page of another site sent the request (Fetch Metadata, and `Origin` of the Fetch standard).
    private func isForeign(_ request: HTTPRequest) -> Bool {
        if let site = request.fields[.secFetchSite] {
            // Following a link opens our page; the linking page cannot read the response.
            let isLink = request.method == .get && request.fields[.secFetchMode] == "navigate"
            return !isLink && site != "same-origin" && site != "none"
        }
        guard let origin = request.fields[.origin] else { return false }
        guard let host = request.fields[.host] else { return true }
        return origin != "http://\(host)" && origin != "https://\(host)"
    }

    /// Whether a name can only mean a machine on the local network: an IP address, a name without dots, or a
    /// local domain.
    private func isLocal(_ name: String) -> Bool {
        if name.contains(":") || name.wholeMatch(of: /[0-9]+(\.[0-9]+){3}/) != nil { return true }
        let name = name.lowercased()
        return !name.contains(".") || name == hostName.lowercased()
            || [".local", ".lan", ".home.arpa", ".internal", ".localhost"].contains { name.hasSuffix($0) }
    }

    /// Returns the host part of `name:port` or `[address]:port`.
    private static func name(ofAuthority text: String) -> String {
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        return String(text.prefix { $0 != ":" })
    }
}
