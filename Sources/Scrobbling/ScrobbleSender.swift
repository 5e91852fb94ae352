package import Foundation
internal import Synchronization

/// Sends the plays of one account to one service, in the order in which they were added.
///
/// A play leaves the queue after the service has confirmed it. So it is sent at least once: if the program ends between the
/// two, it is sent again, and the service recognises it by user, time and track.
package final class ScrobbleSender: Sendable {
    private struct State {
        var announced: Listen?
        var nextAttempt: Date?
        var isRefused = false
    }

    private let service: any ScrobbleService
    private let queue: ScrobbleQueue
    private let connection: ScrobbleQueue.Connection
    private let delays: RetryDelays
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Starts to send what waits.
    /// - Parameter report: receives a line for the log when sending begins to fail and when the access is refused.
    package init(
        _ service: any ScrobbleService, queue: ScrobbleQueue, connection: ScrobbleQueue.Connection,
        delays: RetryDelays = RetryDelays(), report: @escaping @Sendable (String) -> Void
    ) {
        self.service = service
        self.queue = queue
        self.connection = connection
        self.delays = delays
        self.report = report
        (wakeUps, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isRefused = (try? queue.record(of: connection).isRefused) ?? false
        state.withLock { $0.isRefused = isRefused }
        wakeUp.yield()
        let running = Task { [weak self, wakeUps] in
            for await _ in wakeUps {
                await self?.work()
                if self == nil { return }
            }
        }
        task.withLock { $0 = running }
    }

    deinit { stop() }

    /// Stops sending. A request that is running is cancelled.
    package func stop() {
        wakeUp.finish()
        task.withLock { $0 }?.cancel()
    }

    /// When the next attempt follows after a failure; nil if none is planned.
    package var nextAttempt: Date? { state.withLock(\.nextAttempt) }

    /// Adds plays, unless their tracks are too short for the service.
    package func add(_ listens: [Listen]) throws {
        let wanted = listens.filter { isLongEnough($0) }
        guard !wanted.isEmpty else { return }
        try queue.add(wanted, to: connection)
        wakeUp.yield()
    }

    /// Shows that a track is being played. This is not queued: while the service is not available, it is dropped.
    package func announce(_ listen: Listen) {
        guard isLongEnough(listen) else { return }
        let isWanted = state.withLock { state in
            guard !state.isRefused, state.nextAttempt == nil else { return false }
            state.announced = listen
            return true
        }
        if isWanted { wakeUp.yield() }
    }

    private func isLongEnough(_ listen: Listen) -> Bool {
        listen.durationSeconds.map { $0 > service.minimumSeconds } ?? true
    }

    // MARK: - Sending

    /// Sends until nothing waits, the access is refused or the task is cancelled.
    private func work() async {
        var failures = 0
        // Halved while a request is refused because of one of its plays, to find that one.
        var limit = service.batchLimit
        while !Task.isCancelled, !state.withLock(\.isRefused) {
            await sendAnnouncement()
            let entries: [ScrobbleQueue.Entry]
            do {
                entries = try queue.next(limit, of: connection)
            } catch {
                report("plays that wait for \(connection.service) cannot be read: \(error)")
                return
            }
            guard !entries.isEmpty, !state.withLock(\.isRefused) else { return }
            let outcome = await service.submit(entries.map(\.listen))
            // The answer of a request that was cancelled says nothing.
            if Task.isCancelled { return }
            var pause: Double?
            switch outcome {
            case .accepted(let rejected, let postponed, let seconds):
                failures = 0
                limit = service.batchLimit
                pause = seconds ?? (postponed.isEmpty ? nil : delays.postponed)
                settle(entries, rejected: Set(rejected), postponed: Set(postponed))
            case .malformed(let message):
                if entries.count > 1 {
                    limit = entries.count / 2
                } else {
                    report("\(message): \(entries[0].listen.title)")
                    settle(entries, rejected: [0], postponed: [])
                    limit = service.batchLimit
                }
            case .failed(let message, let seconds):
                failures += 1
                if failures == 1 { report(message) }
                note(message, isRefused: false)
                pause = seconds ?? delays.seconds(afterFailures: failures)
            case .refused(let message): refuse(message)
            }
            if let pause { await wait(pause) }
        }
    }

    private func sendAnnouncement() async {
        let announced = state.withLock { state in
            defer { state.announced = nil }
            return state.announced
        }
        guard let announced else { return }
        // Only a refusal concerns the plays, too.
        if case .refused(let message) = await service.announce(announced), !Task.isCancelled {
            refuse(message)
        }
    }

    private func settle(_ entries: [ScrobbleQueue.Entry], rejected: Set<Int>, postponed: Set<Int>) {
        let taken = entries.indices.filter { !rejected.contains($0) && !postponed.contains($0) }
        do {
            try queue.remove(
                sent: taken.map { entries[$0].id }, rejected: rejected.map { entries[$0].id }, of: connection)
            if !postponed.isEmpty {
                try queue.note(
                    "\(connection.service) takes no more plays today", isRefused: false, of: connection)
            }
        } catch {
            // They would be sent for ever: nothing more is sent until the host starts again.
            refuse("plays that were sent cannot be removed from the queue: \(error)", isStored: false)
        }
    }

    private func refuse(_ message: String, isStored: Bool = true) {
        state.withLock { $0.isRefused = true }
        report(message)
        if isStored { note(message, isRefused: true) }
    }

    private func note(_ message: String, isRefused: Bool) {
        do {
            try queue.note(message, isRefused: isRefused, of: connection)
        } catch {
            report("the state of \(connection.service) cannot be stored: \(error)")
        }
    }

    private func wait(_ seconds: Double) async {
        state.withLock { $0.nextAttempt = Date().addingTimeInterval(seconds) }
        try? await Task.sleep(for: .seconds(seconds))
        state.withLock { $0.nextAttempt = nil }
    }
}
