internal import CCurl

/// Asks other servers, by libcurl. Each request blocks its thread, and has a connection of its own.
///
/// Redirections are not followed: what is sent is meant for the server that was named.
public struct HTTPClient: Sendable {
    /// How long an answer may take, from the first packet to the last byte, in seconds.
    public var timeoutSeconds = 15.0
    /// The most bytes of content that are taken.
    public var contentLimit = 1 << 20
    /// Whether a server has to prove who it is. No is right only where the answer holds nothing of worth.
    public var checksCertificates = true
    /// What the program calls itself.
    public var userAgent: String

    /// Names the program.
    public init(userAgent: String) { self.userAgent = userAgent }

    /// The library is initialised once a process. Later calls find it done.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Asks for an address of `http` or `https`. Answers of any status are answers.
    /// - Throws: where there is none.
    public func get(_ address: String) throws(HTTPClientError) -> HTTPAnswer {
        guard Self.isReady, let transfer = Transfer(limit: contentLimit) else {
            throw HTTPClientError(code: .unreachable, description: "out of memory")
        }
        if !checksCertificates { transfer.trustAnyServer() }
        return try transfer.get(address, userAgent: userAgent, timeoutSeconds: timeoutSeconds)
    }
}

/// One handle of the library's, used once.
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
        // The library copies texts.
        ccurl_set_text(handle, CURLOPT_URL, address)
        ccurl_set_text(handle, CURLOPT_USERAGENT, userAgent)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        // Signals would end system calls of other threads.
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
        ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, max(1, Int(timeoutSeconds * 1000)))
        // Not retained: the transfer ends before this does.
        ccurl_set_receiver(handle, receive, Unmanaged.passUnretained(self).toOpaque())
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK else { throw failure(code, address) }
        var status = 0
        ccurl_get_status(handle, &status)
        let type = ccurl_content_type(handle).map { String(cString: $0) } ?? ""
        let media = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        return HTTPAnswer(status: status, mediaType: media, body: body)
    }

    /// Takes a piece of the content.
    /// - Returns: whether it was taken.
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
