internal import Dispatch
public import Foundation
internal import Synchronization

/// Tells a Subsonic server of changes: many changes make one scan. Works on a thread of its own, which the first change
/// starts, and fails without consequence.
public final class LibraryRescan: Sendable {
    /// What has become of it, for a log or for clients.
    public enum Event: Sendable, Equatable {
        /// The server scans its folder.
        case started
        /// The scan has ended, or is waited for no more.
        case ended
        /// The server could not be asked. Says when it is asked again, in seconds from now; nil for not before the next
        /// change.
        case failed(String, retrySeconds: Double?)
    }

    /// How it stands.
    public struct Status: Sendable, Equatable {
        /// `idle`, `waiting` (to ask, or to ask again) or `scanning`.
        public internal(set) var state = "idle"
        /// Scans that the server was asked for and began.
        public internal(set) var scanCount = 0
        /// Attempts that failed.
        public internal(set) var failureCount = 0
        /// When the last scan began.
        public internal(set) var lastScan: Date?
        /// What went wrong the last time; nil once a scan has begun.
        public internal(set) var lastError: String?
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
    private let wakeUp = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - delaySeconds: how long no further change may come before the server is told.
    ///   - report: told what becomes of it.
    public init(_ server: SubsonicServer, delaySeconds: Double, report: @escaping @Sendable (Event) -> Void) {
        self.server = server
        state = Mutex(State(schedule: ScanSchedule(delaySeconds: delaySeconds), listeners: [report]))
    }

    /// Tells another of what becomes of it from now on.
    public func listen(_ listener: @escaping @Sendable (Event) -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    private func report(_ event: Event) {
        for listener in state.withLock({ $0.listeners }) { listener(event) }
    }

    /// How it stands now.
    public var status: Status {
        state.withLock { state in
            var status = state.status
            status.state = state.schedule.state
            return status
        }
    }

    /// Something in the music folder has changed. Returns at once.
    /// - Parameter atOnce: a person asks, and does not wait for further changes.
    public func request(atOnce: Bool = false) {
        let starts = state.withLock { state in
            state.schedule.changed(at: Self.now, atOnce: atOnce)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        if starts { Thread { [self] in work() }.start() }
        wakeUp.signal()
    }

    /// Asks no more. A request under way is not waited for.
    public func stop() {
        state.withLock { $0.isStopping = true }
        wakeUp.signal()
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    private func work() {
        while true {
            let step = state.withLock { state in
                state.isStopping ? nil : state.schedule.next(at: Self.now)
            }
            switch step {
            case .start: start()
            case .look: look()
            case .wait(let until): _ = wakeUp.wait(timeout: .now() + max(0.001, until - Self.now))
            case .rest: wakeUp.wait()
            case nil: return
            }
        }
    }

    private func start() {
        do {
            // A server that scans already ignores the request, and may be past what has changed.
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
