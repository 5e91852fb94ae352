package import Foundation
internal import Synchronization
internal import Threads

/// Asks a Subsonic server to scan after changes, once for many changes. Works on a thread of its own, which the first change
/// starts. Failures have no further consequence.
package final class LibraryRescan: Sendable {
    /// A change of state, for a log or for clients.
    package enum Event: Sendable, Equatable {
        /// The server is scanning its folder.
        case started
        /// The scan has ended, or is no longer waited for.
        case ended
        /// The request failed. Holds the seconds until the next attempt; nil if nothing happens before the next
        /// change.
        case failed(String, retrySeconds: Double?)
    }

    /// The current state.
    package struct Status: Sendable, Equatable {
        /// `idle`, `waiting` (for the next request) or `scanning`.
        package internal(set) var state = "idle"
        /// The number of scans that were requested and began.
        package internal(set) var scanCount = 0
        /// The number of failed attempts.
        package internal(set) var failureCount = 0
        /// When the last scan began.
        package internal(set) var lastScan: Date?
        /// The last error; nil once a scan has begun.
        package internal(set) var lastError: String?
    }

    private struct State {
        var schedule: ScanSchedule
        var status = Status()
        var hasThread = false
        var isStopping = false
        var listeners: [@Sendable (Event) -> Void] = []
    }

    private let server: SubsonicServer
    private let state: Mutex<State>
    /// Number of requests and stops so far.
    private let changes = Turnstile(0)

    /// - Parameters:
    ///   - delaySeconds: how long to wait for further changes before a scan is requested.
    ///   - report: receives each change of state.
    package init(_ server: SubsonicServer, delaySeconds: Double, report: @escaping @Sendable (Event) -> Void)
    {
        self.server = server
        state = Mutex(State(schedule: ScanSchedule(delaySeconds: delaySeconds), listeners: [report]))
    }

    /// Sets the receiver of changes of state.
    package func listen(_ listener: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    private func report(_ event: Event) {
        for listener in state.withLock({ $0.listeners }) { listener(event) }
    }

    /// Returns the current state.
    package var status: Status {
        state.withLock { state in
            var status = state.status
            status.state = state.schedule.state
            return status
        }
    }

    /// Records a change in the music folder. Returns at once.
    /// - Parameter atOnce: skips the wait for further changes, as for a user's request.
    package func request(atOnce: Bool = false) {
        let starts = state.withLock { state in
            state.schedule.changed(at: Self.now, atOnce: atOnce)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if starts { DedicatedThread.start("rescan") { [self] in work() } }
        changes.change { $0 += 1 }
    }

    /// Stops all requests. Does not wait for one that is running.
    package func stop() {
        state.withLock { $0.isStopping = true }
        changes.change { $0 += 1 }
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    private func work() {
        while true {
            let seen = changes.read { $0 }
            let step = state.withLock { state in
                state.isStopping ? nil : state.schedule.next(at: Self.now)
            }
            switch step {
            case .start: start()
            case .look: look()
            case .wait(let until): wait(since: seen, seconds: max(0.001, until - Self.now))
            case .rest: wait(since: seen, seconds: nil)
            case nil: return
            }
        }
    }

    private func wait(since seen: Int, seconds: Double?) {
        _ = changes.wait(upTo: seconds) { $0 == seen ? nil : () }
    }

    private func start() {
        do {
            // A server that is scanning ignores the request, and may already have passed the changes.
            let wasRunning = try server.scanStatus().isScanning
            if !wasRunning { _ = try server.startScan() }
            state.withLock { state in
                state.schedule.started(at: Self.now, wasRunning: wasRunning)
                state.status.lastError = nil
                if !wasRunning {
                    state.status.scanCount += 1
                    state.status.lastScan = Date()
                }
            }
            if !wasRunning { report(.started) }
        } catch {
            let retry = state.withLock { state in
                state.status.failureCount += 1
                state.status.lastError = error.description
                return state.schedule.failed(at: Self.now, isPassing: error.isPassing)
            }
            report(.failed(error.description, retrySeconds: retry.map { $0 - Self.now }))
        }
    }

    private func look() {
        let isScanning = try? server.scanStatus().isScanning
        if state.withLock({ $0.schedule.looked(at: Self.now, isScanning: isScanning) }) { report(.ended) }
    }
}
