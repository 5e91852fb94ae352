/// When a server is asked for a scan: once for many changes, never while one runs, again after one that may have missed
/// something, and a bounded number of times where it fails. Knows times, but no clock and no network.
struct ScanSchedule {
    enum Step: Equatable {
        /// Ask how the server does, and for a scan if none runs.
        case start
        /// Ask whether the scan has ended.
        case look
        /// Do nothing until a time, or until something changes.
        case wait(until: Double)
        /// Do nothing until something changes.
        case rest
    }

    private enum Phase {
        case idle
        /// Changes come in, the first at `since`.
        case gathering(since: Double, until: Double)
        case starting(attempt: Int, at: Double)
        case scanning(since: Double, look: Double, failures: Int)
    }

    /// Seconds until the next attempt, after the first, the second and so on. Then the next change starts anew.
    static let retrySeconds = [5.0, 20, 60, 180]
    /// However often changes come, the server is told after so many seconds.
    private static let longestGathering = 60.0
    /// How often a scan is looked after, in seconds.
    private static let lookSeconds = 2.0
    /// A scan that seems to run for longer is not waited for, in seconds.
    private static let longestScan = 6 * 3600.0
    private static let lookFailures = 5

    let delaySeconds: Double
    private var phase = Phase.idle
    /// Something has changed since the scan was asked for: another has to follow.
    private var isFollowed = false
    /// A request is under way.
    private var isAsking = false

    init(delaySeconds: Double) { self.delaySeconds = delaySeconds }

    /// Something has changed.
    /// - Parameter atOnce: a person asks, and does not wait for further changes.
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

    /// What is to be done now.
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

    /// The server scans.
    /// - Parameter wasRunning: its scan began before it was asked, and may have passed by what has changed.
    mutating func started(at now: Double, wasRunning: Bool) {
        isAsking = false
        if wasRunning { isFollowed = true }
        phase = .scanning(since: now, look: now + Self.lookSeconds, failures: 0)
    }

    /// The server could not be asked for a scan.
    /// - Returns: when it is asked again; nil for not before the next change.
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

    /// What a look at the scan found: nil where the server did not say.
    /// - Returns: whether the scan has ended, or is waited for no more.
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

    /// One word for what is being done.
    var state: String {
        switch phase {
        case .idle: "idle"
        case .gathering, .starting: "waiting"
        case .scanning: "scanning"
        }
    }
}
