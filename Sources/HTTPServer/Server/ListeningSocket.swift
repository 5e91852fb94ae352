internal import FileSystem
internal import Glibc

/// A bound, listening socket.
struct ListeningSocket: ~Copyable {
    let descriptor: Int32
    /// The bound address, with the actual port if 0 was requested.
    let address: RemoteAddress

    /// Binds one IP address.
    init(host: String, port: UInt16) throws(HTTPServerError) {
        var storage = sockaddr_storage()
        let length = try Self.parse(host, port, into: &storage)
        let descriptor = socket(
            Int32(storage.ss_family), Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure(host, port) }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if storage.ss_family == AF_INET6 {
            // Only the wildcard address also accepts IPv4.
            var only: Int32 = host == "::" ? 0 : 1
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &only, size)
        }
        // Inherited by accepted sockets: no response waits for the acknowledgement of the previous one.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        let isListening =
            withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            } == 0 && listen(descriptor, 1024) == 0
        guard isListening, let address = Self.localAddress(descriptor) else {
            let failure = Self.failure(host, port)
            close(descriptor)
            throw failure
        }
        self.descriptor = descriptor
        self.address = address
    }

    deinit { close(descriptor) }

    /// Waits until a client wants to connect or the socket is stopped, at most for the given time.
    /// - Returns: Whether a client is waiting.
    borrowing func hasClient(withinMilliseconds milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&wanted, 1, milliseconds) == 1
    }

    /// Rejects new connections from now on, including those waiting to be accepted.
    borrowing func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func failure(_ host: String, _ port: UInt16) -> HTTPServerError {
        let number = errno
        return HTTPServerError(
            .cannotBind, SystemError(code: number).description,
            subject: RemoteAddress(host: host, port: port).description,
            errorNumber: number)
    }

    private static func parse(_ host: String, _ port: UInt16, into storage: inout sockaddr_storage)
        throws(HTTPServerError) -> socklen_t
    {
        var four = sockaddr_in()
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { target in
                withUnsafeBytes(of: four) { target.copyMemory(from: $0) }
            }
            return socklen_t(MemoryLayout<sockaddr_in>.size)
        }
        var six = sockaddr_in6()
        if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &storage) { target in
                withUnsafeBytes(of: six) { target.copyMemory(from: $0) }
            }
            return socklen_t(MemoryLayout<sockaddr_in6>.size)
        }
        throw HTTPServerError(.badAddress, "not an IPv4 or IPv6 address", subject: host)
    }

    private static func localAddress(_ descriptor: Int32) -> RemoteAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(descriptor, address, &length) == 0 ? RemoteAddress(address) : nil
            }
        }
    }
}

extension RemoteAddress {
    /// Converts a system socket address.
    init?(_ address: UnsafePointer<sockaddr>) {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // The family is the first field of every socket address structure.
        switch Int32(UnsafeRawPointer(address).loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            let port = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_port
            var host = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr
            guard inet_ntop(AF_INET, &host, &text, socklen_t(text.count)) != nil else { return nil }
            self.init(host: Self.string(text), port: UInt16(bigEndian: port))
        case AF_INET6:
            let port = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_port
            var host = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr
            guard inet_ntop(AF_INET6, &host, &text, socklen_t(text.count)) != nil else { return nil }
            let full = Self.string(text)
            let isMapped = full.hasPrefix("::ffff:") && full.contains(".")
            self.init(host: isMapped ? String(full.dropFirst(7)) : full, port: UInt16(bigEndian: port))
        default: return nil
        }
    }

    private static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
