internal import APIDescription
internal import HTTPServer
internal import WebPlayer

/// Serves the web player. It requires no key: the page asks for the key, and contains nothing from the
/// library.
///
/// These are files rather than API routes, so they are not part of the API description.
struct WebPlayerRoutes: Sendable {
    /// The page and all its files.
    static let patterns = ["/", "\(prefix)**"]
    private static let prefix = "/player/"

    /// Scripts, styles and images may only come from the host, inline scripts are blocked, and other sites must
    /// not embed the page. Covers and audio fetched with the key are shown as `blob:` URLs.
    /// - Parameters:
    ///   - connections: where scripts may send requests.
    ///   - media: where audio elements may play from.
    private static func policy(connections: String, media: String) -> String {
        [
            "default-src 'none'", "script-src 'self'", "worker-src 'self'", "style-src 'self'",
            "img-src 'self' blob: data:", "media-src \(media)", "font-src 'self'",
            "connect-src \(connections)", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    let site: WebPlayerSite

    func add(to routes: some RouteCollection) {
        routes.get(Self.patterns[0]) { try answer(WebPlayerSite.indexPath, $0) }
        routes.get(Self.patterns[1]) { try answer(String($0.path.dropFirst(Self.prefix.count)), $0) }
    }

    private func answer(_ path: String, _ request: HTTPRequest) throws -> HTTPResponse {
        guard let file = site.file(path) else {
            throw APIError.notFound("The web player has no such file.")
        }
        var response = HTTPResponse(
            fields: [
                .contentType: file.mediaType,
                .entityTag: EntityTag("w1-\(file.identity)").description,
                .cacheControl: Self.cacheControl(path),
                .xContentTypeOptions: "nosniff",
            ], body: .bytes(file.bytes), allowsRanges: false)
        for (name, value) in Self.playerProtection {
            if let name = HTTPFieldName(name) { response.fields[name] = value }
        }
        return response
    }

    /// Other files are revalidated each time, with 304 if unchanged, because a new version of the host has a new page.
    private static func cacheControl(_ path: String) -> String {
        WebPlayerSite.isImmutable(path) ? "public, max-age=31536000, immutable" : "no-cache"
    }

    /// Header fields of pages that only use this host.
    static let protection = fields(connections: "'self'", media: "'self' blob:")
    /// Header fields of the web player, whose users may add other hosts by any address.
    private static let playerProtection = fields(
        connections: "'self' http: https: ws: wss:", media: "'self' blob: http: https:")

    private static func fields(connections: String, media: String) -> [(String, String)] {
        [
            ("Content-Security-Policy", policy(connections: connections, media: media)),
            ("Referrer-Policy", "no-referrer"),
            ("X-Frame-Options", "DENY"),
            // The service worker is located below /player/ but controls the page at /.
            ("Service-Worker-Allowed", "/"),
        ]
    }
}
