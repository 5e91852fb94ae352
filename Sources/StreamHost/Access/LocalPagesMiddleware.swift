internal import Foundation
internal import HTTPServer

/// Keeps pages of other sites out of a host that asks for no key.
///
/// Without a key, whatever page somebody at home opens could read and change the library through their browser. So a request
/// that a browser makes for a page is answered only if the page is the host's own, and the host answers only to
/// addresses and names that nobody outside can point at it (else a site could take the host's address under its own
/// name: DNS rebinding).
struct LocalPagesMiddleware: HTTPMiddleware {
    /// The machine's own name.
    let hostName: String

    func respond(to request: HTTPRequest, next: HTTPResponder) async throws -> HTTPResponse {
        if let host = request.fields[.host], !isLocal(Self.name(ofAuthority: host)) {
            throw HTTPError(
                .forbidden, code: "foreign_name",
                message: "Without a key the host answers to addresses and local names only, not to \(host).",
                field: "Host")
        }
        guard !isForeign(request) else {
            throw HTTPError(
                .forbidden, code: "foreign_page",
                message: "Without a key the host answers no pages of other sites.", field: "Origin")
        }
        return try await next(request)
    }

    /// Whether a page of another site makes the request (Fetch Metadata, and the Fetch standard's `Origin`).
    private func isForeign(_ request: HTTPRequest) -> Bool {
        if let site = request.fields[.secFetchSite] {
            // A link that is followed shows our page; the one that had the link learns nothing.
            let isLink = request.method == .get && request.fields[.secFetchMode] == "navigate"
            return !isLink && site != "same-origin" && site != "none"
        }
        guard let origin = request.fields[.origin] else { return false }
        guard let host = request.fields[.host] else { return true }
        return origin != "http://\(host)" && origin != "https://\(host)"
    }

    /// Whether a name means this machine only: an address, a name without dots, or one of the local network.
    private func isLocal(_ name: String) -> Bool {
        if name.contains(":") || name.wholeMatch(of: /[0-9]+(\.[0-9]+){3}/) != nil { return true }
        let name = name.lowercased()
        return !name.contains(".") || name == hostName.lowercased()
            || [".local", ".lan", ".home.arpa", ".internal", ".localhost"].contains { name.hasSuffix($0) }
    }

    /// The name in `name:port` or `[address]:port`.
    private static func name(ofAuthority text: String) -> String {
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        return String(text.prefix { $0 != ":" })
    }
}
