/// Asks again and again, until something holds.
///
/// Ten minutes at most: that is against waiting in vain, not a measure of anybody's speed. Tests share few cores.
/// - Throws: ``WaitedInVain``, and what the question throws.
public func until(_ holds: () async throws -> Bool) async throws {
    _ = try await until { try await holds() ? true : nil }
}

/// Asks again and again, until there is an answer.
///
/// - Throws: As the other form.
public func until<Answer>(_ ask: () async throws -> Answer?) async throws -> Answer {
    let end = ContinuousClock.now + .seconds(600)
    while ContinuousClock.now < end {
        if let answer = try await ask() { return answer }
        try await Task.sleep(for: .milliseconds(50))
    }
    throw WaitedInVain()
}

/// What a test waited for did not come about.
public struct WaitedInVain: Error {}
