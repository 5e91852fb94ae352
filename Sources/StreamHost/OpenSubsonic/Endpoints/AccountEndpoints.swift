internal import Companion
internal import Foundation
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic
internal import Threads

/// The host's accounts.
///
/// Passwords set here are the accounts' own, for signing in to the host; at `/rest` only app passwords work.
struct AccountEndpoints: SubsonicEndpoints {
    let accounts: Accounts
    let jukebox: JukeboxAccess

    var handlers: [String: Handler] {
        [
            "getUser": { try user($0) },
            "getUsers": { _ in
                .element("users", SubsonicObject(list: "user", try accounts.all.map(user)))
            },
            "createUser": { try await create($0.request) },
            "updateUser": { try await update($0.request) },
            "deleteUser": { call in
                let account = try named(call.request)
                try await aside { try accounts.remove(id: account.id) }
                return .empty
            },
            "changePassword": { try await changePassword($0) },
        ]
    }

    private func user(_ account: Account) -> User {
        User(
            username: account.name, email: account.email, isEditor: account.role >= .editor,
            isOwner: account.role == .owner, controlsJukebox: jukebox.isAllowed(account.role))
    }

    private func user(_ call: SubsonicCall) throws -> SubsonicAnswer {
        let name = try call.request.require("username")
        if name == call.account.name { return .element("user", user(call.account)) }
        // One error for both, so that other accounts cannot be found out.
        guard call.account.role == .owner, let account = try accounts.listening.account(named: name) else {
            throw SubsonicError(
                .notAuthorized, "There is no such account, or it cannot be read: only owners read others.")
        }
        return .element("user", user(account))
    }

    /// The account that a request names.
    private func named(_ request: SubsonicRequest) throws -> Account {
        try accounts.account(named: try request.require("username"))
    }

    private func create(_ request: SubsonicRequest) async throws -> SubsonicAnswer {
        let name = try request.require("username")
        let password = SubsonicAccess.plain(try request.require("password"))
        let email = try Self.email(request)
        let role = Self.role(request, now: .listener)
        try await aside {
            _ = try accounts.add(name: name, role: role, email: email ?? nil, password: password)
        }
        return .empty
    }

    private func update(_ request: SubsonicRequest) async throws -> SubsonicAnswer {
        let account = try named(request)
        let password = request.text("password").flatMap { $0.isEmpty ? nil : SubsonicAccess.plain($0) }
        let email = try Self.email(request)
        let role = Self.role(request, now: account.role)
        try await aside {
            _ = try accounts.change(id: account.id, role: role, email: email, password: password)
        }
        return .empty
    }

    private func changePassword(_ call: SubsonicCall) async throws -> SubsonicAnswer {
        let account = try named(call.request)
        guard call.account.role == .owner || account.id == call.account.id else {
            throw SubsonicError(.notAuthorized, "Only owners change the passwords of other accounts.")
        }
        let password = SubsonicAccess.plain(try call.request.require("password"))
        try await aside { _ = try accounts.change(id: account.id, password: password) }
        return .empty
    }

    /// The email address that a request sets; `.some(nil)` for an empty one.
    private static func email(_ request: SubsonicRequest) throws -> String?? {
        request.text("email").map { $0.isEmpty ? .some(nil) : .some($0) } ?? .none
    }

    /// The role of the protocol's rights. Rights that a request does not name stay as they are.
    private static func role(_ request: SubsonicRequest, now: AccountRole) -> AccountRole {
        if request.flag("adminRole") ?? (now == .owner) { return .owner }
        let names = ["uploadRole", "coverArtRole", "commentRole"]
        let flags = names.compactMap { request.flag($0) }
        let isEditor = flags.isEmpty ? now >= .editor : flags.contains(true)
        return isEditor ? .editor : .listener
    }

    /// Runs work that may hash a password on a thread of its own.
    private func aside(_ body: @escaping @Sendable () throws -> Void) async throws {
        do {
            try await DedicatedThread.run("password hash") { try body() }
        } catch let error as HostError where error.code == .badPassword {
            throw SubsonicError(.generic, "Invalid password: \(error.message).")
        }
    }
}
