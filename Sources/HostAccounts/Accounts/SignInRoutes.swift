internal import APIDescription
internal import Foundation
package import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import Synchronization

/// Exchanges an account's name and password for an app password, which the client keeps instead.
///
/// Wrong passwords are counted by address and account: guesses at one account do not keep others from signing in, nor the same
/// account from another address; and app passwords go on working.
package struct SignInRoutes: DescribedRoutes {
    /// Sign-ins that may wait at a time: each takes a thread, and a tenth of a second.
    static let waiting = 16

    /// Counts the sign-ins that wait.
    final class Queue: Sendable {
        fileprivate let count = Mutex(0)
    }

    let accounts: Accounts
    let limiter: FailureLimiter
    let queue = Queue()

    /// Memberwise initializer.
    package init(accounts: Accounts, limiter: FailureLimiter) {
        self.accounts = accounts
        self.limiter = limiter
    }

    package func add(to routes: some RouteCollection) {
        routes.post(Routes.signIn) { request in
            let signIn = try await request.json(SignInRequest.self)
            let isFree = queue.count.withLock { count in
                guard count < Self.waiting else { return false }
                count += 1
                return true
            }
            guard isFree else {
                throw APIError.busy("Too many sign-ins at a time; try again.", fields: [.retryAfter: "2"])
            }
            defer { queue.count.withLock { $0 -= 1 } }
            let key = Self.key(request, signIn.name)
            return try .json(try await answer(signIn, key), status: .created)
        }
    }

    /// The key that failures are counted by.
    static func key(_ request: HTTPRequest, _ name: String) -> String {
        let address = request.remoteAddress?.host ?? ""
        return "\(address) \(name.lowercased().prefix(AccountLimits.nameLength))"
    }

    private func answer(_ signIn: SignInRequest, _ key: String) async throws -> SignInResponse {
        let now = ProcessInfo.processInfo.systemUptime
        return try await AccountRoutes.aside {
            let account = try accounts.listening.account(named: signIn.name)
            let isRight = try accounts.check(
                signIn.password, of: account, limiter: limiter, key: key, now: now)
            guard isRight, let account else {
                throw APIError.wrongPassword(
                    "The name or the password is wrong.", fields: [.wwwAuthenticate: "Bearer"])
            }
            let credential = try accounts.appPasswords.add(
                account: account.name, name: signIn.client, isNumbered: true)
            return SignInResponse(credential: credential, account: account)
        }
    }
}

extension SignInRequest: JSONContent {
    static var keys: [String] { ["name", "password", "client"] }
}
