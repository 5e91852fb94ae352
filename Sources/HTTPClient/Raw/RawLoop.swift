internal import CCurl
internal import Glibc
internal import Synchronization
internal import Threads

/// Serves all open raw connections of the process on one thread.
final class RawLoop: Sendable {
    /// The loop; nil if the system refuses its descriptors.
    static let shared = RawLoop()

    fileprivate struct Arrival: Sendable {
        let link: RawLink
        let handle: RawHandle
        let receiver: any RawConnectionReceiver
    }

    private struct State {
        var arrivals: [Arrival] = []
        /// Connections that have something to send, continue or close.
        var calls: [RawLink] = []
        var hasThread = false
    }

    fileprivate let epoll: Int32
    /// Wakes the thread.
    private let bell: Int32
    private let state = Mutex(State())

    private init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: bell))
        guard epoll >= 0, bell >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, bell, &event) == 0 else {
            if epoll >= 0 { close(epoll) }
            if bell >= 0 { close(bell) }
            return nil
        }
    }

    /// Serves an open connection until its end.
    func serve(_ link: RawLink, _ handle: RawHandle, _ receiver: any RawConnectionReceiver) {
        let isAccepted = state.withLock { state in
            if !state.hasThread {
                // Never deallocated.
                state.hasThread = DedicatedThread.start("connections") { [self] in RawThread(self).run() }
            }
            if state.hasThread {
                state.arrivals.append(Arrival(link: link, handle: handle, receiver: receiver))
            }
            return state.hasThread
        }
        guard isAccepted else {
            receiver.connectionEnded(HTTPClientError(code: .unreachable, description: "out of threads"))
            return
        }
        ring()
    }

    /// Looks at a connection as soon as possible.
    func attend(to link: RawLink) {
        state.withLock { $0.calls.append(link) }
        ring()
    }

    private func ring() {
        var one: UInt64 = 1
        _ = write(bell, &one, 8)
    }

    fileprivate func takeCalls() -> ([Arrival], [RawLink]) {
        var count: UInt64 = 0
        _ = read(bell, &count, 8)
        return state.withLock { state in
            defer { (state.arrivals, state.calls) = ([], []) }
            return (state.arrivals, state.calls)
        }
    }
}

/// State used only by the loop's thread.
private final class RawThread {
    /// Maximum number of pieces received from one connection before the others have their turn.
    private static let piecesPerTurn = 16

    private final class Entry {
        let arrival: RawLoop.Arrival
        let socket: Int32
        var unsent: [UInt8] = []
        var events = EPOLLIN.rawValue

        init(_ arrival: RawLoop.Arrival, socket: Int32) {
            self.arrival = arrival
            self.socket = socket
        }
    }

    private enum Step {
        /// To be continued when the socket is ready, or at a call.
        case waiting
        /// More bytes may be available, which the socket does not report where TLS has decrypted them already.
        case unfinished
        case ended(HTTPClientError?)
    }

    private let loop: RawLoop
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var byDescriptor: [Int32: Entry] = [:]
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    init(_ loop: RawLoop) { self.loop = loop }

    func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        var unfinished: [Entry] = []
        while true {
            let count = epoll_wait(loop.epoll, &events, Int32(events.count), unfinished.isEmpty ? -1 : 0)
            let (arrivals, calls) = loop.takeCalls()
            var turns = unfinished.map { ($0, false) }
            turns += arrivals.compactMap { add($0) }.map { ($0, false) }
            turns += calls.compactMap { entries[ObjectIdentifier($0)] }.map { ($0, false) }
            for event in events.prefix(max(0, Int(count))) {
                guard let entry = byDescriptor[event.data.fd] else { continue }
                turns.append((entry, event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0))
            }
            unfinished = []
            for (entry, isHangUp) in turns where byDescriptor[entry.socket] === entry {
                switch serve(entry, isHangUp: isHangUp) {
                case .waiting: break
                case .unfinished: unfinished.append(entry)
                case .ended(let error): end(entry, error)
                }
            }
        }
    }

    /// - Returns: nil if the connection is lost already.
    private func add(_ arrival: RawLoop.Arrival) -> Entry? {
        guard let socket = arrival.handle.socket else {
            arrival.receiver.connectionEnded(
                HTTPClientError(code: .connectionLost, description: "the connection was closed"))
            return nil
        }
        let entry = Entry(arrival, socket: socket)
        var event = epoll_event(events: entry.events, data: epoll_data_t(fd: socket))
        guard epoll_ctl(loop.epoll, EPOLL_CTL_ADD, socket, &event) == 0 else {
            arrival.receiver.connectionEnded(
                HTTPClientError(code: .unreachable, description: "out of memory"))
            return nil
        }
        entries[ObjectIdentifier(arrival.link)] = entry
        byDescriptor[socket] = entry
        arrival.receiver.connectionOpened()
        return entry
    }

    private func end(_ entry: Entry, _ error: HTTPClientError?) {
        epoll_ctl(loop.epoll, EPOLL_CTL_DEL, entry.socket, nil)
        byDescriptor[entry.socket] = nil
        entries[ObjectIdentifier(entry.arrival.link)] = nil
        entry.arrival.receiver.connectionEnded(error)
    }

    /// - Parameter isHangUp: whether the connection is broken: then it is read to its end, since the system would report it again
    ///   and again, and nothing more can come.
    private func serve(_ entry: Entry, isHangUp: Bool) -> Step {
        let link = entry.arrival.link
        let isClosed = link.state.withLock { state in
            entry.unsent += state.outgoing
            state.outgoing = []
            return state.isClosed
        }
        let problem = send(entry)
        if isClosed { return .ended(nil) }
        if let problem { return .ended(problem) }
        var step = Step.waiting
        pieces: for piece in 0... {
            guard isHangUp || link.state.withLock(\.isReceiving) else { break }
            guard piece < Self.piecesPerTurn else {
                step = .unfinished
                break
            }
            switch buffer.withUnsafeMutableBytes({ entry.arrival.handle.receive(into: $0) }) {
            case .bytes(0): return .ended(nil)
            case .bytes(let count): entry.arrival.receiver.connectionReceived(Array(buffer.prefix(count)))
            case .wouldBlock: break pieces
            case .failed(let error): return .ended(error)
            }
        }
        watch(entry)
        return step
    }

    private func watch(_ entry: Entry) {
        let isReceiving = entry.arrival.link.state.withLock(\.isReceiving)
        let events = (isReceiving ? EPOLLIN.rawValue : 0) | (entry.unsent.isEmpty ? 0 : EPOLLOUT.rawValue)
        guard events != entry.events else { return }
        entry.events = events
        var event = epoll_event(events: events, data: epoll_data_t(fd: entry.socket))
        epoll_ctl(loop.epoll, EPOLL_CTL_MOD, entry.socket, &event)
    }

    private func send(_ entry: Entry) -> HTTPClientError? {
        var start = 0
        defer {
            if start > 0 {
                entry.unsent.removeFirst(start)
                entry.arrival.link.state.withLock { $0.waiting -= start }
            }
        }
        while start < entry.unsent.count {
            switch entry.unsent.withUnsafeBytes({ bytes in
                entry.arrival.handle.send(UnsafeRawBufferPointer(rebasing: bytes[start...]))
            }) {
            case .bytes(let count): start += count
            case .wouldBlock: return nil
            case .failed(let error): return error
            }
        }
        return nil
    }
}
