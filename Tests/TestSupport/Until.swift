/// Polls until a condition holds.
///
/// Times out after ten minutes, which only guards against waiting forever and is not a performance limit: tests share a few cores.
/// - Throws: ``WaitedInVain``, and errors of the closure.
public func until(_ holds: () async throws -> Bool) async throws {
    _ = try await until { try await holds() ? true : nil }
}

/// Polls until there is a result.
///
/// - Throws: like the other form.
public func until<Answer>(_ ask: () async throws -> Answer?) async throws -> Answer {
    let end = ContinuousClock.now + .seconds(600)
    while ContinuousClock.now < end {
        if let answer = try await ask() { return answer }
        try await Task.sleep(for: .milliseconds(50))
    }
    throw WaitedInVain()
}

/// A condition was not fulfilled in time.
public struct WaitedInVain: Error {}
