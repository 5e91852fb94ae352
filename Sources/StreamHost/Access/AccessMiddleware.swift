internal import Foundation
internal import HTTPServer
internal import MusicShared
internal import Secrets

/// Admits requests that carry the API key, or a token for the requested track, album or playlist.
struct AccessMiddleware: HTTPMiddleware {
    let secrets: CurrentSecrets
    let limiter: FailureLimiter
    /// Whether requests without a key are admitted.
    let requiresNoKey: Bool
    /// Also admits a request for `/metrics`; nil if only the API key does.
    var metricsToken: SecretBytes?

    func respond(to request: HTTPRequest, next: HTTPResponder) async throws -> HTTPResponse {
        // A valid key is accepted even from a blocked address: 256 bits cannot be guessed, so the limit only
        // saves the work of checking guesses.
        if isAllowed(request) { return try await next(request) }
        let address = request.remoteAddress?.host ?? ""
        let now = ProcessInfo.processInfo.systemUptime
        guard !limiter.isBlocked(address, now: now) else {
            throw HTTPError(
                .tooManyRequests, code: "too_many_failures",
                message: "Too many attempts with an invalid key from this address; try again in a minute.",
                fields: [.retryAfter: "\(Int(FailureLimiter.windowSeconds))"])
        }
        // A request without a key comes from a client that has none yet, not from one that guesses.
        let isGuess =
            request.fields[.authorization] != nil || request.query["token"] != nil
            || WebSocketKey.offered(by: request) != nil
        if isGuess { limiter.failed(address, now: now) }
        throw HTTPError(
            .unauthorized, code: isGuess ? "wrong_key" : "missing_key",
            message: isGuess
                ? "The API key or token is invalid or has expired."
                : "Send the API key as \"Authorization: Bearer …\". `stream-host key show` prints it.",
            fields: [.wwwAuthenticate: "Bearer"])
    }

    /// Whether a request is authorised: keys are not required, or it carries the API key or a token for the
    /// requested resource.
    func isAllowed(_ request: HTTPRequest) -> Bool {
        if requiresNoKey { return true }
        let secrets = secrets.value
        if let header = request.fields[.authorization], let key = Self.bearer(header) {
            if secrets.keyText.matches(key) { return true }
            return request.path == Routes.metrics && metricsToken?.matches(key) == true
        }
        if let key = WebSocketKey.offered(by: request) { return secrets.keyText.matches(key) }
        guard request.method == .get || request.method == .head, let token = request.query["token"],
            let subject = Self.subject(of: request)
        else { return false }
        return StreamToken.isValid(token, for: subject, secret: secrets.tokenSecret)
    }

    /// Serves a WebSocket until it ends, or until the key that opened it is replaced.
    func whileAllowed(
        _ request: HTTPRequest, _ socket: WebSocket, _ serve: () async throws -> Void
    ) async throws {
        guard !requiresNoKey else { return try await serve() }
        let id = secrets.add(socket)
        defer { secrets.remove(id) }
        // The key may have been replaced since the handshake.
        guard isAllowed(request) else { return CurrentSecrets.close(socket) }
        try await serve()
    }

    /// The resource that a token may grant access to for this path; nil if none.
    private static func subject(of request: HTTPRequest) -> StreamToken.Subject? {
        func id(_ name: String, below prefixes: [String]) -> Int? {
            guard prefixes.contains(where: { request.path.hasPrefix($0) }) else { return nil }
            return request.parameters[name].flatMap { Int($0) }
        }
        return id("id", below: Routes.ofOneTrack).map { .track($0) }
            ?? id("album_id", below: [Routes.ofOneAlbum]).map { .album($0) }
            ?? id("playlist_id", below: [Routes.ofOnePlaylist]).map { .playlist($0) }
    }

    /// Returns the key in an `Authorization` field (RFC 6750, section 2.1). Only surrounding spaces are
    /// trimmed.
    private static func bearer(_ header: String) -> [UInt8]? {
        let space = UInt8(ascii: " ")
        let text = Array(header.utf8)
        guard text.count > scheme.count, text[scheme.count] == space,
            // Upper- and lower-case ASCII letters differ in one bit.
            zip(text, scheme).allSatisfy({ $0 | 0x20 == $1 })
        else { return nil }
        let key = text[(scheme.count + 1)...].drop { $0 == space }
        return Array(key.prefix(key.count - key.reversed().prefix { $0 == space }.count))
    }

    private static let scheme = Array("bearer".utf8)
}
