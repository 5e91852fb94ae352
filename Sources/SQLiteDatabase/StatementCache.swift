/// Idle prepared statements by their text. A statement that is running is not in here, so that a query
/// inside another query of the same text gets a statement of its own.
struct StatementCache {
    private static let capacity = 64
    private var idle: [String: Statement] = [:]
    /// Texts in the order of their last return, the oldest first.
    private var order: [String] = []

    mutating func take(_ sql: String) -> Statement? {
        guard let statement = idle.removeValue(forKey: sql) else { return nil }
        if let position = order.lastIndex(of: sql) { order.remove(at: position) }
        return statement
    }

    mutating func put(_ statement: Statement) {
        guard idle[statement.sql] == nil else { return }
        idle[statement.sql] = statement
        order.append(statement.sql)
        if order.count > Self.capacity {
            idle[order.removeFirst()] = nil
        }
    }

    mutating func removeAll() {
        idle.removeAll()
        order.removeAll()
    }
}
