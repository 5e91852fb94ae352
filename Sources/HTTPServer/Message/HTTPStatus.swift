/// The status code of a response (RFC 9110 §15).
public struct HTTPStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number, from 100 to 999.
    public let rawValue: Int

    /// Creates a status from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The number.
    public var description: String { "\(rawValue)" }

    /// Whether responses with this status have no content (RFC 9110 §6.4.1).
    public var forbidsContent: Bool { rawValue < 200 || rawValue == 204 || rawValue == 304 }

    /// 101.
    public static let switchingProtocols = HTTPStatus(rawValue: 101)
    /// 200.
    public static let ok = HTTPStatus(rawValue: 200)
    /// 201.
    public static let created = HTTPStatus(rawValue: 201)
    /// 202.
    public static let accepted = HTTPStatus(rawValue: 202)
    /// 204.
    public static let noContent = HTTPStatus(rawValue: 204)
    /// 206.
    public static let partialContent = HTTPStatus(rawValue: 206)
    /// 301.
    public static let movedPermanently = HTTPStatus(rawValue: 301)
    /// 302.
    public static let found = HTTPStatus(rawValue: 302)
    /// 303.
    public static let seeOther = HTTPStatus(rawValue: 303)
    /// 304.
    public static let notModified = HTTPStatus(rawValue: 304)
    /// 307.
    public static let temporaryRedirect = HTTPStatus(rawValue: 307)
    /// 308.
    public static let permanentRedirect = HTTPStatus(rawValue: 308)
    /// 400.
    public static let badRequest = HTTPStatus(rawValue: 400)
    /// 401.
    public static let unauthorized = HTTPStatus(rawValue: 401)
    /// 403.
    public static let forbidden = HTTPStatus(rawValue: 403)
    /// 404.
    public static let notFound = HTTPStatus(rawValue: 404)
    /// 405.
    public static let methodNotAllowed = HTTPStatus(rawValue: 405)
    /// 406.
    public static let notAcceptable = HTTPStatus(rawValue: 406)
    /// 408.
    public static let requestTimeout = HTTPStatus(rawValue: 408)
    /// 409.
    public static let conflict = HTTPStatus(rawValue: 409)
    /// 410.
    public static let gone = HTTPStatus(rawValue: 410)
    /// 411.
    public static let lengthRequired = HTTPStatus(rawValue: 411)
    /// 412.
    public static let preconditionFailed = HTTPStatus(rawValue: 412)
    /// 413.
    public static let contentTooLarge = HTTPStatus(rawValue: 413)
    /// 414.
    public static let uriTooLong = HTTPStatus(rawValue: 414)
    /// 415.
    public static let unsupportedMediaType = HTTPStatus(rawValue: 415)
    /// 416.
    public static let rangeNotSatisfiable = HTTPStatus(rawValue: 416)
    /// 422.
    public static let unprocessableContent = HTTPStatus(rawValue: 422)
    /// 426.
    public static let upgradeRequired = HTTPStatus(rawValue: 426)
    /// 428.
    public static let preconditionRequired = HTTPStatus(rawValue: 428)
    /// 429.
    public static let tooManyRequests = HTTPStatus(rawValue: 429)
    /// 431.
    public static let requestHeaderFieldsTooLarge = HTTPStatus(rawValue: 431)
    /// 500.
    public static let internalServerError = HTTPStatus(rawValue: 500)
    /// 501.
    public static let notImplemented = HTTPStatus(rawValue: 501)
    /// 502.
    public static let badGateway = HTTPStatus(rawValue: 502)
    /// 503.
    public static let serviceUnavailable = HTTPStatus(rawValue: 503)
    /// 504.
    public static let gatewayTimeout = HTTPStatus(rawValue: 504)
    /// 505.
    public static let httpVersionNotSupported = HTTPStatus(rawValue: 505)
    /// 507.
    public static let insufficientStorage = HTTPStatus(rawValue: 507)
}
