/// When a transaction acquires the lock.
package enum TransactionKind: String, Sendable {
    /// Immediately, for writing: no other connection can write until the end. Use it for any transaction that writes, since it
    /// fails at the start rather than half-way.
    case immediate = "IMMEDIATE"
    /// With the first statement. Use it for several reads that must be consistent.
    case deferred = "DEFERRED"
}

extension Database {
    /// Runs a closure in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// Inside another transaction it is a savepoint that ends with the outer transaction.
    /// - Throws: errors of the closure, or `busy` if another connection holds the lock for longer than the busy timeout.
    package func transaction<Value>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> Value
    ) throws -> Value {
        let isNested = isInTransaction
        try execute(isNested ? "SAVEPOINT nested" : "BEGIN \(kind.rawValue)")
        do {
            let value = try body()
            try execute(isNested ? "RELEASE nested" : "COMMIT")
            return value
        } catch {
            // A full disk or a failed write has already rolled back, so there is nothing to undo. Report the first error.
            if isInTransaction {
                if isNested {
                    try? execute("ROLLBACK TO nested")
                    try? execute("RELEASE nested")
                } else {
                    try? execute("ROLLBACK")
                }
            }
            throw error
        }
    }
}
