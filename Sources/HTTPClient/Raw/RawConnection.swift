internal import CCurl
internal import Foundation
internal import Glibc
internal import Synchronization
internal import Threads

/// A connection to a server without a protocol on top, encrypted for `https` addresses: for protocols that start as
/// HTTP. Runs on a thread of its own.
///
/// Safe to call from any thread. Closes when it is deallocated.
package final class RawConnection: Sendable {
    fileprivate struct State {
        var outgoing: [UInt8] = []
        var isClosed = false
    }

    /// State shared by callers and the thread.
    fileprivate final class Shared: Sendable {
        let state = Mutex(State())
        /// Wakes the thread.
        let bell: Int32

        init?() {
            bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            if bell < 0 { return nil }
        }

        deinit { Glibc.close(bell) }

        func ring() {
            var one: UInt64 = 1
            _ = write(bell, &one, 8)
        }
    }

    private let shared: Shared?

    /// Opens the connection and reports its progress to the receiver.
    /// - Parameter request: the address and the trusted certificates; of the timeouts, only the one for connecting is used, and
    ///   `responseSeconds` for the whole time until the connection is open. Other fields are ignored.
    package init(_ request: TransferRequest, receiver: any RawConnectionReceiver) {
        guard let shared = Shared() else {
            shared = nil
            receiver.connectionEnded(HTTPClientError(code: .unreachable, description: "out of files"))
            return
        }
        self.shared = shared
        DedicatedThread.start("connection") {
            RawThread(request, shared: shared, receiver: receiver).run()
        }
    }

    deinit { close() }

    /// Sends bytes after all bytes sent before.
    package func send(_ bytes: [UInt8]) {
        shared?.state.withLock { $0.outgoing += bytes }
        shared?.ring()
    }

    /// Closes the connection after sending as much of the pending bytes as is possible without waiting.
    package func close() {
        shared?.state.withLock { $0.isClosed = true }
        shared?.ring()
    }
}

/// State used only by the connection's thread.
private final class RawThread {
    private let request: TransferRequest
    private let shared: RawConnection.Shared
    private let receiver: any RawConnectionReceiver

    init(
        _ request: TransferRequest, shared: RawConnection.Shared, receiver: any RawConnectionReceiver
    ) {
        self.request = request
        self.shared = shared
        self.receiver = receiver
    }

    func run() {
        guard HTTPClient.isReady, let handle = curl_easy_init() else {
            receiver.connectionEnded(HTTPClientError(code: .unreachable, description: "out of memory"))
            return
        }
        defer { curl_easy_cleanup(handle) }
        prepare(handle)
        var socket: curl_socket_t = -1
        let result = curl_easy_perform(handle)
        guard result == CURLE_OK, ccurl_get_socket(handle, &socket) == CURLE_OK, socket >= 0 else {
            receiver.connectionEnded(HTTPClientError(result, address: request.address))
            return
        }
        receiver.connectionOpened()
        let end = serve(handle, socket)
        receiver.connectionEnded(
            end == CURLE_OK ? nil : HTTPClientError(end, address: request.address))
    }

    private func prepare(_ handle: UnsafeMutableRawPointer) {
        ccurl_set_text(handle, CURLOPT_URL, request.address)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_number(handle, CURLOPT_CONNECT_ONLY, 1)
        ccurl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_TCP_NODELAY, 1)
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(request.connectSeconds * 1000)))
        ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, max(1, Int(request.responseSeconds * 1000)))
        if let file = request.certificateFile { ccurl_set_text(handle, CURLOPT_CAINFO, file) }
        if !request.checksCertificates {
            ccurl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 0)
            ccurl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 0)
        }
    }

    /// - Returns: the reason why it ended; no error if either end closed it.
    private func serve(_ handle: UnsafeMutableRawPointer, _ socket: curl_socket_t) -> CURLcode {
        var unsent: [UInt8] = []
        while true {
            let isClosed = shared.state.withLock { state in
                unsent += state.outgoing
                state.outgoing = []
                return state.isClosed
            }
            let sent = send(&unsent, handle)
            if isClosed { return CURLE_OK }
            guard sent == CURLE_OK || sent == CURLE_AGAIN else { return sent }
            switch receive(handle) {
            case nil: return CURLE_OK
            case CURLE_OK?, CURLE_AGAIN?: break
            case let failure?: return failure
            }
            var events = Int16(POLLIN)
            if !unsent.isEmpty { events |= Int16(POLLOUT) }
            var polled = [
                pollfd(fd: socket, events: events, revents: 0),
                pollfd(fd: shared.bell, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&polled, 2, -1)
            var count: UInt64 = 0
            if polled[1].revents != 0 { _ = read(shared.bell, &count, 8) }
        }
    }

    private func send(_ bytes: inout [UInt8], _ handle: UnsafeMutableRawPointer) -> CURLcode {
        while !bytes.isEmpty {
            var count = 0
            let result = bytes.withUnsafeBytes { curl_easy_send(handle, $0.baseAddress, $0.count, &count) }
            guard result == CURLE_OK else { return result }
            bytes.removeFirst(count)
        }
        return CURLE_OK
    }

    /// - Returns: nil if the other end closed the connection.
    private func receive(_ handle: UnsafeMutableRawPointer) -> CURLcode? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            var count = 0
            let result = buffer.withUnsafeMutableBytes {
                curl_easy_recv(handle, $0.baseAddress, $0.count, &count)
            }
            guard result == CURLE_OK else { return result }
            guard count > 0 else { return nil }
            receiver.connectionReceived(Array(buffer.prefix(count)))
        }
    }
}
