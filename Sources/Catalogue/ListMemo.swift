internal import SQLiteDatabase
internal import Synchronization

/// Numbers of items and orders of lists that have to be sorted as a whole, kept by the state of the library they were read in.
///
/// Bounded: when it is full, the values of other states go first, then all.
final class ListMemo: Sendable {
    /// A query in a state of a library, as ``CatalogueReader`` names it.
    struct Key: Hashable, Sendable {
        /// Never reused, not even by another library.
        let state: String
        let sql: String
        let arguments: [DatabaseValue]

        init(state: String, sql: String, arguments: [(any DatabaseBindable)?]) {
            self.state = state
            self.sql = sql
            self.arguments = arguments.map { $0?.databaseValue ?? .null }
        }
    }

    private struct State {
        var values: [Key: [Int]] = [:]
        var size = 0
    }

    /// Of all libraries of the process.
    static let shared = ListMemo(capacity: 3_000_000)

    /// The most numbers in memory, of 8 bytes each.
    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = capacity }

    /// The known result of a query.
    subscript(key: Key) -> [Int]? {
        get { state.withLock { $0.values[key] } }
        set {
            guard let newValue, Self.cost(newValue) <= capacity else { return }
            state.withLock { state in
                if state.size + Self.cost(newValue) > capacity {
                    state.values = state.values.filter { $0.key.state == key.state }
                    state.size = state.values.values.reduce(0) { $0 + Self.cost($1) }
                }
                if state.size + Self.cost(newValue) > capacity { state = State() }
                state.size += Self.cost(newValue) - (state.values[key].map(Self.cost) ?? 0)
                state.values[key] = newValue
            }
        }
    }

    /// Numbers, with those that would take the memory of the key.
    private static func cost(_ numbers: [Int]) -> Int { numbers.count + 100 }
}
