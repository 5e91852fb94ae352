internal import Glibc
internal import Synchronization

/// Takes the connections that come to one address and hands them on, on a thread of its own.
///
/// libmicrohttpd (0.9.75) could take them itself, but not be told to stop doing so: `MHD_quiesce_daemon` takes the socket out of a
/// worker's epoll set while the worker may do the same, and whichever comes second ends the process.
final class Acceptor: Sendable {
    /// Is given a connection's descriptor, to close in the end, and the client's address.
    /// - Returns: Whether it is served; false where it is closed already.
    typealias Taker = @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool

    private let socket: ListeningSocket
    private let limit: Int
    private let openCount = Atomic<Int>(0)
    private let hasStarted = Atomic<Bool>(false)
    private let isStopping = Atomic<Bool>(false)
    /// Posted where there may be room again, and at the end.
    private let hasRoom = Semaphore()
    private let hasEnded = Semaphore()

    /// How long nothing is taken where the system has no descriptors or memory left.
    private static let pauseMicroseconds: UInt32 = 100_000

    /// The address that is listened on.
    var address: RemoteAddress { socket.address }

    /// Binds an address: clients may come from now on, and wait.
    ///
    /// - Parameter limit: The most connections at once; those beyond it wait in the system's queue.
    init(host: String, port: UInt16, limit: Int) throws(HTTPServerError) {
        socket = try ListeningSocket(host: host, port: port)
        self.limit = max(1, limit)
    }

    /// Begins to take connections. Once.
    func start(_ taker: @escaping Taker) throws(HTTPServerError) {
        guard ServerThread.detach({ self.run(taker) }) else {
            throw HTTPServerError(
                .cannotStart, "The system gives no thread.", subject: address.description)
        }
        hasStarted.store(true, ordering: .releasing)
    }

    /// Is to be called when a connection that was handed on has ended.
    func connectionEnded() {
        if openCount.subtract(1, ordering: .acquiringAndReleasing).oldValue >= limit { hasRoom.post() }
    }

    /// Refuses connections from now on, those that wait as well. When it returns, nothing more is handed on.
    func stop() {
        if !isStopping.exchange(true, ordering: .acquiringAndReleasing) {
            // Ends the wait for a client.
            socket.stop()
            hasRoom.post()
        }
        guard hasStarted.load(ordering: .acquiring) else { return }
        hasEnded.wait()
        // For whoever else waits.
        hasEnded.post()
    }

    private func run(_ taker: Taker) {
        var isShort = false
        while !isStopping.load(ordering: .acquiring) {
            guard openCount.load(ordering: .acquiring) < limit else {
                hasRoom.wait()
                continue
            }
            switch takeNext(taker) {
            case 0: isShort = false
            // The client has changed its mind.
            case ECONNABORTED, EINTR: continue
            case let number:
                guard !isStopping.load(ordering: .acquiring) else { break }
                if !isShort { DiagnosticLog.write("No connection can be taken: \(systemMessage(number))") }
                isShort = true
                usleep(Self.pauseMicroseconds)
            }
        }
        hasEnded.post()
    }

    /// - Returns: The system's error, or 0.
    private func takeNext(_ taker: Taker) -> Int32 {
        var client = sockaddr_storage()
        return withUnsafeMutablePointer(to: &client) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let connection = accept(socket.descriptor, address, &length)
                guard connection >= 0 else { return errno }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                openCount.add(1, ordering: .acquiringAndReleasing)
                if !taker(connection, address, length) { connectionEnded() }
                return 0
            }
        }
    }
}
