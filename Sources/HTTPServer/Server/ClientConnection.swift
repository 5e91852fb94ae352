internal import Glibc
internal import Synchronization

/// A connection as the server keeps it, from its acceptance to its end.
final class ClientConnection: Sendable {
    let address: RemoteAddress?
    let listener: Listener
    private let descriptor: Int32
    private let state: Mutex<State>

    private struct State: Sendable {
        var exchange: Exchange?
        var isClosed = false
        /// What a request on it had that was answered with what may be repeated.
        var header: RequestHeader?
        /// Since when the client has owed a request, and how long it may.
        var waitingSince: UInt64
        var patienceNanoseconds: UInt64
    }

    init(address: RemoteAddress?, descriptor: Int32, listener: Listener) {
        self.address = address
        self.descriptor = descriptor
        self.listener = listener
        state = Mutex(
            State(
                waitingSince: MonotonicClock.coarseNanoseconds(),
                patienceNanoseconds: UInt64(listener.configuration.headerTimeoutSeconds) * 1_000_000_000))
    }

    /// A request has begun.
    func begin(_ exchange: Exchange) { state.withLock { $0.exchange = exchange } }

    /// The header of the request is here: the clock stops.
    /// - Returns: the header of the last request that was answered with what may be repeated; nil for none
    func headerHasArrived() -> RequestHeader? {
        state.withLock { state in
            state.patienceNanoseconds = .max
            return state.header
        }
    }

    /// A request with a header was answered with what may be repeated.
    func remember(_ header: RequestHeader) { state.withLock { $0.header = header } }

    /// The request has ended; the next may follow.
    func end() {
        let now = MonotonicClock.coarseNanoseconds()
        let patience = UInt64(listener.configuration.keepAliveSeconds) * 1_000_000_000
        state.withLock {
            $0.exchange = nil
            $0.waitingSince = now
            $0.patienceNanoseconds = patience
        }
    }

    /// The connection has ended; its descriptor is about to be closed.
    func close() { state.withLock { $0.isClosed = true } }

    /// Cuts the connection where the client has owed a request for too long, or has closed its side while it owes one.
    func cutIfOverdue(at now: UInt64) {
        state.withLock { state in
            guard !state.isClosed, state.exchange == nil || state.patienceNanoseconds != .max else { return }
            let isOverdue =
                now > state.waitingSince && now - state.waitingSince > state.patienceNanoseconds
            // Under the lock the descriptor is still ours; the library sees the end and closes it.
            if isOverdue || (state.exchange == nil && peerHasClosed()) {
                shutdown(descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Whether the client has closed its side and nothing is left to be read. The library, which waits for edges, misses
    /// a close that arrives together with a request.
    private func peerHasClosed() -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Reads no more, which wakes the library's thread.
    func stopReading() {
        state.withLock { state in
            if !state.isClosed { shutdown(descriptor, Int32(SHUT_RD)) }
        }
    }

    /// Cuts the connection where no request is under way.
    func cutIfIdle() {
        state.withLock { state in
            if !state.isClosed, state.exchange == nil { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Gives up the request that is under way.
    func abort() { state.withLock { $0.exchange }?.abort() }
}
