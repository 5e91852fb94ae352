import Foundation
import Glibc
import Synchronization

/// An internet radio station on the loopback interface: endless audio at a fixed rate, with titles for clients that ask for them.
public final class RadioServer: Sendable {
    /// A title of the programme.
    public struct Title: Sendable {
        /// Number of bytes of audio before it.
        public let offset: Int
        /// The text.
        public let text: String

        /// Memberwise initializer.
        public init(at offset: Int, _ text: String) {
            self.offset = offset
            self.text = text
        }
    }

    private struct State {
        var listener: Int32 = -1
        var isEnded = false
        var open: Set<Int32> = []
        var paths: [String] = []
        var redirections: [String: String] = [:]
        var documents: [String: (type: String, bytes: [UInt8])] = [:]
        var limit = Int.max
    }

    /// Bytes of audio between titles.
    public static let interval = 4096

    /// Port of the server.
    public let port: UInt16
    private let sound: [UInt8]
    private let bytesPerSecond: Int
    private let burst: Int
    private let titles: [Title]
    private let mediaType: String
    private let state = Mutex(State())

    /// Starts listening on a free port. The station is at `/live`.
    /// - Parameters:
    ///   - sound: the programme, which is repeated for ever; each connection starts with its first byte.
    ///   - bytesPerSecond: the rate at which it is sent.
    ///   - burst: number of bytes sent at once after a connection.
    ///   - titles: the titles of the programme, in order; those of a repetition are not sent again.
    public init(
        _ sound: [UInt8], bytesPerSecond: Int, burst: Int = 0, titles: [Title] = [],
        mediaType: String = "audio/mpeg"
    ) throws {
        self.sound = sound
        self.bytesPerSecond = bytesPerSecond
        self.burst = burst
        self.titles = titles
        self.mediaType = mediaType
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
                    && listen(socket, 64) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else {
            close(socket)
            throw POSIXError(.EADDRINUSE)
        }
        state.withLock { $0.listener = socket }
        accept(socket)
    }

    deinit { end() }

    /// Returns the URL of a path.
    public func address(_ path: String = "/live", credentials: String = "") -> String {
        "http://\(credentials)127.0.0.1:\(port)\(path)"
    }

    /// Paths of the requests received so far.
    public var requests: [String] { state.withLock(\.paths) }
    /// Number of connections to the station that are open.
    public var openCount: Int { state.withLock(\.open.count) }

    /// Redirects a path.
    public func redirect(_ path: String, to address: String) {
        state.withLock { $0.redirections[path] = address }
    }

    /// Serves a document at a path.
    public func serve(_ bytes: [UInt8], type: String, at path: String) {
        state.withLock { $0.documents[path] = (type, bytes) }
    }

    /// Sends at most this many bytes of the programme to each connection, until the limit changes: a title after them cannot pass
    /// before a test is ready for it.
    public func hold(after byteCount: Int) { state.withLock { $0.limit = byteCount } }
    /// Sends the rest of the programme.
    public func release() { hold(after: .max) }

    /// Closes all connections.
    public func cut() { state.withLock { for socket in $0.open { shutdown(socket, Int32(SHUT_RDWR)) } } }

    /// Stops permanently.
    public func end() {
        cut()
        state.withLock { state in
            state.isEnded = true
            if state.listener >= 0 { shutdown(state.listener, Int32(SHUT_RDWR)) }
            state.listener = -1
        }
    }

    private func accept(_ listener: Int32) {
        Thread.detachNewThread { [weak self] in
            defer { close(listener) }
            while true {
                let socket = Glibc.accept(listener, nil, nil)
                guard socket >= 0 else { return }
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                guard let server = self else {
                    close(socket)
                    return
                }
                Thread.detachNewThread { [weak server] in
                    server?.serve(socket)
                    close(socket)
                }
            }
        }
    }

    private func serve(_ socket: Int32) {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard head.count < 65_536, recv(socket, &byte, 1, 0) == 1 else { return }
            head.append(byte)
        }
        let text = String(decoding: head, as: UTF8.self)
        let path = text.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
        let (target, document) = state.withLock { state in
            state.paths.append(path)
            return (state.redirections[path], state.documents[path])
        }
        if let target {
            send(
                "HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                to: socket)
        } else if let document {
            send(
                "HTTP/1.1 200 OK\r\nContent-Type: \(document.type)\r\nContent-Length: \(document.bytes.count)\r\nConnection: close\r\n\r\n",
                to: socket)
            send(document.bytes, to: socket)
        } else if path == "/live" {
            stream(to: socket, withTitles: text.lowercased().contains("icy-metadata: 1"))
        } else {
            send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to: socket)
        }
    }

    private func stream(to socket: Int32, withTitles: Bool) {
        state.withLock { _ = $0.open.insert(socket) }
        defer { state.withLock { _ = $0.open.remove(socket) } }
        let fields = withTitles ? "icy-metaint: \(Self.interval)\r\n" : ""
        guard
            send(
                "HTTP/1.0 200 OK\r\nContent-Type: \(mediaType)\r\nicy-name: Test Radio\r\nicy-genre: Tests\r\n"
                    + "icy-br: 64\r\n\(fields)\r\n", to: socket)
        else { return }
        var start = ContinuousClock.now
        var sent = 0
        var rest = titles[...]
        while true {
            let reached = ContinuousClock.now
            while state.withLock({ sent + Self.interval > $0.limit && !$0.isEnded }) {
                Thread.sleep(forTimeInterval: 0.01)
            }
            // The time held does not count: the rest is not sent faster.
            start += reached.duration(to: .now)
            let piece = (0..<Self.interval).map { sound[(sent + $0) % sound.count] }
            sent += piece.count
            guard send(piece, to: socket) else { return }
            if withTitles {
                var title = ""
                while let next = rest.first, next.offset <= sent {
                    title = "StreamTitle='\(next.text)';"
                    rest = rest.dropFirst()
                }
                let bytes = Array(title.utf8)
                let count = (bytes.count + 15) / 16
                guard
                    send(
                        [UInt8(count)] + bytes + [UInt8](repeating: 0, count: count * 16 - bytes.count),
                        to: socket)
                else { return }
            }
            let due = start + .seconds(Double(max(0, sent - burst)) / Double(bytesPerSecond))
            let wait = ContinuousClock.now.duration(to: due) / .seconds(1)
            if wait > 0 { Thread.sleep(forTimeInterval: wait) }
        }
    }

    @discardableResult
    private func send(_ text: String, to socket: Int32) -> Bool { send(Array(text.utf8), to: socket) }

    @discardableResult
    private func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
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
}
