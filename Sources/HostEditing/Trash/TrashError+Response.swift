package import HTTPServer
internal import MusicFiles

extension HTTPError {
    /// The response to a file that could not be moved.
    init(_ error: TrashError) {
        let status: HTTPStatus =
            switch error.code {
            case .noFile, .notInTrash: .notFound
            case .pathTaken, .folderBlocked, .busy, .readOnly, .changed: .conflict
            case .noSpace: .insufficientStorage
            default: .internalServerError
            }
        self.init(
            status, code: error.code.rawValue, message: error.message,
            fields: error.code == .busy ? [.retryAfter: "2"] : [:])
    }
}

extension TrashError: HTTPResponseError {
    /// The response to a request that fails with this error.
    package func response(to request: HTTPRequest) -> HTTPResponse { HTTPError(self).response(to: request) }
}
