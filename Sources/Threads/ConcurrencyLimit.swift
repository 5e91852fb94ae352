/// Limits how many tasks do something at the same time. The others wait in order, without a thread.
package actor ConcurrencyLimit {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter count: the most tasks at the same time.
    package init(_ count: Int) { free = count }

    /// Runs a closure as soon as fewer tasks than the limit run theirs.
    package nonisolated func run<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
        await enter()
        do {
            let value = try await body()
            await leave()
            return value
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
