internal import CMicroHTTPD
internal import FileSystem
internal import Glibc
internal import Synchronization
internal import Threads

/// Waits for events of all WebSockets of a server, on one thread.
final class WebSocketReactor: Sendable {
    private let epoll: Int32
    private let wakeup: Int32
    private let state = Mutex(State())
    private let metrics: RequestMetrics?
    private let hasEnded = Turnstile(false)

    private struct State: Sendable {
        var sockets: [Int32: Entry] = [:]
        var hasThread = false
        var isStopping = false
    }

    private struct Entry: Sendable {
        let socket: WebSocket
        var events: UInt32
    }

    /// Interval between checks for pings and timeouts.
    private static let tickMilliseconds: Int32 = 250
    private static let wakeupKey = UInt64.max

    /// - Parameter metrics: counts the open sockets.
    init(metrics: RequestMetrics? = nil) throws(HTTPServerError) {
        self.metrics = metrics
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeup = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Self.wakeupKey))
        guard epoll >= 0, wakeup >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event) == 0 else {
            let number = errno
            throw HTTPServerError(.cannotStart, SystemError(code: number))
        }
    }

    deinit {
        if epoll >= 0 { close(epoll) }
        if wakeup >= 0 { close(wakeup) }
    }

    /// Creates a socket for a connection and starts its handler. The thread is started with the first one.
    func open(_ endpoint: WebSocketEndpoint, early: [UInt8], upgrade: WebSocketUpgrade) {
        guard let socket = try? WebSocket(endpoint, early: early, options: upgrade.options, reactor: self)
        else {
            endpoint.close()
            return
        }
        let isOpen = state.withLock { state in
            guard !state.isStopping, startThread(&state) else { return false }
            var event = epoll_event(
                events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(endpoint.descriptor)))
            guard epoll_ctl(epoll, EPOLL_CTL_ADD, endpoint.descriptor, &event) == 0 else { return false }
            state.sockets[endpoint.descriptor] = Entry(socket: socket, events: EPOLLIN.rawValue)
            metrics?.webSocketOpened()
            return true
        }
        guard isOpen else {
            socket.cut()
            return
        }
        socket.proceed()
        Task(executorPreference: HandlerExecutor.shared) {
            do {
                try await upgrade.handler(upgrade.request, socket)
                socket.close(.normal)
            } catch is CancellationError {
                socket.close(.goingAway)
            } catch {
                socket.close(.internalError)
            }
        }
    }

    /// Sets the events to wait for on a descriptor.
    func watch(_ descriptor: Int32, reads: Bool, writes: Bool) {
        let events = (reads ? EPOLLIN.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
        state.withLock { state in
            guard let entry = state.sockets[descriptor], entry.events != events else { return }
            state.sockets[descriptor]?.events = events
            var event = epoll_event(events: events, data: epoll_data_t(u64: UInt64(descriptor)))
            epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
        }
    }

    /// Removes a descriptor from the poll set; it may be closed afterwards.
    func forget(_ descriptor: Int32) {
        state.withLock { state in
            guard state.sockets.removeValue(forKey: descriptor) != nil else { return }
            metrics?.webSocketClosed()
            epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
        }
    }

    /// Closes all sockets with 1001 (going away).
    func closeAll() { for socket in allSockets() { socket.close(.goingAway, reason: "server shutdown") } }

    /// Closes the remaining connections and ends the thread. Blocks until it has ended.
    func stop() {
        let hasThread = state.withLock { state in
            state.isStopping = true
            return state.hasThread
        }
        for socket in allSockets() { socket.cut() }
        guard hasThread else { return }
        var one: UInt64 = 1
        _ = write(wakeup, &one, 8)
        hasEnded.wait { $0 ? () : nil }
    }

    private func allSockets() -> [WebSocket] { state.withLock { $0.sockets.values.map(\.socket) } }

    private func startThread(_ state: inout State) -> Bool {
        if !state.hasThread {
            state.hasThread = DedicatedThread.start("websockets") { [self] in
                run()
                hasEnded.change { $0 = true }
            }
        }
        return state.hasThread
    }

    private func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        var nextTick = MonotonicClock.coarseNanoseconds()
        while !state.withLock({ $0.isStopping }) {
            let count = epoll_wait(epoll, &events, Int32(events.count), Self.tickMilliseconds)
            for event in events.prefix(max(0, Int(count))) where event.data.u64 != Self.wakeupKey {
                let socket = state.withLock { $0.sockets[Int32(truncatingIfNeeded: event.data.u64)]?.socket }
                guard let socket else { continue }
                // If no events are requested, only a hang-up is reported, repeatedly.
                let isHangUp = event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
                if isHangUp { socket.cut() } else { socket.proceed() }
            }
            let now = MonotonicClock.coarseNanoseconds()
            if now >= nextTick {
                nextTick = now + UInt64(Self.tickMilliseconds) * 1_000_000
                for socket in allSockets() { socket.checkTimeouts(now) }
            }
        }
    }
}
