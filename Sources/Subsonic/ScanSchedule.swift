/// Decides when a server is asked for a scan: once for many changes, never during a scan, again after a scan that may have
/// missed changes, and a limited number of times after failures. Works on given times; has no clock and no network.
struct ScanSchedule {
    enum Step: Equatable {
        /// Ask for the server's state, and for a scan if none is running.
        case start
        /// Ask whether the scan has ended.
        case look
        /// Do nothing until this time or the next change.
        case wait(until: Double)
        /// Do nothing until the next change.
        case rest
    }

    private enum Phase {
        case idle
        /// Collecting changes, the first of which came at `since`.
        case gathering(since: Double, until: Double)
        case starting(attempt: Int, at: Double)
        case scanning(since: Double, look: Double, failures: Int)
    }

    /// Seconds until the next attempt, after the first failure, the second and so on. After the last, the next change starts over.
    static let retrySeconds = [5.0, 20, 60, 180]
    /// The longest delay in seconds while changes keep coming.
    private static let longestGathering = 60.0
    /// Seconds between two checks of a running scan.
    private static let lookSeconds = 2.0
    /// Seconds after which a scan that seems to run on is no longer waited for.
    private static let longestScan = 6 * 3600.0
    private static let lookFailures = 5

    let delaySeconds: Double
    private var phase = Phase.idle
    /// Whether something has changed since the scan was requested: another one must follow.
    private var isFollowed = false
    /// Whether a request is running.
    private var isAsking = false

    init(delaySeconds: Double) { self.delaySeconds = delaySeconds }

    /// Records a change.
    /// - Parameter atOnce: skips the wait for further changes, as for a user's request.
    mutating func changed(at now: Double, atOnce: Bool = false) {
        let delay = atOnce ? 0 : delaySeconds
        switch phase {
        case .idle: phase = .gathering(since: now, until: now + delay)
        case .gathering(let since, _):
            let latest = since + max(Self.longestGathering, delaySeconds)
            phase = .gathering(since: since, until: min(latest, now + delay))
        case .starting(let attempt, _):
            if isAsking { isFollowed = true } else if atOnce { phase = .starting(attempt: attempt, at: now) }
        case .scanning: isFollowed = true
        }
    }

    /// Returns the next step.
    mutating func next(at now: Double) -> Step {
        switch phase {
        case .idle: return .rest
        case .gathering(_, let until):
            if now < until { return .wait(until: until) }
            phase = .starting(attempt: 0, at: now)
            isAsking = true
            return .start
        case .starting(_, let time):
            if now < time { return .wait(until: time) }
            isAsking = true
            return .start
        case .scanning(_, let time, _): return now < time ? .wait(until: time) : .look
        }
    }

    /// Records that the server is scanning.
    /// - Parameter wasRunning: whether the scan began before the request and may already have passed the changes.
    mutating func started(at now: Double, wasRunning: Bool) {
        isAsking = false
        if wasRunning { isFollowed = true }
        phase = .scanning(since: now, look: now + Self.lookSeconds, failures: 0)
    }

    /// Records that the server could not be asked for a scan.
    /// - Returns: the time of the next attempt; nil to wait for the next change.
    mutating func failed(at now: Double, isPassing: Bool) -> Double? {
        isAsking = false
        isFollowed = false
        guard case .starting(let attempt, _) = phase, isPassing, attempt < Self.retrySeconds.count else {
            phase = .idle
            return nil
        }
        let time = now + Self.retrySeconds[attempt]
        phase = .starting(attempt: attempt + 1, at: time)
        return time
    }

    /// Records the state of the scan; nil if the server did not report it.
    /// - Returns: whether the scan has ended or is no longer waited for.
    mutating func looked(at now: Double, isScanning: Bool?) -> Bool {
        guard case .scanning(let since, _, let failures) = phase else { return true }
        let count = isScanning == nil ? failures + 1 : 0
        if isScanning != false, count < Self.lookFailures, now - since < Self.longestScan {
            phase = .scanning(since: since, look: now + Self.lookSeconds, failures: count)
            return false
        }
        phase = isFollowed ? .gathering(since: now, until: now + delaySeconds) : .idle
        isFollowed = false
        return true
    }

    /// The current state as one word.
    var state: String {
        switch phase {
        case .idle: "idle"
        case .gathering, .starting: "waiting"
        case .scanning: "scanning"
        }
    }
}
