/// Converts a handler's response to the one sent to this client: 304, 206 and 416, compression, and the corresponding fields.
struct ResponseCompletion: Sendable {
    /// Minimum content size for compression, in bytes.
    var compressionThreshold = 1024

    func complete(_ response: inout HTTPResponse, for request: HTTPRequest) {
        guard request.method == .get || request.method == .head, response.status == .ok else {
            compress(&response, for: request)
            return
        }
        if response.allowsRanges, response.body.byteCount != nil, response.fields[.acceptRanges] == nil {
            response.fields.append(HTTPField(.acceptRanges, "bytes"))
        }
        // The fast path: most requests are not conditional.
        guard request.fields.contains(where: { $0.name.isConditional }) else {
            compress(&response, for: request)
            return
        }
        let preconditions = Preconditions(
            entityTag: response.fields[.entityTag].flatMap { EntityTag(parsing: $0) },
            lastModified: response.fields[.lastModified].flatMap { HTTPDate($0) })
        // Range is only defined for GET (RFC 9110 §14.2).
        let byteCount = response.allowsRanges && request.method == .get ? response.body.byteCount : nil
        switch preconditions.evaluate(request.fields, byteCount: byteCount) {
        case .full: compress(&response, for: request)
        case .partial(let range): cut(&response, to: range)
        case .notModified: leaveOut(&response, for: request)
        case .failed:
            fail(
                &response, for: request,
                HTTPError(
                    .preconditionFailed, code: "precondition_failed", message: "The resource has changed."))
        case .rangeNotSatisfiable:
            let length = response.body.byteCount ?? 0
            fail(
                &response, for: request,
                HTTPError(
                    .rangeNotSatisfiable, code: "range_not_satisfiable",
                    message: "The range lies outside the content of \(length) bytes.", field: "Range",
                    fields: [.contentRange: "bytes */\(length)", .acceptRanges: "bytes"]))
        }
    }

    private func cut(_ response: inout HTTPResponse, to range: Range<Int>) {
        let length = response.body.byteCount ?? 0
        switch response.body {
        case .bytes(let bytes): response.body = .bytes(Array(bytes[range]))
        case .file(let region): response.body = .file(region[range])
        case .stream(let stream): response.body = .stream(stream.cut(to: range))
        case .empty, .webSocket: return
        }
        response.status = .partialContent
        response.fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
    }

    /// Removes the content and the fields that describe it (RFC 9110 §15.4.5).
    private func leaveOut(_ response: inout HTTPResponse, for request: HTTPRequest) {
        // The length sent is that of the content which would have been sent: if it is unknown, the library creates a chunked
        // body, whose final chunk the client would mistake for the next response.
        compress(&response, for: request)
        response.omittedByteCount = response.body.byteCount ?? 0
        response.status = .notModified
        response.body = .empty
        for name in [HTTPFieldName.contentType, .contentEncoding, .contentRange, .acceptRanges] {
            response.fields[name] = nil
        }
    }

    /// Replaces the response with an error, but keeps the fields added by middleware.
    private func fail(_ response: inout HTTPResponse, for request: HTTPRequest, _ error: HTTPError) {
        let described: Set<HTTPFieldName> = [
            .contentType, .contentEncoding, .contentDisposition, .cacheControl, .entityTag, .lastModified,
            .acceptRanges,
        ]
        var answer = error.response(to: request)
        for field in response.fields where !described.contains(field.name) { answer.fields.append(field) }
        response = answer
    }

    private func isCompressible(_ response: HTTPResponse) -> Bool {
        guard response.allowsCompression, !response.status.forbidsContent, response.status != .partialContent,
            case .bytes(let bytes) = response.body, bytes.count >= compressionThreshold,
            !response.fields.contains(.contentEncoding), let type = response.fields[.contentType]
        else { return false }
        return isCompressibleType(type)
    }

    private func compress(_ response: inout HTTPResponse, for request: HTTPRequest) {
        guard isCompressible(response), case .bytes(let bytes) = response.body else { return }
        response.fields.add(token: "Accept-Encoding", to: .vary)
        guard acceptsGzip(request.fields), let packed = gzip(bytes), packed.count < bytes.count else {
            return
        }
        response.body = .bytes(packed)
        response.fields[.contentEncoding] = "gzip"
        // Ranges and strong comparison apply to the uncompressed bytes.
        response.fields[.acceptRanges] = nil
        if let tag = response.fields[.entityTag].flatMap({ EntityTag(parsing: $0) }), !tag.isWeak {
            response.fields[.entityTag] = EntityTag(tag.value, isWeak: true).description
        }
    }
}

extension HTTPFieldName {
    /// Whether the field requests a range or makes the response depend on the state (RFC 9110 §13.1, §14.2).
    fileprivate var isConditional: Bool {
        canonicalName.utf8Span.span.starts(with: "if-".utf8Span.span) || self == .range
    }
}
