extension HTTPFieldName {
    /// `Accept`.
    public static let accept = HTTPFieldName(token: "Accept")
    /// `Accept-Encoding`.
    public static let acceptEncoding = HTTPFieldName(token: "Accept-Encoding")
    /// `Accept-Ranges`.
    public static let acceptRanges = HTTPFieldName(token: "Accept-Ranges")
    /// `Access-Control-Allow-Credentials`.
    public static let accessControlAllowCredentials = HTTPFieldName(token: "Access-Control-Allow-Credentials")
    /// `Access-Control-Allow-Headers`.
    public static let accessControlAllowHeaders = HTTPFieldName(token: "Access-Control-Allow-Headers")
    /// `Access-Control-Allow-Methods`.
    public static let accessControlAllowMethods = HTTPFieldName(token: "Access-Control-Allow-Methods")
    /// `Access-Control-Allow-Origin`.
    public static let accessControlAllowOrigin = HTTPFieldName(token: "Access-Control-Allow-Origin")
    /// `Access-Control-Expose-Headers`.
    public static let accessControlExposeHeaders = HTTPFieldName(token: "Access-Control-Expose-Headers")
    /// `Access-Control-Max-Age`.
    public static let accessControlMaxAge = HTTPFieldName(token: "Access-Control-Max-Age")
    /// `Access-Control-Request-Headers`.
    public static let accessControlRequestHeaders = HTTPFieldName(token: "Access-Control-Request-Headers")
    /// `Access-Control-Request-Method`.
    public static let accessControlRequestMethod = HTTPFieldName(token: "Access-Control-Request-Method")
    /// `Allow`.
    public static let allow = HTTPFieldName(token: "Allow")
    /// `Authorization`.
    public static let authorization = HTTPFieldName(token: "Authorization")
    /// `Cache-Control`.
    public static let cacheControl = HTTPFieldName(token: "Cache-Control")
    /// `Connection`.
    public static let connection = HTTPFieldName(token: "Connection")
    /// `Content-Disposition`.
    public static let contentDisposition = HTTPFieldName(token: "Content-Disposition")
    /// `Content-Encoding`.
    public static let contentEncoding = HTTPFieldName(token: "Content-Encoding")
    /// `Content-Length`.
    public static let contentLength = HTTPFieldName(token: "Content-Length")
    /// `Content-Range`.
    public static let contentRange = HTTPFieldName(token: "Content-Range")
    /// `Content-Type`.
    public static let contentType = HTTPFieldName(token: "Content-Type")
    /// `Cookie`.
    public static let cookie = HTTPFieldName(token: "Cookie")
    /// `Date`.
    public static let date = HTTPFieldName(token: "Date")
    /// `ETag`.
    public static let entityTag = HTTPFieldName(token: "ETag")
    /// `Expect`.
    public static let expect = HTTPFieldName(token: "Expect")
    /// `Forwarded`.
    public static let forwarded = HTTPFieldName(token: "Forwarded")
    /// `Host`.
    public static let host = HTTPFieldName(token: "Host")
    /// `If-Match`.
    public static let ifMatch = HTTPFieldName(token: "If-Match")
    /// `If-Modified-Since`.
    public static let ifModifiedSince = HTTPFieldName(token: "If-Modified-Since")
    /// `If-None-Match`.
    public static let ifNoneMatch = HTTPFieldName(token: "If-None-Match")
    /// `If-Range`.
    public static let ifRange = HTTPFieldName(token: "If-Range")
    /// `If-Unmodified-Since`.
    public static let ifUnmodifiedSince = HTTPFieldName(token: "If-Unmodified-Since")
    /// `Last-Modified`.
    public static let lastModified = HTTPFieldName(token: "Last-Modified")
    /// `Location`.
    public static let location = HTTPFieldName(token: "Location")
    /// `Origin`.
    public static let origin = HTTPFieldName(token: "Origin")
    /// `Range`.
    public static let range = HTTPFieldName(token: "Range")
    /// `Referer`.
    public static let referer = HTTPFieldName(token: "Referer")
    /// `X-Request-Id`.
    public static let requestID = HTTPFieldName(token: "X-Request-Id")
    /// `Retry-After`.
    public static let retryAfter = HTTPFieldName(token: "Retry-After")
    /// `Sec-Fetch-Mode`: whether the request is a browser navigation, or made by a script or element of a page (Fetch
    /// Metadata).
    public static let secFetchMode = HTTPFieldName(token: "Sec-Fetch-Mode")
    /// `Sec-Fetch-Site`: whether a browser makes the request for a page of the same origin or of another (Fetch Metadata).
    public static let secFetchSite = HTTPFieldName(token: "Sec-Fetch-Site")
    /// `Sec-WebSocket-Accept`.
    public static let secWebSocketAccept = HTTPFieldName(token: "Sec-WebSocket-Accept")
    /// `Sec-WebSocket-Key`.
    public static let secWebSocketKey = HTTPFieldName(token: "Sec-WebSocket-Key")
    /// `Sec-WebSocket-Protocol`.
    public static let secWebSocketProtocol = HTTPFieldName(token: "Sec-WebSocket-Protocol")
    /// `Sec-WebSocket-Version`.
    public static let secWebSocketVersion = HTTPFieldName(token: "Sec-WebSocket-Version")
    /// `Server`.
    public static let server = HTTPFieldName(token: "Server")
    /// `Set-Cookie`.
    public static let setCookie = HTTPFieldName(token: "Set-Cookie")
    /// `Transfer-Encoding`.
    public static let transferEncoding = HTTPFieldName(token: "Transfer-Encoding")
    /// `Upgrade`.
    public static let upgrade = HTTPFieldName(token: "Upgrade")
    /// `User-Agent`.
    public static let userAgent = HTTPFieldName(token: "User-Agent")
    /// `Upload-Offset`: the number of bytes of a resumable upload received so far.
    public static let uploadOffset = HTTPFieldName(token: "Upload-Offset")
    /// `Vary`.
    public static let vary = HTTPFieldName(token: "Vary")
    /// `WWW-Authenticate`.
    public static let wwwAuthenticate = HTTPFieldName(token: "WWW-Authenticate")
    /// `X-Content-Type-Options`.
    public static let xContentTypeOptions = HTTPFieldName(token: "X-Content-Type-Options")
    /// `X-Forwarded-For`: the client address as seen by a proxy, appended to the addresses that the proxy received.
    public static let xForwardedFor = HTTPFieldName(token: "X-Forwarded-For")
}
