/// Idle prepared statements by SQL text. Running statements are not in the cache, so a query inside another query with the same
/// text gets its own statement.
struct StatementCache {
    private static let capacity = 64
    private var idle: [Key: (statement: Statement, use: Int)] = [:]
    private var uses = 0

    mutating func take(_ sql: String) -> Statement? {
        idle.removeValue(forKey: Key(text: sql))?.statement
    }

    mutating func put(_ statement: Statement) {
        let key = Key(text: statement.sql)
        guard idle[key] == nil else { return }
        uses += 1
        idle[key] = (statement, uses)
        if idle.count > Self.capacity, let oldest = idle.min(by: { $0.value.use < $1.value.use }) {
            idle[oldest.key] = nil
        }
    }

    mutating func removeAll() { idle.removeAll() }

    /// A text hashed by its length and end only: the statement for a row with fifty columns has two thousand bytes, and hashing
    /// all of them twice took longer than binding its arguments.
    private struct Key: Hashable {
        let text: String

        func hash(into hasher: inout Hasher) {
            hasher.combine(text.utf8.count)
            for byte in text.utf8.suffix(8) { hasher.combine(byte) }
        }
    }
}
