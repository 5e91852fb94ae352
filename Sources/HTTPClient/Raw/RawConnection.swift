internal import CCurl
internal import Synchronization
internal import Threads

/// A connection to a server without a protocol on top, encrypted for `https` addresses: for protocols that start as
/// HTTP. Has a thread of its own until it is open; all open connections share one.
///
/// Safe to call from any thread. Closes when it is deallocated.
package final class RawConnection: Sendable {
    /// Maximum number of bytes waiting to be sent.
    package static let outgoingLimit = 4 << 20

    private let link = RawLink()

    /// Opens the connection and reports its progress to the receiver.
    /// - Parameter request: the address and the trusted certificates; of the timeouts, only the one for connecting is used, and
    ///   `responseSeconds` for the whole time until the connection is open. Other fields are ignored.
    package init(_ request: TransferRequest, receiver: any RawConnectionReceiver) {
        guard let loop = RawLoop.shared else {
            receiver.connectionEnded(HTTPClientError(code: .unreachable, description: "out of files"))
            return
        }
        let isStarted = DedicatedThread.start("connection") { [link] in
            do throws(HTTPClientError) {
                loop.serve(link, RawHandle(try Self.connect(request), address: request.address), receiver)
            } catch { receiver.connectionEnded(error) }
        }
        if !isStarted {
            receiver.connectionEnded(HTTPClientError(code: .unreachable, description: "out of threads"))
        }
    }

    deinit { close() }

    /// Sends bytes after all bytes sent before.
    /// - Returns: false if ``outgoingLimit`` is exceeded, since the other end does not read; the bytes are dropped.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        let isAccepted = link.state.withLock { state in
            guard state.waiting == 0 || state.waiting + bytes.count <= Self.outgoingLimit else {
                return false
            }
            state.outgoing += bytes
            state.waiting += bytes.count
            return true
        }
        if isAccepted { RawLoop.shared?.attend(to: link) }
        return isAccepted
    }

    /// Stops or continues receiving. While it is stopped, the other end can send what the system buffers.
    package func setReceiving(_ isReceiving: Bool) {
        link.state.withLock { $0.isReceiving = isReceiving }
        if isReceiving { RawLoop.shared?.attend(to: link) }
    }

    /// Closes the connection after sending as much of the pending bytes as is possible without waiting.
    package func close() {
        link.state.withLock { $0.isClosed = true }
        RawLoop.shared?.attend(to: link)
    }

    /// Opens a connection. Blocks.
    private static func connect(_ request: TransferRequest) throws(HTTPClientError) -> UnsafeMutableRawPointer
    {
        guard HTTPClient.isReady, let handle = curl_easy_init() else {
            throw HTTPClientError(code: .unreachable, description: "out of memory")
        }
        prepare(handle, request)
        let result = curl_easy_perform(handle)
        guard result == CURLE_OK else {
            curl_easy_cleanup(handle)
            throw HTTPClientError(result, address: request.address)
        }
        return handle
    }

    private static func prepare(_ handle: UnsafeMutableRawPointer, _ request: TransferRequest) {
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
}

/// State that a connection shares with the thread that serves it.
final class RawLink: Sendable {
    struct State {
        /// Bytes that the thread has not taken yet.
        var outgoing: [UInt8] = []
        /// Number of these bytes and of those that the thread has taken and not sent.
        var waiting = 0
        var isReceiving = true
        var isClosed = false
    }

    let state = Mutex(State())
}

/// An open connection of libcurl, freed with this object.
///
/// @unchecked: made on the thread that connects, and used by the thread of ``RawLoop`` only after that.
final class RawHandle: @unchecked Sendable {
    /// The server's address, for messages.
    let address: String
    private let handle: UnsafeMutableRawPointer

    /// Takes over an open handle.
    init(_ handle: UnsafeMutableRawPointer, address: String) {
        self.handle = handle
        self.address = address
    }

    deinit { curl_easy_cleanup(handle) }

    /// The descriptor; nil if the connection is lost.
    var socket: Int32? {
        var socket: curl_socket_t = -1
        return ccurl_get_socket(handle, &socket) == CURLE_OK && socket >= 0 ? socket : nil
    }

    /// The result of reading or writing without waiting.
    enum Transfer {
        case bytes(Int)
        case wouldBlock
        case failed(HTTPClientError)
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        var count = 0
        return transfer(curl_easy_send(handle, bytes.baseAddress, bytes.count, &count), count)
    }

    /// Receives bytes; 0 if the other end has closed the connection.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        var count = 0
        return transfer(curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count), count)
    }

    private func transfer(_ result: CURLcode, _ count: Int) -> Transfer {
        switch result {
        case CURLE_OK: .bytes(count)
        case CURLE_AGAIN: .wouldBlock
        default: .failed(HTTPClientError(result, address: address))
        }
    }
}
