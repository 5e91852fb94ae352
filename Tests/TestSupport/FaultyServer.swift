import Foundation
import Glibc
import Synchronization

/// A small HTTP/1.1 server on the loopback interface with faults selected by a test: for clients that must cope with bad
/// networks. It supports ranges, strong entity tags and `HEAD`, and nothing else.
public final class FaultyServer: Sendable {
    /// A resource at a path.
    public struct Resource: Sendable {
        /// The content.
        public var bytes: [UInt8]
        /// Its media type.
        public var mediaType: String
        /// Entity tag with quotation marks, if any.
        public var entityTag: String?
        /// Additional headers, as lines without line ends.
        public var fields: [String]
        /// Status; ranges are only supported for 200.
        public var status = 200
        /// Whether to respond like an old radio station: `ICY 200 OK`, without a length, all at once, and without closing the
        /// connection.
        public var isStation = false

        /// Creates a resource.
        public init(
            _ bytes: [UInt8], mediaType: String = "audio/mpeg", entityTag: String? = "\"1\"",
            fields: [String] = []
        ) {
            self.bytes = bytes
            self.mediaType = mediaType
            self.entityTag = entityTag
            self.fields = fields
        }
    }

    /// A received request.
    public struct Request: Sendable {
        /// Number of the request, from 0.
        public let number: Int
        /// The method in upper case.
        public let method: String
        /// The path including the query.
        public let path: String
        /// Headers by lower-case name.
        public let fields: [String: String]
        /// Time of arrival.
        public let time: ContinuousClock.Instant
    }

    /// A fault in a response.
    public enum Fault: Sendable, Equatable {
        /// No fault.
        case none
        /// Closes the connection instead of responding.
        case close
        /// Resets the connection after this many bytes of content.
        case reset(after: Int)
        /// Closes the connection after this many bytes of content.
        case cut(after: Int)
        /// Pauses for a number of seconds after this many bytes of content.
        case stall(after: Int, seconds: Double)
        /// Responds with another status and no content.
        case status(Int)
        /// Limits the rate.
        case slow(bytesPerSecond: Int)
        /// Sends the whole content regardless of the requested range.
        case ignoreRange
        /// Sends an invalid response.
        case nonsense
    }

    private struct State {
        var listener: Int32 = -1
        var isEnded = false
        var connections: Set<Int32> = []
        var requests: [Request] = []
        var resources: [String: Resource]
    }

    /// Port of the server, even while it is away.
    public let port: UInt16
    /// Permanently bound to the port without listening, so that the system does not assign the port to another process while
    /// the server is away.
    private let reservation: Int32
    private let state: Mutex<State>
    private let fault: @Sendable (Request) -> Fault

    /// Starts listening on a free port.
    /// - Parameters:
    ///   - resources: resources by path without query.
    ///   - fault: returns the fault for a request. Called on any thread.
    public init(
        _ resources: [String: Resource], fault: @escaping @Sendable (Request) -> Fault = { _ in .none }
    ) throws {
        (reservation, port) = try Self.bind(port: 0)
        self.fault = fault
        let socket: Int32
        do {
            socket = try Self.listen(port: port)
        } catch {
            close(reservation)
            throw error
        }
        state = Mutex(State(listener: socket, resources: resources))
        accept(socket)
    }

    deinit {
        end()
        close(reservation)
    }

    /// Returns the URL of a path.
    public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Requests received so far.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// Replaces or removes a resource.
    public func serve(_ resource: Resource?, at path: String) {
        state.withLock { $0.resources[path] = resource }
    }

