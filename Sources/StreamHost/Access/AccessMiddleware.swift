internal import Foundation
internal import HTTPServer
internal import MusicShared
internal import Secrets

/// Lets in who has the key, or a token for the track.
struct AccessMiddleware: HTTPMiddleware {
    let secrets: HostSecrets
    let limiter: FailureLimiter
    /// Everybody is let in.
    let trustsEverybody: Bool
    /// What opens the measurements besides the key.
    var metricsToken: SecretBytes?

    func respond(to request: HTTPRequest, next: HTTPResponder) async throws -> HTTPResponse {
        // Whoever has the key is let in whatever others at the same address do: 256 bits are not to be guessed, so the limit
        // is there to keep guessers from making work, not to keep them from success.
        if isAllowed(request) {
            var response = try await next(request)
            // A token runs out.
            if !trustsEverybody, request.fields[.authorization] == nil { response.repetition = nil }
            return response
        }
        let address = request.remoteAddress?.host ?? ""
        let now = ProcessInfo.processInfo.systemUptime
        guard !limiter.isBlocked(address, now: now) else {
            throw HTTPError(
                .tooManyRequests, code: "too_many_failures",
                message: "Too many wrong keys from this address. Wait a minute.",
                fields: [.retryAfter: "\(Int(FailureLimiter.windowSeconds))"])
        }
        // A request without any key is a client that does not know yet, not one that guesses.
        let isGuess =
            request.fields[.authorization] != nil || request.query["token"] != nil
            || WebSocketKey.offered(by: request) != nil
        if isGuess { limiter.failed(address, now: now) }
        throw HTTPError(
            .unauthorized, code: isGuess ? "wrong_key" : "missing_key",
            message: isGuess
                ? "The key or token is wrong or has run out."
                : "Send the API key as \"Authorization: Bearer …\". `stream-host key show` tells it.",
            fields: [.wwwAuthenticate: "Bearer"])
    }

    /// Whether a request may be answered: everybody is let in, or it carries the key or a token for its track.
    func isAllowed(_ request: HTTPRequest) -> Bool {
        if trustsEverybody { return true }
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

    /// What a request's path belongs to, if a token can be for it.
    private static func subject(of request: HTTPRequest) -> StreamToken.Subject? {
        func id(_ name: String, below prefixes: [String]) -> Int? {
            guard prefixes.contains(where: { request.path.hasPrefix($0) }) else { return nil }
            return request.parameters[name].flatMap { Int($0) }
        }
        return id("id", below: Routes.ofOneTrack).map { .track($0) }
            ?? id("album_id", below: [Routes.ofOneAlbum]).map { .album($0) }
            ?? id("playlist_id", below: [Routes.ofOnePlaylist]).map { .playlist($0) }
    }

    /// The key in a header field (RFC 6750, section 2.1), as it was written: there is one way only to write a key.
    private static func bearer(_ header: String) -> [UInt8]? {
        let space = UInt8(ascii: " ")
        let text = Array(header.utf8)
        guard text.count > scheme.count, text[scheme.count] == space,
            // ASCII letters differ from their capitals in one bit.
            zip(text, scheme).allSatisfy({ $0 | 0x20 == $1 })
        else { return nil }
        let key = text[(scheme.count + 1)...].drop { $0 == space }
        return Array(key.prefix(key.count - key.reversed().prefix { $0 == space }.count))
    }

    private static let scheme = Array("bearer".utf8)
}
