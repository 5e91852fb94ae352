internal import APIDescription
internal import Foundation
package import HTTPServer
internal import MusicShared

/// The passwords of an account's OpenSubsonic apps, and what an app needs to sign in.
package struct AppPasswordRoutes: DescribedRoutes {
    /// The longest address that is drawn, in bytes: its code stays readable on a phone's screen.
    static let addressLimit = 500

    private struct NewPassword: JSONContent {
        static let keys = ["name"]
        var name: String
    }

    let accounts: Accounts
    let addresses: HostAddresses

    /// Memberwise initializer.
    package init(accounts: Accounts, addresses: HostAddresses) {
        self.accounts = accounts
        self.addresses = addresses
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.appPasswords) { request in
            let account = try accounts.account(of: request).name
            let items = try accounts.appPasswords.list().filter { $0.account == account }.map {
                AppPasswordItem(
                    id: $0.id, name: $0.name, createdAt: $0.createdAt, lastUsedAt: $0.lastUsedAt)
            }
            return try .unstored(
                AppPasswordList(user: account, addresses: addresses.all, items: items))
        }
        routes.post(Routes.appPasswords) { request in
            let name = try await request.json(NewPassword.self).name
            return try add(name, try accounts.account(of: request).name)
        }
        routes.delete(Routes.appPassword) { request in
            let id: String = try request.parameters.require("password_id")
            guard try accounts.appPasswords.remove(account: try accounts.account(of: request).name, id: id)
            else {
                throw APIError.noSuchAppPassword(
                    "There is no app password with this ID; it may have been revoked already.",
                    field: "password_id")
            }
            return HTTPResponse(.noContent)
        }
        routes.get(Routes.qrCode) { try Self.drawing($0.value(Self.url)) }
    }

    private func add(_ name: String, _ account: String) throws -> HTTPResponse {
        let password: String
        do {
            password = try accounts.appPasswords.add(account: account, name: name)
        } catch {
            throw Self.failure(error)
        }
        let entry = try accounts.appPasswords.list().first { $0.account == account && $0.name == name }
        return try .unstored(
            NewAppPassword(id: entry?.id ?? "", name: name, user: account, password: password),
            status: .created)
    }

    private static func failure(_ error: HostError) -> any Error {
        switch error.code {
        case .badName:
            APIError.invalidField(
                "The app's name must have 1 to 100 characters and no control characters.", field: "name")
        case .nameTaken:
            APIError.nameTaken(
                "There is an app password with this name already; revoke it or choose another name.",
                field: "name")
        default: error
        }
    }

    private static func drawing(_ text: String) throws -> HTTPResponse {
        let url = URL(string: text)
        guard ["http", "https"].contains(url?.scheme?.lowercased() ?? ""), url?.host()?.isEmpty == false,
            url?.user() == nil, text.utf8.count <= addressLimit, let code = QRCode(text)
        else {
            throw APIError.invalidParameter(
                "url must be an http or https address without a user, of up to \(addressLimit) bytes.",
                field: "url")
        }
        return HTTPResponse(
            fields: [
                .contentType: "image/svg+xml", .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
            ],
            body: .bytes(Array(code.svg.utf8)))
    }
}

extension HTTPResponse {
    /// Returns a JSON response that no cache stores: it holds secrets, or what changes with each request.
    package static func unstored(_ value: some Encodable, status: HTTPStatus = .ok) throws -> HTTPResponse {
        var response = try HTTPResponse.json(value, status: status)
        response.fields[.cacheControl] = "no-store"
        return response
    }
}
