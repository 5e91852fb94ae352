internal import APIDescription
internal import Foundation
package import HTTPServer
internal import MusicShared
package import Secrets

/// Admits requests that carry the API key, an app password, or a token for the requested track, album, playlist or radio station, and tells
/// the routes which account sent them.
package struct AccessMiddleware: HTTPMiddleware {
    package let secrets: CurrentSecrets
    package let accounts: Accounts
    package let limiter: FailureLimiter
    /// Whether requests without a key are admitted, as those of the API key's account.
    package let requiresNoKey: Bool
    /// Also admits a request for `/metrics`; nil if only the API key does.
    package var metricsToken: SecretBytes?
    private let sockets: OpenSockets

    package init(
        secrets: CurrentSecrets, accounts: Accounts, limiter: FailureLimiter, requiresNoKey: Bool,
        metricsToken: SecretBytes? = nil
    ) {
        self.secrets = secrets
        self.accounts = accounts
        self.limiter = limiter
        self.requiresNoKey = requiresNoKey
        self.metricsToken = metricsToken
        sockets = OpenSockets(secrets, accounts)
    }

    package func prepare(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        // A valid key is accepted even from a blocked address: keys and app passwords cannot be guessed, so the limit
        // only saves the work of checking guesses.
        if let caller = caller(of: request) {
            request.principal = caller
            return nil
        }
        let address = request.remoteAddress?.host ?? ""
        let now = ProcessInfo.processInfo.systemUptime
        guard !limiter.isBlocked(address, now: now) else {
            throw APIError.tooManyFailures(
                "Too many attempts with an invalid key from this address; try again in a minute.",
                fields: [.retryAfter: "\(Int(FailureLimiter.windowSeconds))"])
        }
        // A request without a key comes from a client that has none yet, not from one that guesses.
        let isGuess =
            request.fields[.authorization] != nil || request.query["token"] != nil
            || WebSocketKey.offered(by: request) != nil
        if isGuess { limiter.failed(address, now: now) }
        let challenge: HTTPFields = [.wwwAuthenticate: "Bearer"]
        guard !isGuess else { throw APIError.wrongKey(fields: challenge) }
        throw APIError.missingKey(
            "Send the API key or an app password as \"Authorization: Bearer …\". `stream-host key show` "
                + "prints the key; `POST /auth/sign-in` exchanges an account's password for an app password.",
            fields: challenge)
    }

    /// Whether a request is authorised.
    package func isAllowed(_ request: HTTPRequest) -> Bool { caller(of: request) != nil }

    /// The account that a request acts as: that of its key, app password or token; nil where it has no valid one.
    package func caller(of request: HTTPRequest) -> Caller? {
        let owner = Caller(accountID: Account.mainID, role: .owner)
        if requiresNoKey { return owner }
        let secrets = secrets.value
        if let header = request.fields[.authorization], let key = Self.bearer(header) {
            if secrets.keyText.matches(key) { return owner }
            if request.path == Routes.metrics, metricsToken?.matches(key) == true { return owner }
            return caller(withAppPassword: key)
        }
        if let key = WebSocketKey.offered(by: request) {
            return secrets.keyText.matches(key) ? owner : caller(withAppPassword: key)
        }
        guard request.method == .get || request.method == .head, let token = request.query["token"],
            let subject = Self.subject(of: request),
            StreamToken.isValid(token, for: subject, secret: secrets.tokenSecret)
        else { return nil }
        guard let id = StreamToken.credential(ofValid: token) else {
            return Caller(accountID: Account.mainID, role: .listener)
        }
        return accounts.signIn(tokenID: id).map { account, password in
            Caller(accountID: account.id, role: .listener, appPassword: password)
        }
    }

    private func caller(withAppPassword password: [UInt8]) -> Caller? {
        accounts.signIn(with: .apiKey(password)).map { account, password in
            Caller(accountID: account.id, role: account.role, appPassword: password)
        }
    }

    /// Serves a WebSocket until it ends, or until the key or app password that opened it is no longer valid.
    package func whileAllowed(
        _ request: HTTPRequest, _ socket: WebSocket, _ serve: (Caller) async throws -> Void
    ) async throws {
        let isAllowed: @Sendable () -> Bool = { caller(of: request) != nil }
        try await sockets.whileAllowed(socket, isAllowed) {
            if let caller = caller(of: request) { try await serve(caller) }
        }
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
            ?? id("station_id", below: [Routes.ofOneStation]).map { .station($0) }
    }

    /// Returns the key in an `Authorization` field (RFC 6750, section 2.1). Only surrounding spaces are
    /// trimmed.
    private static func bearer(_ header: String) -> [UInt8]? {
        let space = UInt8(ascii: " ")
        let bytes = header.utf8Span.span
        guard bytes.count > scheme.count, bytes[scheme.count] == space else { return nil }
        // Upper- and lower-case ASCII letters differ in one bit.
        for index in scheme.indices where bytes[index] | 0x20 != scheme[index] { return nil }
        var (start, end) = (scheme.count, bytes.count)
        while start < end, bytes[start] == space { start += 1 }
        while start < end, bytes[end - 1] == space { end -= 1 }
        return bytes.extracting(start..<end).withUnsafeBufferPointer { Array($0) }
    }

    private static let scheme = Array("bearer".utf8)
}