    /// Closes all connections, and refuses new ones.
    public func goAway() {
        state.withLock { state in
            if state.listener >= 0 {
                shutdown(state.listener, Int32(SHUT_RDWR))
                state.listener = -1
            }
            for socket in state.connections { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Starts listening again on the same port.
    public func comeBack() throws {
        let socket = try Self.listen(port: port)
        state.withLock { $0.listener = socket }
        accept(socket)
    }

    /// Stops permanently.
    public func end() {
        state.withLock { $0.isEnded = true }
        goAway()
    }

    // MARK: Sockets

    /// Binds a socket to a port of the loopback interface, which other sockets of this process may share.
    private static func bind(port: UInt16) throws -> (socket: Int32, port: UInt16) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw failure(closing: socket) }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    private static func listen(port: UInt16) throws -> Int32 {
        let (socket, _) = try bind(port: port)
        guard Glibc.listen(socket, 128) == 0 else { throw failure(closing: socket) }
        return socket
    }

    private static func failure(closing socket: Int32) -> POSIXError {
        let reason = errno
        close(socket)
        return POSIXError(POSIXErrorCode(rawValue: reason) ?? .EIO)
    }

    private func accept(_ listener: Int32) {
        Thread.detachNewThread { [weak self] in
            defer { close(listener) }
            while true {
                let socket = Glibc.accept(listener, nil, nil)
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                guard socket >= 0 else { return }
                guard let self, self.register(socket, of: listener) else {
                    close(socket)
                    return
                }
                Thread.detachNewThread { [weak self] in
                    var yes: Int32 = 1
                    setsockopt(
                        socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
                    while let self, let head = Self.readHead(socket), self.answer(head, on: socket) {}
                    guard let self else {
                        close(socket)
                        return
                    }
                    // Under the lock, so that a reused descriptor is not reset.
                    self.state.withLock { state in
                        state.connections.remove(socket)
                        close(socket)
                    }
                }
            }
        }
    }

    private func register(_ socket: Int32, of listener: Int32) -> Bool {
        state.withLock { state in
            guard !state.isEnded, state.listener == listener else { return false }
            state.connections.insert(socket)
            return true
        }
    }

    private static func reset(_ socket: Int32) {
        // Closing with a linger time of 0 sends a reset; the thread that serves it closes it next.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    private static func readHead(_ socket: Int32) -> [String]? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard bytes.count < 65_536, recv(socket, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n").filter { !$0.isEmpty }
    }

    // MARK: Answers

    /// - Returns: whether the connection stays open.
    private func answer(_ head: [String], on socket: Int32) -> Bool {
        let words = (head.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { return false }
        var fields: [String: String] = [:]
        for line in head.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            if parts.count == 2 { fields[parts[0].lowercased()] = parts[1] }
        }
        let request = state.withLock { state in
            let request = Request(
                number: state.requests.count, method: words[0], path: words[1], fields: fields, time: .now)
            state.requests.append(request)
            return request
        }
        let fault = fault(request)
        let resource = state.withLock { $0.resources[String(words[1].prefix { $0 != "?" })] }
        switch fault {
        case .close: return false
        case .nonsense:
            _ = Self.send(Array("\u{1}\u{2}nonsense\r\n\r\n".utf8), to: socket)
            return false
        case .status(let status): return Self.sendEmpty(status, to: socket)
        default: break
        }
        guard let resource else { return Self.sendEmpty(404, to: socket) }
        return send(resource, request, fault, to: socket)
    }

    private func send(_ resource: Resource, _ request: Request, _ fault: Fault, to socket: Int32) -> Bool {
        if resource.isStation {
            let head = ["ICY 200 OK", "Content-Type: \(resource.mediaType)"] + resource.fields + ["", ""]
            guard Self.send(Array(head.joined(separator: "\r\n").utf8) + resource.bytes, to: socket) else {
                return false
            }
            // Until the other end disconnects.
            var byte: UInt8 = 0
            while recv(socket, &byte, 1, 0) == 1 {}
            return false
        }
        let total = resource.bytes.count
        var range = 0..<total
        var lines = ["Content-Type: \(resource.mediaType)", "Accept-Ranges: bytes"] + resource.fields
        if let tag = resource.entityTag {
            lines.append("ETag: \(tag)")
            if request.fields["if-none-match"] == tag {
                return Self.send(Array("HTTP/1.1 304 Not Modified\r\nETag: \(tag)\r\n\r\n".utf8), to: socket)
            }
        }
        var status = "\(resource.status) -"
        let isStillTheSame = request.fields["if-range"].map { $0 == resource.entityTag } ?? true
        if resource.status == 200, fault != .ignoreRange, isStillTheSame, let asked = request.fields["range"]
        {
            guard let part = Self.range(asked, of: total) else {
                return Self.send(
                    Array(
                        "HTTP/1.1 416 No\r\nContent-Range: bytes */\(total)\r\nContent-Length: 0\r\n\r\n".utf8
                    ),
                    to: socket)
            }
            range = part
            status = "206 Partial Content"
            lines.append("Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(total)")
        }
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(range.count)"] + lines + ["", ""]
        guard Self.send(Array(head.joined(separator: "\r\n").utf8), to: socket) else { return false }
        guard request.method != "HEAD" else { return true }
        return Self.send(resource.bytes[range], fault, to: socket)
    }

    private static func send(_ bytes: ArraySlice<UInt8>, _ fault: Fault, to socket: Int32) -> Bool {
        switch fault {
        case .cut(let count):
            _ = send(Array(bytes.prefix(count)), to: socket)
            return false
        case .reset(let count):
            _ = send(Array(bytes.prefix(count)), to: socket)
            reset(socket)
            return false
        case .stall(let count, let seconds):
            guard send(Array(bytes.prefix(count)), to: socket) else { return false }
            Thread.sleep(forTimeInterval: seconds)
            return send(Array(bytes.dropFirst(count)), to: socket)
        case .slow(let rate):
            let step = max(1, rate / 20)
            for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: step) {
                guard send(Array(bytes[start..<min(start + step, bytes.endIndex)]), to: socket) else {
                    return false
                }
                Thread.sleep(forTimeInterval: Double(step) / Double(rate))
            }
            return true
        default: return send(Array(bytes), to: socket)
        }
    }

    private static func sendEmpty(_ status: Int, to socket: Int32) -> Bool {
        send(Array("HTTP/1.1 \(status) -\r\nContent-Length: 0\r\n\r\n".utf8), to: socket)
    }

    private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func range(_ text: String, of total: Int) -> Range<Int>? {
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        guard let first = Int(ends[0]) else {
            return Int(ends[1]).flatMap { $0 > 0 ? max(0, total - $0)..<total : nil }
        }
        let last = min(Int(ends[1]) ?? total - 1, total - 1)
        return first <= last ? first..<last + 1 : nil
    }
}
