/// Lets few requests with large content be read at a time, so that what they take of memory is bounded however many come.
actor LargeContents {
    /// Content up to so many bytes is none of its business.
    static let threshold = 1 << 20

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter count: how many may be read at a time.
    init(atATime count: Int) { free = count }

    /// Runs `body` when it is this request's turn.
    /// - Parameter announced: the length of the content, where the client tells it.
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
