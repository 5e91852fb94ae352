package import HTTPServer
internal import MusicFiles

extension IntakeError: HTTPResponseError {
    /// The response that rejects a whole request.
    package func response(to request: HTTPRequest) -> HTTPResponse {
        let status: HTTPStatus =
            switch code {
            case .noSpace: .insufficientStorage
            case .tooLarge, .tooManyFiles: .contentTooLarge
            case .noUpload: .notFound
            case .uploadBusy, .wrongOffset, .folderBlocked, .readOnly: .conflict
            case .tooManyUploads: .tooManyRequests
            case .writeFailed: .internalServerError
            default: .unprocessableContent
            }
        let fields: HTTPFields = [.uploadBusy, .tooManyUploads].contains(code) ? [.retryAfter: "5"] : [:]
        return HTTPError(status, code: code.rawValue, message: message, field: field, fields: fields)
            .response(to: request)
    }
}
