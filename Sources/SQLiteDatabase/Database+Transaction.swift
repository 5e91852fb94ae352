/// When a transaction takes the lock.
public enum TransactionKind: String, Sendable {
    /// At once, for writing: no other connection can write until the end. The kind for any transaction
    /// that writes, since it fails at its beginning rather than half-way.
    case immediate = "IMMEDIATE"
    /// With the first statement: the kind for several reads that must agree with each other.
    case deferred = "DEFERRED"
}

extension Database {
    /// Runs a closure in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// Inside another transaction it is a savepoint, which ends with the outer one.
    /// - Throws: what the closure throws, or `busy` if another connection holds the lock for longer than
    ///   the busy timeout.
    public func transaction<Value>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> Value
    ) throws -> Value {
        let isNested = isInTransaction
        try execute(isNested ? "SAVEPOINT nested" : "BEGIN \(kind.rawValue)")
        do {
            let value = try body()
            try execute(isNested ? "RELEASE nested" : "COMMIT")
            return value
        } catch {
            // A full disk or a failed write has already rolled back, and then there is nothing to undo. The
            // first error is the one to report.
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
