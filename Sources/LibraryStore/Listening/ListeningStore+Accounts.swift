package import Foundation
package import MusicShared
internal import SQLiteDatabase
internal import Synchronization

extension StoreError.Code {
    /// Another account has this name.
    package static let accountNameTaken = StoreError.Code(rawValue: "account_name_taken")
    /// An email address that no account can have.
    package static let badEmail = StoreError.Code(rawValue: "bad_email")
    /// A name that no account can have.
    package static let badAccount = StoreError.Code(rawValue: "bad_account")
    /// The account of the API key stays, as an owner.
    package static let mainAccount = StoreError.Code(rawValue: "main_account")
    /// There is no such account.
    package static let noSuchAccount = StoreError.Code(rawValue: "no_such_account")
}

extension ListeningStore {
    /// All accounts in the order in which they were created.
    package var accounts: [Account] { get throws { try directory.accounts } }

    /// Returns an account; nil if it does not exist.
    package func account(withID id: Int) throws -> Account? { try accounts.first { $0.id == id } }

    /// Returns an account by its name, without regard to case; nil if it does not exist.
    package func account(named name: String) throws -> Account? {
        let key = Self.key(name)
        return try accounts.first { Self.key($0.name) == key }
    }

    /// Creates an account.
    /// - Throws: `badAccount`, `badEmail`, `accountNameTaken`.
    package func addAccount(
        name: String, role: AccountRole, email: String? = nil, now: Date = Date()
    ) throws -> Account {
        try Self.check(name: name, email: email)
        return try write { database in
            try Self.requireFree(name, for: nil, database)
            try database.execute(
                "INSERT INTO accounts (name, name_key, role, email, created_at_ms) VALUES (?, ?, ?, ?, ?)",
                [name, Self.key(name), role.rawValue, email, now.storedMilliseconds])
            return try Self.require(Int(database.lastInsertRowID), database)
        }
    }

    /// Gives the account of the API key the name that the settings say.
    /// - Throws: `badAccount`, `accountNameTaken`.
    package func nameMainAccount(_ name: String) throws {
        guard try account(withID: Account.mainID)?.name != name else { return }
        try Self.check(name: name, email: nil)
        try write { database in
            try Self.requireFree(name, for: Account.mainID, database)
            try database.execute(
                "UPDATE accounts SET name = ?, name_key = ? WHERE id = ?",
                [name, Self.key(name), Account.mainID])
        }
    }

    /// Changes an account's rights or address; nil keeps what is.
    /// - Parameter email: `.some(nil)` removes the address.
    /// - Throws: `noSuchAccount`, `badEmail`, `mainAccount`.
    package func changeAccount(
        id: Int, role: AccountRole? = nil, email: String?? = nil
    ) throws -> Account {
        if case .some(.some(let text)) = email { try Self.check(name: nil, email: text) }
        guard id != Account.mainID || role ?? .owner == .owner else {
            throw StoreError(
                .mainAccount, "the account of the host's API key stays an owner; make another account one")
        }
        return try write { database in
            _ = try Self.require(id, database)
            if let role {
                try database.execute("UPDATE accounts SET role = ? WHERE id = ?", [role.rawValue, id])
            }
            if let email {
                try database.execute("UPDATE accounts SET email = ? WHERE id = ?", [email, id])
            }
            return try Self.require(id, database)
        }
    }

    /// Deletes an account with its stars, ratings, plays, queue and bookmarks.
    /// - Throws: `noSuchAccount`, `mainAccount`.
    package func removeAccount(id: Int) throws {
        guard id != Account.mainID else {
            throw StoreError(.mainAccount, "the account of the host's API key cannot be deleted")
        }
        try write { database in
            _ = try Self.require(id, database)
            try database.execute("DELETE FROM accounts WHERE id = ?", [id])
        }
        playing.withLock { $0[id] = nil }
    }

    private static func require(_ id: Int, _ database: Database) throws -> Account {
        guard let account = try AccountDirectory.read(database).first(where: { $0.id == id }) else {
            throw StoreError(.noSuchAccount, "there is no account \(id)")
        }
        return account
    }

    private static func requireFree(_ name: String, for id: Int?, _ database: Database) throws {
        let holder: Int? = try database.scalar("SELECT id FROM accounts WHERE name_key = ?", [key(name)])
        guard holder == nil || holder == id else {
            throw StoreError(.accountNameTaken, "there is already an account named '\(name)'")
        }
    }

    /// Names with the same key are the same: case and the composition of accents do not matter.
    private static func key(_ name: String) -> String {
        name.lowercased().precomposedStringWithCanonicalMapping
    }

    private static func check(name: String?, email: String?) throws {
        func isPrintable(_ text: String) -> Bool {
            text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        if let name {
            let trimmed = name.trimmingCharacters(in: .whitespaces)
            guard (1...AccountLimits.nameLength).contains(name.count), trimmed == name, isPrintable(name)
            else {
                throw StoreError(
                    .badAccount,
                    "an account's name has 1 to \(AccountLimits.nameLength) characters, no control "
                        + "characters and no space at its ends")
            }
        }
        if let email {
            guard (1...AccountLimits.emailLength).contains(email.count), isPrintable(email) else {
                throw StoreError(
                    .badEmail,
                    "an email address has 1 to \(AccountLimits.emailLength) characters and no control "
                        + "characters")
            }
        }
    }
}
