import Companion
import ConsoleProgram
import Foundation
import Settings
import StreamHost

/// `stream-host account app-password add|list|remove`.
struct AccountCommand {
    private enum Action {
        case add(String)
        case list
        case remove(String)
    }

    private static let usage = "app-password with add NAME, list or remove NAME"

    private let action: Action
    private let account: String
    private let data: String

    init(_ arguments: ArgumentList) throws {
        var arguments = arguments
        let settings = try arguments.takeSettings(for: .host, only: ["config", "data", "account"])
        let words = try arguments.operands(2...3, named: Self.usage)
        switch (words[0], words[1], words.dropFirst(2).first) {
        case ("app-password", "add", let name?): action = .add(name)
        case ("app-password", "list", nil): action = .list
        case ("app-password", "remove", let name?): action = .remove(name)
        default: throw UsageError(message: "account takes \(Self.usage)")
        }
        account = settings[\.account]
        data = settings[\.data]
    }

    func run() throws -> Int32 {
        let passwords = AppPasswords(dataFolder: try DataFolder(path: data).path)
        switch action {
        case .add(let name):
            let password = try passwords.add(account: account, name: name)
            Terminal.print(password)
            Terminal.complain(
                "app password of '\(Terminal.harmless(name))' for the user '\(Terminal.harmless(account))'; "
                    + "it is not shown again")
        case .list:
            for entry in try passwords.list() {
                let used = entry.lastUsedAt.map(Self.day) ?? "never"
                Terminal.print(
                    "\(Terminal.harmless(entry.account))\t\(Terminal.harmless(entry.name))\t"
                        + "created \(Self.day(entry.createdAt))\tlast used \(used)")
            }
        case .remove(let name):
            try passwords.remove(account: account, name: name)
        }
        return 0
    }

    /// The day of a time, as 2026-11-23 in UTC.
    private static func day(_ secondsSince1970: Double) -> String {
        Date(timeIntervalSince1970: secondsSince1970).formatted(.iso8601.year().month().day())
    }
}
