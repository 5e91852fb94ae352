internal import HTTPServer
internal import WebPlayer

/// The player's page. It needs no key: it asks for the key, and holds nothing of the library itself.
///
/// These are files, no part of the API, and so not of its description.
struct WebPlayerRoutes: Sendable {
    /// The page, and all that it is made of.
    static let patterns = ["/", "\(prefix)**"]
    private static let prefix = "/player/"

    /// Scripts, styles and data come from the host alone, nothing written into the page runs, and no other site may show it
    /// in a frame. Covers and sound that were fetched with the key are shown as `blob:`.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "worker-src 'self'", "style-src 'self'",
        "img-src 'self' blob: data:", "media-src 'self' blob:", "font-src 'self'", "connect-src 'self'",
        "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    let site: WebPlayerSite

    func add(to routes: some RouteCollection) {
        routes.get(Self.patterns[0]) { try answer(WebPlayerSite.indexPath, $0) }
        routes.get(Self.patterns[1]) { try answer(String($0.path.dropFirst(Self.prefix.count)), $0) }
    }

    private func answer(_ path: String, _ request: HTTPRequest) throws -> HTTPResponse {
        guard let file = site.file(path) else {
            throw HTTPError(
                .notFound, code: "not_found", message: "The web player has no file of this name.")
        }
        var response = HTTPResponse(
            fields: [
                .contentType: file.mediaType,
                .entityTag: EntityTag("w1-\(file.identity)").description,
                // Asked for each time, and answered with 304 as long as it is the same: a new program has a new page.
                .cacheControl: "no-cache",
                .xContentTypeOptions: "nosniff",
            ], body: .bytes(file.bytes), allowsRanges: false)
        for (name, value) in Self.protection {
            if let name = HTTPFieldName(name) { response.fields[name] = value }
        }
        return response
    }

    private static let protection = [
        ("Content-Security-Policy", policy),
        ("Referrer-Policy", "no-referrer"),
        ("X-Frame-Options", "DENY"),
        // The service worker lies below /player/, and is for the page above it.
        ("Service-Worker-Allowed", "/"),
    ]
}
