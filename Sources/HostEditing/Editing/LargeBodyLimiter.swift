/// Limits how many requests with large bodies are read at the same time, and thereby the memory they use.
actor LargeBodyLimiter {
    /// Bodies up to this size in bytes are not limited.
    static let threshold = 1 << 20

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter count: Maximum number of concurrent large bodies.
    init(atATime count: Int) { free = count }

    /// Runs `body` once a slot is free.
    /// - Parameter announced: Content length; nil if the client does not send it.
    nonisolated func inTurn<Value: Sendable>(
        _ announced: Int?, _ body: () async throws -> Value
    ) async throws -> Value {
        if let announced, announced <= Self.threshold { return try await body() }
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
