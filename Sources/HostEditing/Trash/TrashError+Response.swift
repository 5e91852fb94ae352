package import HTTPServer
internal import MusicFiles

extension TrashError: HTTPResponseError {
    /// The response to a request that fails with this error.
    package func response(to request: HTTPRequest) -> HTTPResponse {
        let status: HTTPStatus =
            switch code {
            case .noFile, .notInTrash: .notFound
            case .pathTaken, .folderBlocked, .busy, .readOnly: .conflict
            case .noSpace: .insufficientStorage
            default: .internalServerError
            }
        return HTTPError(
            status, code: code.rawValue, message: message, fields: code == .busy ? [.retryAfter: "2"] : [:]
        ).response(to: request)
    }
}
