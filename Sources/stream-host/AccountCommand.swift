import Companion
import CommandLineProgram
import Foundation
import HostAccounts
import LibraryStore
import MusicShared
import SharedListening
import StreamHost

/// `stream-host account list|add|role|password|remove`, and `account app-password add|list|remove`.
struct AccountCommand {
    private enum Action {
        case list
        case add(String)
        case role(String, AccountRole)
        case password(String)
        case remove(String)
        case addAppPassword(String)
        case listAppPasswords
        case removeAppPassword(String)
    }

    private static let usage =
        "list, add NAME, role NAME ROLE, password NAME, remove NAME, or app-password with add NAME, list or "
        + "remove NAME"

    private let action: Action
    /// The account whose app passwords the command changes.
    private let account: String
    private let data: String
    private let shared: PostgreSQLListening?
    private var role = AccountRole.listener
    private var email: String?
    private var hasPassword = true

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        var (role, email, hasPassword) = (AccountRole.listener, String?.none, true)
        let settings = try arguments.takeSettings(
            for: .host, only: ["config", "data", "account", "listening"], flags: ["--no-password"],
            valued: ["--role", "--email"]
        ) { name, value in
            switch name {
            case "--role": role = try OptionValue.oneOf(value, for: "--role")
            case "--email": email = value
            default: hasPassword = false
            }
        }
        let words = try arguments.operands(1...3, named: Self.usage)
        switch (words[0], words.dropFirst().first, words.dropFirst(2).first) {
        case ("list", nil, nil): action = .list
        case ("add", let name?, nil): action = .add(name)
        case ("role", let name?, let role?): action = .role(name, try OptionValue.oneOf(role, for: "role"))
        case ("password", let name?, nil): action = .password(name)
        case ("remove", let name?, nil): action = .remove(name)
        case ("app-password", "add", let name?): action = .addAppPassword(name)
        case ("app-password", "list", nil): action = .listAppPasswords
        case ("app-password", "remove", let name?): action = .removeAppPassword(name)
        default: throw UsageError(message: "account takes \(Self.usage)")
        }
        (self.role, self.email, self.hasPassword) = (role, email, hasPassword)
        account = settings[\.account]
        data = settings[\.data]
        shared = try PostgreSQLListening(settings)
    }

    func run() throws -> Int32 {
        let accounts = try Accounts(data: try DataFolder(path: data), shared: shared)
        switch action {
        case .list:
            for account in try accounts.all {
                Terminal.print(
                    "\(Terminal.harmless(account.name))\t\(account.role.rawValue)\t"
                        + "created \(Self.day(account.createdAt))")
            }
        case .add(let name):
            let password = hasPassword ? Self.readPassword(of: name) : nil
            _ = try accounts.add(name: name, role: role, email: email, password: password)
        case .role(let name, let role):
            _ = try accounts.change(id: try accounts.account(named: name).id, role: role)
        case .password(let name):
            let id = try accounts.account(named: name).id
            _ = try accounts.change(id: id, password: Self.readPassword(of: name))
        case .remove(let name):
            try accounts.remove(id: try accounts.account(named: name).id)
        case .addAppPassword(let name): try addAppPassword(name, accounts)
        case .listAppPasswords:
            for entry in try accounts.appPasswords.list() {
                let used = entry.lastUsedAt.map(Self.day) ?? "never"
                Terminal.print(
                    "\(Terminal.harmless(entry.account))\t\(Terminal.harmless(entry.name))\t"
                        + "created \(Self.day(entry.createdAt))\tlast used \(used)")
            }
        case .removeAppPassword(let name):
            try accounts.appPasswords.remove(account: try knownAccount(accounts), name: name)
        }
        return 0
    }

    private func addAppPassword(_ name: String, _ accounts: Accounts) throws {
        let account = try knownAccount(accounts)
        let password = try accounts.appPasswords.add(account: account, name: name)
        Terminal.print(password)
        Terminal.complain(
            "app password of '\(Terminal.harmless(name))' for the user '\(Terminal.harmless(account))'; "
                + "it is not shown again")
    }

    /// The name of the account of `--account` or the setting, as it is stored.
    private func knownAccount(_ accounts: Accounts) throws -> String {
        let all = try accounts.all
        // The only account gets the name in the settings when the host starts.
        guard all.count > 1 else { return account }
        return try accounts.account(named: account).name
    }

    private static func readPassword(of name: String) -> String {
        Terminal.readPassword("password of '\(Terminal.harmless(name))':")
    }

    /// The day of a time, as 2026-11-23 in UTC.
    private static func day(_ secondsSince1970: Double) -> String {
        Date(timeIntervalSince1970: secondsSince1970).formatted(.iso8601.year().month().day())
    }
}
