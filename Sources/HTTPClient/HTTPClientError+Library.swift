internal import CCurl

extension HTTPClientError {
    /// Maps the library's result of a request to an error.
    init(_ result: CURLcode, address: String) {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        let text = curl_easy_strerror(result).map { String(cString: $0) } ?? "failed"
        let code: Code =
            switch result {
            // Also used for an answer that is not HTTP/1 and might be HTTP/0.9.
            case CURLE_UNSUPPORTED_PROTOCOL where scheme == "http" || scheme == "https": .badAnswer
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .badAddress
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
                CURLE_SSL_CACERT_BADFILE:
                .insecure
            case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .badAnswer
            case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING,
                CURLE_HTTP2, CURLE_HTTP2_STREAM:
                .connectionLost
            case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirections
            default: .unreachable
            }
        self.init(code: code, description: text)
    }
}
