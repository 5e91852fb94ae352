internal import CCurl

/// Sends requests to other servers through libcurl. Each request blocks its thread and uses a connection of its own.
///
/// Redirections are not followed: the request is meant for the named server only.
package struct HTTPClient: Sendable {
    /// Timeout for a whole answer, from the first packet to the last byte, in seconds.
    package var timeoutSeconds = 15.0
    /// The maximum size of an answer's content in bytes.
    package var contentLimit = 1 << 20
    /// Whether the server's certificate is verified. Turn it off only where the answer is worthless to an attacker.
    package var checksCertificates = true
    /// The program's name for the `User-Agent` field.
    package var userAgent: String

    /// Creates a client for the named program.
    package init(userAgent: String) { self.userAgent = userAgent }

    /// Initialises the library, once per process.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Sends a request to an `http` or `https` address. Answers of any status are returned.
    /// - Throws: ``HTTPClientError`` if there is no answer.
    package func get(_ address: String) throws(HTTPClientError) -> HTTPAnswer {
        guard Self.isReady, let transfer = Transfer(limit: contentLimit) else {
            throw HTTPClientError(code: .unreachable, description: "out of memory")
        }
        if !checksCertificates { transfer.trustAnyServer() }
        return try transfer.get(address, userAgent: userAgent, timeoutSeconds: timeoutSeconds)
    }
}

/// A handle of the library, used for one request.
private final class Transfer {
    private let handle: UnsafeMutableRawPointer
    private let limit: Int
    private var body: [UInt8] = []
    private var isTooLarge = false

    init?(limit: Int) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.limit = limit
    }

    deinit { curl_easy_cleanup(handle) }

    func trustAnyServer() {
        ccurl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 0)
        ccurl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 0)
    }

    func get(_ address: String, userAgent: String, timeoutSeconds: Double) throws(HTTPClientError)
        -> HTTPAnswer
    {
        // The library copies strings.
        ccurl_set_text(handle, CURLOPT_URL, address)
        ccurl_set_text(handle, CURLOPT_USERAGENT, userAgent)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        // Signals would interrupt system calls of other threads.
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, max(1, Int(timeoutSeconds * 1000)))
        // Not retained: the transfer ends before this object is freed.
        ccurl_set_receiver(handle, receive, Unmanaged.passUnretained(self).toOpaque())
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK else { throw failure(code, address) }
        var status = 0
        ccurl_get_status(handle, &status)
        let type = ccurl_content_type(handle).map { String(cString: $0) } ?? ""
        let media = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        return HTTPAnswer(status: status, mediaType: media, body: body)
    }

    /// Appends a piece of the content.
    /// - Returns: whether it was accepted.
    fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= limit else {
            isTooLarge = true
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    private func failure(_ result: CURLcode, _ address: String) -> HTTPClientError {
        guard result == CURLE_WRITE_ERROR, isTooLarge else {
            return HTTPClientError(result, address: address)
        }
        return HTTPClientError(code: .tooLarge, description: "the answer is larger than \(limit) bytes")
    }
}

private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.take(piece) ? piece.count : 0
}
