internal import CHeldSend
internal import Glibc
internal import Synchronization

/// A client connection, from acceptance to close.
final class ClientConnection: Sendable {
    let address: RemoteAddress?
    let listener: Listener
    /// The group under which its address is counted.
    let group: ClientGroup
    /// Whether it comes from a trusted proxy that forwards its clients' addresses.
    let isOfTrustedProxy: Bool
    private let descriptor: Int32
    private let state: Mutex<State>

    private struct State: Sendable {
        var exchange: Exchange?
        var isClosed = false
        /// Whether it was closed to make room for another connection, and no longer counts.
        var hasMadeRoom = false
        /// Since when the client has owed a request, and how long it may take.
        var waitingSince: UInt64
        var timeoutNanoseconds: UInt64

        /// Whether the header of a request is still incomplete.
        var owesRequest: Bool { exchange == nil || timeoutNanoseconds != .max }
    }

    init(address: RemoteAddress?, descriptor: Int32, listener: Listener) {
        self.address = address
        self.descriptor = descriptor
        group = ClientGroup(address)
        isOfTrustedProxy = address.map { listener.configuration.trustedProxies.contains($0.host) } ?? false
        self.listener = listener
        state = Mutex(
            State(
                waitingSince: MonotonicClock.nanoseconds(),
                timeoutNanoseconds: UInt64(listener.configuration.headerTimeoutSeconds) * 1_000_000_000))
    }

    /// Called when a request starts.
    func begin(_ exchange: Exchange) { state.withLock { $0.exchange = exchange } }

    /// Called when the header of the request is complete; stops the timeout.
    func headerHasArrived() { state.withLock { $0.timeoutNanoseconds = .max } }

    /// Called when the request has ended; another may follow.
    /// - Parameter now: The time by the precise clock: it determines which connection has been idle longest.
    func end(at now: UInt64) {
        let timeout = UInt64(listener.configuration.keepAliveSeconds) * 1_000_000_000
        state.withLock {
            $0.exchange = nil
            $0.waitingSince = now
            $0.timeoutNanoseconds = timeout
        }
    }

    /// Makes the response's header share packets with its content, although the library sends them one after the other. Only on
    /// the library's thread, before it sends the header.
    func holdHeader() { chs_hold_next_send(descriptor) }

    /// Returns the client's address, as reported by a trusted proxy.
    func clientAddress(_ fields: HTTPFields) -> RemoteAddress? {
        guard isOfTrustedProxy else { return address }
        let proxies = listener.configuration.trustedProxies
        var client = address
        for field in fields.reversed() where field.name == .xForwardedFor {
            for entry in field.value.split(separator: ",").reversed() {
                guard let forwarded = RemoteAddress(numbers: entry) else { return client }
                client = forwarded
                if !proxies.contains(forwarded.host) { return client }
            }
        }
        return client
    }

    /// Since when the client has owed a request; nil if one is in progress or the connection is closing.
    var owingSince: UInt64? {
        state.withLock { $0.owesRequest && !$0.isClosed && !$0.hasMadeRoom ? $0.waitingSince : nil }
    }

    /// Closes the connection to make room for another one, unless a request has arrived in the meantime.
    /// - Returns: Whether it was closed.
    func makeRoom() -> Bool {
        state.withLock { state in
            guard state.owesRequest, !state.isClosed, !state.hasMadeRoom else { return false }
            state.hasMadeRoom = true
            shutdown(descriptor, Int32(SHUT_RDWR))
            return true
        }
    }

    /// Whether it was closed by ``makeRoom()``.
    var hasMadeRoom: Bool { state.withLock { $0.hasMadeRoom } }

    /// Called when the library has rejected a request.
    func answeredByLibrary(_ response: HTTPResponse) {
        state.withLock { $0.exchange }?.answeredByLibrary(response)
    }

    /// Sends a response directly, bypassing the library, and nothing after it. Only while the library reads a request's
    /// header and has no response to send: version 0.9.75 sends the header of its pages about `Host` and `Content-Length`
    /// twice, the second time in place of the content.
    /// - Returns: Whether it was sent; false on encrypted connections.
    func answerDirectly(_ response: HTTPResponse, _ content: [UInt8]) -> Bool {
        guard listener.configuration.tls == nil, let exchange = state.withLock({ $0.exchange }),
            exchange.awaitsHeader
        else { return false }
        var head = "HTTP/1.1 \(response.status.rawValue) \r\nConnection: close\r\n"
        head += "Date: \(HTTPDate(secondsSince1970: Int64(time(nil))))\r\n"
        for field in response.fields { head += "\(field.name.rawName): \(field.value)\r\n" }
        head += "Content-Length: \(content.count)\r\n\r\n"
        let bytes = Array(head.utf8) + content
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) == bytes.count
        else { return false }
        shutdown(descriptor, Int32(SHUT_WR))
        // Unread bytes would make the system reset the connection, and the response might be lost.
        var rest = [UInt8](repeating: 0, count: 16_384)
        for _ in 0..<64 where recv(descriptor, &rest, rest.count, Int32(MSG_DONTWAIT)) <= 0 { break }
        return true
    }

    /// Called when the connection has ended and its descriptor is about to be closed.
    func close() {
        chs_forget(descriptor)
        state.withLock { $0.isClosed = true }
    }

    /// Closes the connection if the client has exceeded its timeout, or has closed its side while no request is in progress.
    func cutIfOverdue(at now: UInt64) {
        state.withLock { state in
            guard !state.isClosed, state.owesRequest else { return }
            let isOverdue =
                now > state.waitingSince && now - state.waitingSince > state.timeoutNanoseconds
            // The descriptor is still valid under the lock; the library notices the shutdown and closes it.
            if isOverdue || (state.exchange == nil && peerHasClosed()) {
                shutdown(descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// Whether the client has closed its side and nothing is left to read. The library, which uses edge-triggered events,
    /// misses a close that arrives together with a request.
    private func peerHasClosed() -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Stops reading, which wakes the library's thread.
    func stopReading() {
        state.withLock { state in
            if !state.isClosed { shutdown(descriptor, Int32(SHUT_RD)) }
        }
    }

    /// Closes the connection if no request is in progress.
    func cutIfIdle() {
        state.withLock { state in
            if !state.isClosed, state.exchange == nil { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Aborts the request in progress.
    func abort() { state.withLock { $0.exchange }?.abort() }
}
