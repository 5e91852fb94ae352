/// Checks requests before they reach a handler, and changes responses before they are sent.
///
/// Neither step may wait: they run on the connection's thread when a handler answers there.
package protocol HTTPMiddleware: Sendable {
    /// Checks or changes a request.
    ///
    /// - Returns: A response, if the handler is not needed; otherwise nil.
    /// - Throws: An error, if the handler must not be called.
    func prepare(_ request: inout HTTPRequest) throws -> HTTPResponse?

    /// Changes the response or error of the handler, or of ``prepare(_:)`` of this or an inner middleware.
    ///
    /// - Parameter request: The request as prepared.
    func finish(_ outcome: inout Result<HTTPResponse, any Error>, for request: HTTPRequest)
}

extension HTTPMiddleware {
    /// Passes the request on unchanged.
    package func prepare(_ request: inout HTTPRequest) throws -> HTTPResponse? { nil }

    /// Leaves the response unchanged.
    package func finish(_ outcome: inout Result<HTTPResponse, any Error>, for request: HTTPRequest) {}
}
