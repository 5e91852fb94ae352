import Foundation
import MusicShared

/// Sends a request to the host on this machine.
struct LocalRequest {
    /// Timeout in seconds.
    private static let timeoutSeconds = 30

    let host: RunningHost
    let key: String

    /// The reason why there is no response.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Requests a value.
    /// - Throws: `Failure` if the host does not respond, or not with 200; a decoding error if the content is
    ///   malformed.
    func get<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value {
        let answer = try send(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(key)\r\nConnection: close\r\n\r\n"
        )
        guard let end = answer.range(of: Data("\r\n\r\n".utf8)) else {
            throw Failure(description: "the host at \(host.localAddress) does not respond")
        }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        if status == 401 {
            throw Failure(
                description:
                    "the host at \(host.localAddress) rejects the API key in host.json; see its log, or restart it"
            )
        }
        guard status == 200 else {
            throw Failure(
                description: "the host at \(host.localAddress) returned status \(status) for \(path)")
        }
        return try JSONDecoder().decode(Value.self, from: answer[end.upperBound...])
    }

    /// Sends a request and reads until the host closes the connection.
    private func send(_ text: String) throws -> Data {
        let failure = Failure(description: "the host at \(host.localAddress) does not respond")
        guard let url = URL(string: host.localAddress), let name = url.host(percentEncoded: false),
            let port = url.port
        else { throw failure }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var result: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, "\(port)", &hints, &result) == 0, let found = result else { throw failure }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            found.pointee.ai_family, found.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        var time = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { throw failure }
        let request = Array(text.utf8)
        guard Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else { throw failure }
        var answer = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure }
            if count == 0 { return answer }
            answer.append(contentsOf: buffer.prefix(count))
        }
    }
}
