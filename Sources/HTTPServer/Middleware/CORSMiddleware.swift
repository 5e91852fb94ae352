/// Allows pages of other origins to call the server (the CORS protocol of the Fetch standard).
///
/// Credentials in the sense of the standard (cookies) are never allowed; an `Authorization` header set by a script works.
package struct CORSMiddleware: HTTPMiddleware {
    /// The allowed origins.
    package enum Origins: Sendable, Hashable {
        /// All origins.
        case any
        /// The listed origins, such as `https://example.org`.
        case listed(Set<String>)
    }

    private let origins: Origins
    private let methods: String
    private let requestFields: String
    private let exposedFields: String
    private let maxAge: String

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - origins: The allowed origins.
    ///   - methods: The allowed methods.
    ///   - requestFields: The request fields that pages may send.
    ///   - exposedFields: The response fields that pages may read.
    ///   - maxAgeSeconds: How long a browser may cache the response to a preflight request.
    package init(
        origins: Origins = .any, methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete],
        requestFields: [HTTPFieldName] = [
            .authorization, .contentType, .contentRange, .range, .ifRange, .ifMatch, .ifNoneMatch,
            .ifModifiedSince,
        ],
        exposedFields: [HTTPFieldName] = [
            .contentLength, .contentRange, .acceptRanges, .entityTag, .lastModified, .location, .requestID,
            .retryAfter, .uploadOffset,
        ],
        maxAgeSeconds: Int = 86_400
    ) {
        self.origins = origins
        self.methods = methods.map(\.rawValue).joined(separator: ", ")
        self.requestFields = requestFields.map(\.rawName).joined(separator: ", ")
        self.exposedFields = exposedFields.map(\.rawName).joined(separator: ", ")
        maxAge = String(maxAgeSeconds)
    }

    /// Answers preflight requests.
    package func prepare(_ request: inout HTTPRequest) throws -> HTTPResponse? {
        isPreflight(request) ? HTTPResponse(.noContent) : nil
    }

    /// Adds the fields that allow the page to read the response, including errors.
    package func finish(_ outcome: inout Result<HTTPResponse, any Error>, for request: HTTPRequest) {
        guard let origin = request.fields[.origin] else {
            if case .listed = origins, case .success(var response) = outcome {
                response.fields.add(token: "Origin", to: .vary)
                outcome = .success(response)
            }
            return
        }
        var response: HTTPResponse
        switch outcome {
        case .success(let answer): response = answer
        case .failure(let error as any HTTPResponseError): response = error.response(to: request)
        case .failure: return
        }
        allow(origin, &response, isPreflight: isPreflight(request))
        outcome = .success(response)
    }

    private func isPreflight(_ request: HTTPRequest) -> Bool {
        request.method == .options && request.fields.contains(.origin)
            && request.fields.contains(.accessControlRequestMethod)
    }

    private func allow(_ origin: String, _ response: inout HTTPResponse, isPreflight: Bool) {
        switch origins {
        case .any:
            response.fields[.accessControlAllowOrigin] = "*"
        case .listed(let listed):
            response.fields.add(token: "Origin", to: .vary)
            guard listed.contains(origin) else { return }
            response.fields[.accessControlAllowOrigin] = origin
        }
        if isPreflight {
            response.fields[.accessControlAllowMethods] = methods
            response.fields[.accessControlAllowHeaders] = requestFields
            response.fields[.accessControlMaxAge] = maxAge
        } else {
            response.fields[.accessControlExposeHeaders] = exposedFields
        }
    }
}
