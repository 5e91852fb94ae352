internal import FileSystem
internal import Glibc
internal import Synchronization
internal import Threads

/// Accepts the connections to one address on a separate thread and passes them on.
///
/// libmicrohttpd (0.9.75) could accept them itself, but cannot be stopped safely: `MHD_quiesce_daemon` removes the socket
/// from a worker's epoll set while the worker may do the same, and the second of the two aborts the process.
final class Acceptor: Sendable {
    /// Receives a connection's descriptor, which it must eventually close, and the client's address.
    /// - Returns: Whether the connection is served; if false, it has already been closed.
    typealias ConnectionHandler = @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool

    /// Decides whose connections are accepted, and which are closed to make room for others.
    private let table: ConnectionTable
    private let socket: ListeningSocket
    private let limit: Int
    private let openCount = Atomic<Int>(0)
    private let hasStarted = Atomic<Bool>(false)
    private let isStopping = Atomic<Bool>(false)
    /// Posted when a connection may be accepted again, and when stopping.
    private let hasRoom = Semaphore()
    private let hasEnded = Semaphore()

    /// Delay after the system has run out of descriptors or memory.
    private static let pauseMicroseconds: UInt32 = 100_000

    /// Interval at which idle connections are closed for a waiting client.
    private static let lookMilliseconds = 50

    /// The address being listened on.
    var address: RemoteAddress { socket.address }

    /// Binds an address: clients may connect from now on, and wait.
    ///
    /// - Parameters:
    ///   - limit: Maximum number of connections; further ones wait in the system's queue.
    ///   - table: Decides which clients may connect.
    init(host: String, port: UInt16, limit: Int, table: ConnectionTable) throws(HTTPServerError) {
        self.table = table
        socket = try ListeningSocket(host: host, port: port)
        self.limit = max(1, limit)
    }

    /// Starts accepting connections. Must be called only once.
    func start(_ taker: @escaping ConnectionHandler) throws(HTTPServerError) {
        guard DedicatedThread.start("http accept", { self.run(taker) }) else {
            throw HTTPServerError(
                .cannotStart, "cannot create a thread", subject: address.description)
        }
        hasStarted.store(true, ordering: .releasing)
    }

    /// Must be called when a connection that was passed on has ended.
    func connectionEnded() {
        if openCount.subtract(1, ordering: .acquiringAndReleasing).oldValue >= limit { hasRoom.post() }
    }

    /// Rejects connections from now on, including those waiting. When it returns, no more connections are passed on.
    func stop() {
        if !isStopping.exchange(true, ordering: .acquiringAndReleasing) {
            // Interrupts the wait for a client.
            socket.stop()
            hasRoom.post()
        }
        guard hasStarted.load(ordering: .acquiring) else { return }
        hasEnded.wait()
        // For other callers that wait.
        hasEnded.post()
    }

    private func run(_ taker: ConnectionHandler) {
        var isShort = false
        while !isStopping.load(ordering: .acquiring) {
            guard openCount.load(ordering: .acquiring) < limit else {
                // Idle connections are only closed if a client is waiting.
                if socket.hasClient(withinMilliseconds: Int32(Self.lookMilliseconds)) {
                    table.makeRoom()
                    hasRoom.wait(milliseconds: Self.lookMilliseconds)
                }
                continue
            }
            switch takeNext(taker) {
            case 0: isShort = false
            // The client has disconnected.
            case ECONNABORTED, EINTR: continue
            case let number:
                guard !isStopping.load(ordering: .acquiring) else { break }
                if !isShort { DiagnosticLog.write("cannot accept connections: \(SystemError(code: number))") }
                isShort = true
                usleep(Self.pauseMicroseconds)
            }
        }
        hasEnded.post()
    }

    /// - Returns: The value of `errno`, or 0.
    private func takeNext(_ taker: ConnectionHandler) -> Int32 {
        var client = sockaddr_storage()
        return withUnsafeMutablePointer(to: &client) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let connection = accept(socket.descriptor, address, &length)
                guard connection >= 0 else { return errno }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                let client = RemoteAddress(address)
                guard table.admit(client) else {
                    close(connection)
                    return 0
                }
                openCount.add(1, ordering: .acquiringAndReleasing)
                if !taker(connection, address, length) {
                    table.release(client)
                    connectionEnded()
                }
                return 0
            }
        }
    }
}
