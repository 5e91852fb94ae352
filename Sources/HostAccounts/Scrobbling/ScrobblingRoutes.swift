internal import APIDescription
internal import Foundation
package import HTTPServer
internal import MusicShared
internal import Scrobbling

/// Connects an account to the services that its plays are forwarded to.
package struct ScrobblingRoutes: DescribedRoutes {
    /// The longest token, key or address, in characters.
    static let textLimit = 500

    private struct ListenBrainzAccess: JSONContent {
        static let keys = ["token", "address"]
        var token: String
        var address: String?
    }

    private struct LastFMAccess: JSONContent {
        static let keys = ["api_key", "shared_secret", "address", "authorization_page"]
        var key: String
        var secret: String
        var address: String?
        var page: String?

        private enum CodingKeys: String, CodingKey {
            case key = "api_key"
            case secret = "shared_secret"
            case address
            case page = "authorization_page"
        }
    }

    let forwarder: PlayForwarder

    /// Memberwise initializer.
    package init(forwarder: PlayForwarder) {
        self.forwarder = forwarder
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.scrobbling) { try .unstored(try forwarder.state(of: $0.caller.accountID)) }
        routes.put(Routes.listenBrainz) { request in
            let access = try await request.json(ListenBrainzAccess.self)
            let token = try Self.secret(access.token, "token")
            let address = try Self.address(access.address ?? ListenBrainz.standardAddress, "address")
            let accountID = try request.caller.accountID
            try await Self.reporting(field: "token") {
                try await forwarder.connectListenBrainz(
                    accountID: accountID, address: Self.withoutSlash(address), token: token)
            }
            return try .unstored(try forwarder.state(of: accountID).listenbrainz)
        }
        routes.delete(Routes.listenBrainz) { request in
            try forwarder.disconnect(accountID: try request.caller.accountID, .listenBrainz)
            return HTTPResponse(.noContent)
        }
        routes.put(Routes.lastFM) { try await beginLastFM($0) }
        routes.post(Routes.lastFMSession) { request in
            let accountID = try request.caller.accountID
            let isKnown = try await Self.reporting(field: nil) {
                try await forwarder.completeLastFM(accountID: accountID)
            }
            guard isKnown else {
                throw APIError.notAuthorizing(
                    "No access to Last.fm has been requested; send API key and shared secret first.")
            }
            return try .unstored(try forwarder.state(of: accountID).lastfm)
        }
        routes.delete(Routes.lastFM) { request in
            try forwarder.disconnect(accountID: try request.caller.accountID, .lastFM)
            return HTTPResponse(.noContent)
        }
    }

    private func beginLastFM(_ request: HTTPRequest) async throws -> HTTPResponse {
        let access = try await request.json(LastFMAccess.self)
        let application = LastFM.Application(
            key: try Self.secret(access.key, "api_key"),
            secret: try Self.secret(access.secret, "shared_secret"))
        let address = try Self.address(access.address ?? LastFM.standardAddress, "address")
        let page = try Self.address(access.page ?? LastFM.standardPage, "authorization_page")
        let accountID = try request.caller.accountID
        try await Self.reporting(field: "api_key") {
            try await forwarder.beginLastFM(
                accountID: accountID, address: address, page: page, application: application)
        }
        return try .unstored(try forwarder.state(of: accountID).lastfm)
    }

    /// Turns errors of a service into responses.
    private static func reporting<Value>(
        field: String?, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as ScrobbleError {
            switch error.code {
            case .refused:
                throw APIError.accessRefused("\(error.description).", field: field)
            case .notAuthorized:
                throw APIError.notAuthorized("\(error.description); open the authorization_url and allow it.")
            case .unavailable:
                throw APIError.serviceFailed("\(error.description).", field: nil)
            }
        }
    }

    /// Checks a token or key: it becomes part of a header field.
    private static func secret(_ text: String, _ field: String) throws(HTTPError) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty, trimmed.utf8.count <= textLimit,
            trimmed.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw APIError.invalidField(
                "\(field) must have 1 to \(textLimit) ASCII characters without spaces.", field: field)
        }
        return trimmed
    }

    /// Checks the address of a service.
    private static func address(_ text: String, _ field: String) throws(HTTPError) -> String {
        let url = URL(string: text)
        guard ["http", "https"].contains(url?.scheme?.lowercased() ?? ""), url?.host()?.isEmpty == false,
            url?.user() == nil, url?.query() == nil, url?.fragment() == nil, text.utf8.count <= textLimit
        else {
            throw APIError.invalidField(
                "\(field) must be an http or https address without user, query and fragment.", field: field)
        }
        return text
    }

    private static func withoutSlash(_ address: String) -> String {
        address.hasSuffix("/") ? String(address.dropLast()) : address
    }
}
