/// The status code of a response (RFC 9110 §15).
package struct HTTPStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number, from 100 to 999.
    package let rawValue: Int

    /// Creates a status from its number.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The number.
    package var description: String { "\(rawValue)" }

    /// Whether responses with this status have no content (RFC 9110 §6.4.1).
    package var forbidsContent: Bool { rawValue < 200 || rawValue == 204 || rawValue == 304 }

    /// 101.
    package static let switchingProtocols = HTTPStatus(rawValue: 101)
    /// 200.
    package static let ok = HTTPStatus(rawValue: 200)
    /// 201.
    package static let created = HTTPStatus(rawValue: 201)
    /// 202.
    package static let accepted = HTTPStatus(rawValue: 202)
    /// 204.
    package static let noContent = HTTPStatus(rawValue: 204)
    /// 206.
    package static let partialContent = HTTPStatus(rawValue: 206)
    /// 301.
    package static let movedPermanently = HTTPStatus(rawValue: 301)
    /// 302.
    package static let found = HTTPStatus(rawValue: 302)
    /// 303.
    package static let seeOther = HTTPStatus(rawValue: 303)
    /// 304.
    package static let notModified = HTTPStatus(rawValue: 304)
    /// 307.
    package static let temporaryRedirect = HTTPStatus(rawValue: 307)
    /// 308.
    package static let permanentRedirect = HTTPStatus(rawValue: 308)
    /// 400.
    package static let badRequest = HTTPStatus(rawValue: 400)
    /// 401.
    package static let unauthorized = HTTPStatus(rawValue: 401)
    /// 403.
    package static let forbidden = HTTPStatus(rawValue: 403)
    /// 404.
    package static let notFound = HTTPStatus(rawValue: 404)
    /// 405.
    package static let methodNotAllowed = HTTPStatus(rawValue: 405)
    /// 406.
    package static let notAcceptable = HTTPStatus(rawValue: 406)
    /// 408.
    package static let requestTimeout = HTTPStatus(rawValue: 408)
    /// 409.
    package static let conflict = HTTPStatus(rawValue: 409)
    /// 410.
    package static let gone = HTTPStatus(rawValue: 410)
    /// 411.
    package static let lengthRequired = HTTPStatus(rawValue: 411)
    /// 412.
    package static let preconditionFailed = HTTPStatus(rawValue: 412)
    /// 413.
    package static let contentTooLarge = HTTPStatus(rawValue: 413)
    /// 414.
    package static let uriTooLong = HTTPStatus(rawValue: 414)
    /// 415.
    package static let unsupportedMediaType = HTTPStatus(rawValue: 415)
    /// 416.
    package static let rangeNotSatisfiable = HTTPStatus(rawValue: 416)
    /// 422.
    package static let unprocessableContent = HTTPStatus(rawValue: 422)
    /// 426.
    package static let upgradeRequired = HTTPStatus(rawValue: 426)
    /// 428.
    package static let preconditionRequired = HTTPStatus(rawValue: 428)
    /// 429.
    package static let tooManyRequests = HTTPStatus(rawValue: 429)
    /// 431.
    package static let requestHeaderFieldsTooLarge = HTTPStatus(rawValue: 431)
    /// 500.
    package static let internalServerError = HTTPStatus(rawValue: 500)
    /// 501.
    package static let notImplemented = HTTPStatus(rawValue: 501)
    /// 502.
    package static let badGateway = HTTPStatus(rawValue: 502)
    /// 503.
    package static let serviceUnavailable = HTTPStatus(rawValue: 503)
    /// 504.
    package static let gatewayTimeout = HTTPStatus(rawValue: 504)
    /// 505.
    package static let httpVersionNotSupported = HTTPStatus(rawValue: 505)
    /// 507.
    package static let insufficientStorage = HTTPStatus(rawValue: 507)
}
