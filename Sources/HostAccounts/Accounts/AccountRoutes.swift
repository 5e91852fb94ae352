internal import APIDescription
internal import Foundation
package import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import Threads

/// Routes that list, create, change and delete accounts, for owners; and one's own password and sign-out.
package struct AccountRoutes: DescribedRoutes {
    let accounts: Accounts
    /// Counts wrong passwords.
    let limiter: FailureLimiter

    /// Memberwise initializer.
    package init(accounts: Accounts, limiter: FailureLimiter) {
        self.accounts = accounts
        self.limiter = limiter
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.accounts) { _ in try .json(AccountList(items: try accounts.all)) }
        routes.post(Routes.accounts) { request in
            let new = try await request.json(NewAccount.self)
            let account = try await Self.aside {
                try accounts.add(
                    name: new.name, role: new.role, email: new.email, password: new.password)
            }
            var response = try HTTPResponse.json(account, status: .created)
            response.fields[.location] = Routes.path(Routes.account, account.id)
            return response
        }
        routes.patch(Routes.account) { request in
            let id: Int = try request.parameters.require("account_id")
            let patch = try await request.json(AccountPatch.self)
            return try .json(
                try await Self.aside {
                    try accounts.change(
                        id: id, role: patch.role, email: patch.email, password: patch.password)
                })
        }
        routes.delete(Routes.account) { request in
            let id: Int = try request.parameters.require("account_id")
            try await Self.aside { try accounts.remove(id: id) }
            return HTTPResponse(.noContent)
        }
        routes.put(Routes.ownPassword) { request in
            try await changePassword(request)
            return HTTPResponse(.noContent)
        }
        routes.delete(Routes.signIn) { request in
            guard let password = try request.caller.appPassword else {
                throw APIError.noAppPassword(
                    "The request was made with the API key, which cannot be signed out.")
            }
            try accounts.appPasswords.remove(account: password.account, name: password.name)
            return HTTPResponse(.noContent)
        }
    }

    private func changePassword(_ request: HTTPRequest) async throws {
        let caller = try request.caller
        let change = try await request.json(PasswordChange.self)
        guard let account = try accounts.all.first(where: { $0.id == caller.accountID }) else {
            throw request.nothingThere
        }
        let key = SignInRoutes.key(request, account.name)
        let now = ProcessInfo.processInfo.systemUptime
        try await Self.aside {
            let isRight = try accounts.check(
                change.currentPassword, of: account, limiter: limiter, key: key, now: now)
            guard isRight else {
                throw APIError.wrongCurrentPassword(
                    "The current password is wrong.", field: "current_password")
            }
            _ = try accounts.change(id: account.id, password: change.password)
        }
    }

    /// Runs work on a thread of its own, since hashing a password takes a tenth of a second, and maps its errors.
    static func aside<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await DedicatedThread.run("password hash") { try body() }
        } catch let error as StoreError {
            throw Self.httpError(error) ?? error
        } catch let error as HostError where error.code == .badPassword || error.code == .badName {
            let field = error.code == .badPassword ? "password" : "client"
            throw APIError.invalidField(error.message, field: field)
        } catch Accounts.SignInError.limited {
            throw APIError.tooManyFailures(
                "Too many wrong passwords for this account from your address; try again in a minute.",
                fields: [.retryAfter: "\(Int(FailureLimiter.windowSeconds))"])
        }
    }

    private static func httpError(_ error: StoreError) -> HTTPError? {
        switch error.code {
        case .noSuchAccount: APIError.noSuchAccount(error.message, field: "account_id")
        case .accountNameTaken: APIError.accountNameTaken(error.message, field: "name")
        case .mainAccount: APIError.mainAccount(error.message, field: "account_id")
        case .badAccount: APIError.invalidField(error.message, field: "name")
        case .badEmail: APIError.invalidField(error.message, field: "email")
        default: nil
        }
    }
}

extension NewAccount: JSONContent {
    static var keys: [String] { ["name", "role", "email", "password"] }
}

extension AccountPatch: JSONContent {
    static var keys: [String] { ["role", "email", "password"] }
}

extension PasswordChange: JSONContent {
    static var keys: [String] { ["current_password", "password"] }
}
