internal import CErrorPages
internal import CMicroHTTPD

/// Responses to requests that the HTTP library rejects itself, in the same form as all other errors.
enum ErrorPages {
    /// Replaces the library's own pages, for all servers of the process.
    static func install() { cep_set_page_maker(makeErrorPage) }

    /// Returns the error for a status of the library.
    static func error(for status: UInt32) -> HTTPError {
        switch status {
        case 413:
            HTTPError(.contentTooLarge, code: "content_too_large", message: "The body is too large.")
        case 414: HTTPError(.uriTooLong, code: "uri_too_long", message: "The path and query are too long.")
        case 431:
            HTTPError(
                .requestHeaderFieldsTooLarge, code: "header_too_large",
                message: "The header fields are too large.")
        case 505:
            HTTPError(
                .httpVersionNotSupported, code: "http_version_not_supported",
                message: "Only HTTP/1.1 and HTTP/1.0 are supported.")
        // Handlers accept all data or suspend the connection, so a 500 from the library means that a line of a chunked body
        // does not fit its buffer.
        default: malformed("Malformed request: invalid first line, header or chunk.")
        }
    }

    /// Returns the error for a request that violates the protocol.
    static func malformed(_ message: String) -> HTTPError {
        HTTPError(.badRequest, code: "malformed_request", message: message)
    }
}

/// Creates the response that replaces a page of the library.
private func makeErrorPage(_ connection: OpaquePointer?, _ status: UnsafeMutablePointer<UInt32>?)
    -> OpaquePointer?
{
    guard let status else { return nil }
    let answer = ErrorPages.error(for: status.pointee).plainResponse
    guard case .bytes(let bytes) = answer.body else { return nil }
    let client = connection.flatMap { cmhd_socket_context($0) }.map {
        Unmanaged<ClientConnection>.fromOpaque($0).takeUnretainedValue()
    }
    client?.answeredByLibrary(answer)
    if [400, 413].contains(answer.status.rawValue), client?.answerDirectly(answer, bytes) == true {
        status.pointee = 0
        return nil
    }
    let page = bytes.withUnsafeBytes {
        // The library copies the bytes; it only reads through the pointer.
        MHD_create_response_from_buffer(
            $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let page else { return nil }
    for field in answer.fields {
        _ = field.name.rawName.withCString { name in
            field.value.withCString { MHD_add_response_header(page, name, $0) }
        }
    }
    status.pointee = UInt32(clamping: answer.status.rawValue)
    return page
}
