/// A request method (RFC 9110 §9). Methods are case-sensitive.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as written in the request.
    package let rawValue: String

    /// Creates a method from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The method as written in the request.
    package var description: String { rawValue }

    /// `GET`.
    package static let get = HTTPMethod(rawValue: "GET")
    /// `HEAD`.
    package static let head = HTTPMethod(rawValue: "HEAD")
    /// `POST`.
    package static let post = HTTPMethod(rawValue: "POST")
    /// `PUT`.
    package static let put = HTTPMethod(rawValue: "PUT")
    /// `PATCH` (RFC 5789).
    package static let patch = HTTPMethod(rawValue: "PATCH")
    /// `DELETE`.
    package static let delete = HTTPMethod(rawValue: "DELETE")
    /// `OPTIONS`.
    package static let options = HTTPMethod(rawValue: "OPTIONS")
}
