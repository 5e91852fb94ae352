internal import CCurl
internal import Glibc

/// A handle of the library during a transfer. Belongs to the loop's thread.
final class RunningTransfer {
    let handle: UnsafeMutableRawPointer
    let receiver: any TransferReceiver
    private let request: TransferRequest
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private var status = 0
    private var fields: [(name: String, value: String)] = []
    private var hasBegun = false
    private var isPaused = false
    /// Number of bytes of the file that have been read.
    private var sentCount = 0
    /// Whether an address was refused, and no other one was connected to.
    private(set) var isRefused = false
    private let start = ContinuousClock.now
    private var lastActivity = ContinuousClock.now

    init?(_ request: TransferRequest, receiver: any TransferReceiver, userAgent: String) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.receiver = receiver
        self.request = request
        setUp(userAgent: userAgent)
    }

    deinit {
        curl_easy_cleanup(handle)
        for list in lists { curl_slist_free_all(list) }
    }

    private func setUp(userAgent: String) {
        ccurl_set_text(handle, CURLOPT_URL, request.address)
        ccurl_set_text(handle, CURLOPT_USERAGENT, userAgent)
        ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        ccurl_set_text(handle, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, request.redirectionLimit > 0 ? 1 : 0)
        ccurl_set_number(handle, CURLOPT_MAXREDIRS, request.redirectionLimit)
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(request.connectSeconds * 1000)))
        ccurl_set_number(handle, CURLOPT_BUFFERSIZE, 1 << 16)
        // A segment is small: waiting for more to send would only delay it.
        ccurl_set_number(handle, CURLOPT_TCP_NODELAY, 1)
        ccurl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
        if request.acceptsCompression { ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "") }
        if let range = request.range { ccurl_set_text(handle, CURLOPT_RANGE, range) }
        if let file = request.certificateFile { ccurl_set_text(handle, CURLOPT_CAINFO, file) }
        if !request.checksCertificates {
            ccurl_set_number(handle, CURLOPT_SSL_VERIFYPEER, 0)
            ccurl_set_number(handle, CURLOPT_SSL_VERIFYHOST, 0)
        }
        if request.policy != nil {
            ccurl_set_text(handle, CURLOPT_PROXY, "")
            ccurl_set_socket_opener(handle, openSocket, Unmanaged.passUnretained(self).toOpaque())
        }
        setMethod()
        setSignature()
        setFields()
        // SHOUTcast servers send this in place of a version.
        setList(CURLOPT_HTTP200ALIASES, ["ICY 200 OK"])
        // Not retained: the loop keeps this object until the handle has been removed.
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_receiver(handle, receiveContent, context)
        ccurl_set_header_receiver(handle, receiveHeader, context)
    }

    private func setSignature() {
        guard let signature = request.signature else { return }
        ccurl_set_text(handle, CURLOPT_AWS_SIGV4, "aws:amz:\(signature.region):s3")
        ccurl_set_text(handle, CURLOPT_USERNAME, signature.accessKeyID)
        ccurl_set_text(handle, CURLOPT_PASSWORD, signature.secretAccessKey)
        // The signature is that of the path as it is.
        ccurl_set_number(handle, CURLOPT_PATH_AS_IS, 1)
    }

    private var signatureFields: [(name: String, value: String)] {
        guard let signature = request.signature else { return [] }
        // Required by the service; the library computes the signature with it, but adds the field in later versions only.
        let digest =
            request.file?.digest
            ?? (request.body == nil ? RequestSignature.digestOfNothing : "UNSIGNED-PAYLOAD")
        let token = signature.sessionToken.map { [("x-amz-security-token", $0)] } ?? []
        return [("x-amz-content-sha256", digest)] + token
    }

    private func setFields() {
        // The library would wait for permission to send larger bodies; servers that do not know the field cost a second. The
        // empty field stands for its absence, but older versions of the library would sign it.
        let expectation = request.signature == nil ? ["Expect:"] : []
        let fields = request.fields + signatureFields
        setList(CURLOPT_HTTPHEADER, fields.map { "\($0.name): \($0.value)" } + expectation)
    }

    private func setMethod() {
        if let file = request.file {
            let context = Unmanaged.passUnretained(self).toOpaque()
            ccurl_set_sender(handle, sendContent, seekContent, file.byteCount, context)
            return
        }
        switch request.method {
        case "GET" where request.body == nil: return
        case "HEAD":
            ccurl_set_number(handle, CURLOPT_NOBODY, 1)
            return
        default: break
        }
        if let body = request.body ?? (request.method == "DELETE" ? nil : []) {
            _ = body.withUnsafeBytes { ccurl_set_body(handle, $0.baseAddress, $0.count) }
        }
        ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setList(_ option: CURLoption, _ lines: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            // A line break in a value would start another field.
            guard !line.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) else { continue }
            guard let longer = curl_slist_append(list, line) else { continue }
            list = longer
        }
        guard let list else { return }
        lists.append(list)
        ccurl_set_list(handle, option, list)
    }

    var address: String { request.address }

    /// The deadline after which the transfer fails unless something arrives, with the error.
    var deadline: (at: ContinuousClock.Instant, awaiting: String)? {
        let whole = request.totalSeconds.map { (start + .seconds($0), "end of the answer") }
        guard !isPaused else { return whole }
        let next =
            hasBegun
            ? (lastActivity + .seconds(request.idleSeconds), "data")
            : ((request.file == nil ? start : lastActivity) + .seconds(request.responseSeconds), "answer")
        guard let whole, whole.0 < next.0 else { return next }
        return whole
    }

    func resume() {
        guard isPaused else { return }
        isPaused = false
        lastActivity = .now
        // May call the receiver before it returns.
        curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    /// Delivers the head of an answer without content, which nothing else has delivered.
    func reportHeadOfEmptyAnswer(unless error: HTTPClientError?) {
        if error == nil, !hasBegun, status != 0 { begin() }
    }

    private func begin() {
        hasBegun = true
        let address = ccurl_effective_address(handle).map { String(cString: $0) } ?? request.address
        receiver.transferBegan(TransferHead(status: status, fields: fields, address: address))
    }

    fileprivate func takeHeader(_ bytes: UnsafeRawBufferPointer) {
        lastActivity = .now
        // Trailers come after the content.
        guard !hasBegun else { return }
        var line = String(decoding: bytes, as: UTF8.self)
        while let last = line.unicodeScalars.last, last == "\r" || last == "\n" {
            line.unicodeScalars.removeLast()
        }
        if line.isEmpty {
            let isInterim = (100..<200).contains(status)
            if !isInterim, !isFollowedElsewhere { begin() }
        } else if let colon = line.firstIndex(of: ":"), !line.hasPrefix("HTTP/") {
            let value = line[line.index(after: colon)...]
            fields.append((String(line[..<colon]), value.trimmingSpaces()))
        } else {
            // A status line starts another answer: the one before was an interim answer or a redirection.
            fields = []
            let parts = line.split(separator: " ", maxSplits: 2)
            status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        }
    }

    /// Reads the next bytes of the file. Returns their number; nil if they cannot be read.
    fileprivate func takeBytes(_ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int? {
        lastActivity = .now
        let length = request.file?.read(into: buffer, count, at: sentCount)
        sentCount += length ?? 0
        return length
    }

    fileprivate func seek(to offset: Int) { sentCount = offset }

    /// Opens a socket for an address that the policy allows.
    fileprivate func socket(for address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        // The library reserves more memory for the address than its declaration says.
        let place = UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
        let length = Int(address.pointee.addrlen)
        let range: Range<Int>? =
            switch address.pointee.family {
            case AF_INET: 4..<8
            case AF_INET6: 8..<24
            default: nil
            }
        guard let range, range.upperBound <= length,
            let found = NetworkAddress(
                bytes: Array(UnsafeRawBufferPointer(start: place, count: length)[range])),
            request.policy?.permits(found) != false
        else {
            isRefused = true
            return CURL_SOCKET_BAD
        }
        isRefused = false
        return Glibc.socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol)
    }

    private var isFollowedElsewhere: Bool {
        request.redirectionLimit > 0 && (300..<400).contains(status) && status != 304
            && fields.contains { $0.name.lowercased() == "location" }
    }

    fileprivate func takeContent(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = .now
        if !hasBegun { begin() }
        guard receiver.transferReceived(bytes) else {
            isPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        return bytes.count
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> String {
        var text = self.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}

private func receiveContent(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.takeContent(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
    transfer.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private func sendContent(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let context, let bytes else { return Int(CURL_READFUNC_ABORT) }
    let transfer = Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue()
    return transfer.takeBytes(bytes, size * count) ?? Int(CURL_READFUNC_ABORT)
}

private func seekContent(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32
{
    guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue().seek(to: Int(offset))
    return CURL_SEEKFUNC_OK
}

private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address else { return CURL_SOCKET_BAD }
    return Unmanaged<RunningTransfer>.fromOpaque(context).takeUnretainedValue().socket(for: address)
}
