internal import CAvahi
internal import Foundation
internal import Threads

/// Avahi's handle of a connection to the daemon.
typealias DaemonClient = OpaquePointer

/// Keeps a connection to the multicast DNS daemon on a thread of its own: waits until the daemon runs, and reconnects after it
/// has gone away.
///
/// @unchecked: everything that Avahi owns is used on that thread only; what other threads use is in the turnstile.
final class DaemonConnection: @unchecked Sendable {
    /// Seconds between two attempts: starts at the lower bound and doubles up to the upper one.
    private static let delays = 0.5...30.0

    private let task: any DaemonTask
    private struct State {
        var isEnding = false
        var hasEnded = false
        var poll: OpaquePointer?
        var ownThread: pthread_t?
    }

    private let state = Turnstile(State())
    // Used on the thread only.
    private var hasFailed = false
    private var hasComplained = false
    private var delay = DaemonConnection.delays.lowerBound

    /// Starts the thread. The caller must call ``end()`` or ``stop()``.
    init(task: any DaemonTask) {
        self.task = task
        DedicatedThread.start("discovery", stackBytes: 512 << 10) { [self] in
            state.change { $0.ownThread = pthread_self() }
            while !isOver { attempt() }
            state.change { $0.hasEnded = true }
        }
    }

    /// Withdraws everything soon, without waiting: for callers that may hold a lock that the task needs.
    func stop() {
        state.change { state in
            state.isEnding = true
            if let poll = state.poll { avahi_simple_poll_wakeup(poll) }
        }
    }

    /// Withdraws everything and waits until that is done, unless it is called on the connection's own thread.
    func end() {
        stop()
        state.wait { state in
            let isOwnThread = state.ownThread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
            return state.hasEnded || isOwnThread ? () : nil
        }
    }

    private var isOver: Bool { state.read { $0.isEnding } }

    private func attempt() {
        guard let poll = avahi_simple_poll_new() else { return rest() }
        set(poll)
        hasFailed = false
        var error: Int32 = 0
        // Not retained: the client is freed before this function, and with it the object's thread, ends.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let client = avahi_client_new(
            avahi_simple_poll_get(poll), cavahi_client_no_fail, clientHasChanged, context, &error)
        if client == nil { complain(error) }
        while client != nil, !hasFailed, !isOver {
            if avahi_simple_poll_iterate(poll, -1) != 0, errno != EINTR { break }
        }
        task.end()
        // The poll is freed with the client: it must not be woken from here on.
        set(nil)
        if let client { avahi_client_free(client) }
        avahi_simple_poll_free(poll)
        rest()
    }

    private func set(_ poll: OpaquePointer?) {
        state.change { $0.poll = poll }
    }

    /// Waits before the next attempt, unless asked to end.
    private func rest() {
        _ = state.wait(upTo: delay) { $0.isEnding ? () : nil }
        delay = min(delay * 2, Self.delays.upperBound)
    }

    private func complain(_ error: Int32) {
        guard !hasComplained else { return }
        hasComplained = true
        task.isUnavailable(avahi_strerror(error).map { String(cString: $0) } ?? "unknown error")
    }

    fileprivate func change(_ client: DaemonClient, _ state: AvahiClientState) {
        switch state {
        case AVAHI_CLIENT_S_RUNNING:
            hasComplained = false
            delay = Self.delays.lowerBound
            task.begin(client)
        case AVAHI_CLIENT_S_COLLISION, AVAHI_CLIENT_S_REGISTERING: task.pause()
        case AVAHI_CLIENT_CONNECTING: complain(Int32(AVAHI_ERR_NO_DAEMON))
        default:
            hasFailed = true
            complain(avahi_client_errno(client))
        }
    }
}

private func clientHasChanged(
    _ client: OpaquePointer?, _ state: AvahiClientState, _ context: UnsafeMutableRawPointer?
) {
    guard let client, let context else { return }
    Unmanaged<DaemonConnection>.fromOpaque(context).takeUnretainedValue().change(client, state)
}
