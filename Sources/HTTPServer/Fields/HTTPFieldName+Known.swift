extension HTTPFieldName {
    /// `Accept`.
    package static let accept = HTTPFieldName(token: "Accept")
    /// `Accept-Encoding`.
    package static let acceptEncoding = HTTPFieldName(token: "Accept-Encoding")
    /// `Accept-Ranges`.
    package static let acceptRanges = HTTPFieldName(token: "Accept-Ranges")
    /// `Access-Control-Allow-Credentials`.
    package static let accessControlAllowCredentials = HTTPFieldName(
        token: "Access-Control-Allow-Credentials")
    /// `Access-Control-Allow-Headers`.
    package static let accessControlAllowHeaders = HTTPFieldName(token: "Access-Control-Allow-Headers")
    /// `Access-Control-Allow-Methods`.
    package static let accessControlAllowMethods = HTTPFieldName(token: "Access-Control-Allow-Methods")
    /// `Access-Control-Allow-Origin`.
    package static let accessControlAllowOrigin = HTTPFieldName(token: "Access-Control-Allow-Origin")
    /// `Access-Control-Expose-Headers`.
    package static let accessControlExposeHeaders = HTTPFieldName(token: "Access-Control-Expose-Headers")
    /// `Access-Control-Max-Age`.
    package static let accessControlMaxAge = HTTPFieldName(token: "Access-Control-Max-Age")
    /// `Access-Control-Request-Headers`.
    package static let accessControlRequestHeaders = HTTPFieldName(token: "Access-Control-Request-Headers")
    /// `Access-Control-Request-Method`.
    package static let accessControlRequestMethod = HTTPFieldName(token: "Access-Control-Request-Method")
    /// `Allow`.
    package static let allow = HTTPFieldName(token: "Allow")
    /// `Authorization`.
    package static let authorization = HTTPFieldName(token: "Authorization")
    /// `Cache-Control`.
    package static let cacheControl = HTTPFieldName(token: "Cache-Control")
    /// `Connection`.
    package static let connection = HTTPFieldName(token: "Connection")
    /// `Content-Disposition`.
    package static let contentDisposition = HTTPFieldName(token: "Content-Disposition")
    /// `Content-Encoding`.
    package static let contentEncoding = HTTPFieldName(token: "Content-Encoding")
    /// `Content-Length`.
    package static let contentLength = HTTPFieldName(token: "Content-Length")
    /// `Content-Range`.
    package static let contentRange = HTTPFieldName(token: "Content-Range")
    /// `Content-Type`.
    package static let contentType = HTTPFieldName(token: "Content-Type")
    /// `Cookie`.
    package static let cookie = HTTPFieldName(token: "Cookie")
    /// `Date`.
    package static let date = HTTPFieldName(token: "Date")
    /// `ETag`.
    package static let entityTag = HTTPFieldName(token: "ETag")
    /// `Expect`.
    package static let expect = HTTPFieldName(token: "Expect")
    /// `Forwarded`.
    package static let forwarded = HTTPFieldName(token: "Forwarded")
    /// `Host`.
    package static let host = HTTPFieldName(token: "Host")
    /// `If-Match`.
    package static let ifMatch = HTTPFieldName(token: "If-Match")
    /// `If-Modified-Since`.
    package static let ifModifiedSince = HTTPFieldName(token: "If-Modified-Since")
    /// `If-None-Match`.
    package static let ifNoneMatch = HTTPFieldName(token: "If-None-Match")
    /// `If-Range`.
    package static let ifRange = HTTPFieldName(token: "If-Range")
    /// `If-Unmodified-Since`.
    package static let ifUnmodifiedSince = HTTPFieldName(token: "If-Unmodified-Since")
    /// `Last-Modified`.
    package static let lastModified = HTTPFieldName(token: "Last-Modified")
    /// `Location`.
    package static let location = HTTPFieldName(token: "Location")
    /// `Origin`.
    package static let origin = HTTPFieldName(token: "Origin")
    /// `Range`.
    package static let range = HTTPFieldName(token: "Range")
    /// `Referer`.
    package static let referer = HTTPFieldName(token: "Referer")
    /// `X-Request-Id`.
    package static let requestID = HTTPFieldName(token: "X-Request-Id")
    /// `Retry-After`.
    package static let retryAfter = HTTPFieldName(token: "Retry-After")
    /// `Sec-Fetch-Mode`: whether the request is a browser navigation, or made by a script or element of a page (Fetch
    /// Metadata).
    package static let secFetchMode = HTTPFieldName(token: "Sec-Fetch-Mode")
    /// `Sec-Fetch-Site`: whether a browser makes the request for a page of the same origin or of another (Fetch Metadata).
    package static let secFetchSite = HTTPFieldName(token: "Sec-Fetch-Site")
    /// `Sec-WebSocket-Accept`.
    package static let secWebSocketAccept = HTTPFieldName(token: "Sec-WebSocket-Accept")
    /// `Sec-WebSocket-Key`.
    package static let secWebSocketKey = HTTPFieldName(token: "Sec-WebSocket-Key")
    /// `Sec-WebSocket-Protocol`.
    package static let secWebSocketProtocol = HTTPFieldName(token: "Sec-WebSocket-Protocol")
    /// `Sec-WebSocket-Version`.
    package static let secWebSocketVersion = HTTPFieldName(token: "Sec-WebSocket-Version")
    /// `Server`.
    package static let server = HTTPFieldName(token: "Server")
    /// `Set-Cookie`.
    package static let setCookie = HTTPFieldName(token: "Set-Cookie")
    /// `Transfer-Encoding`.
    package static let transferEncoding = HTTPFieldName(token: "Transfer-Encoding")
    /// `Upgrade`.
    package static let upgrade = HTTPFieldName(token: "Upgrade")
    /// `User-Agent`.
    package static let userAgent = HTTPFieldName(token: "User-Agent")
    /// `Upload-Offset`: the number of bytes of a resumable upload received so far.
    package static let uploadOffset = HTTPFieldName(token: "Upload-Offset")
    /// `Vary`.
    package static let vary = HTTPFieldName(token: "Vary")
    /// `WWW-Authenticate`.
    package static let wwwAuthenticate = HTTPFieldName(token: "WWW-Authenticate")
    /// `X-Content-Type-Options`.
    package static let xContentTypeOptions = HTTPFieldName(token: "X-Content-Type-Options")
    /// `X-Forwarded-For`: the client address as seen by a proxy, appended to the addresses that the proxy received.
    package static let xForwardedFor = HTTPFieldName(token: "X-Forwarded-For")
}
