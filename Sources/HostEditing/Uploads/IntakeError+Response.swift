internal import APIDescription
package import HTTPServer
internal import MusicFiles

extension IntakeError: HTTPResponseError {
    /// The response that rejects a whole request.
    package func response(to request: HTTPRequest) -> HTTPResponse {
        let kind: APIError =
            switch code {
            case .noSpace: .noSpace
            case .tooLarge: .fileTooLarge
            case .tooManyFiles: .tooManyFiles
            case .noUpload: .noSuchUpload
            case .uploadBusy: .uploadBusy
            case .wrongOffset: .wrongOffset
            case .folderBlocked: .folderBlocked
            case .readOnly: .readOnly
            case .tooManyUploads: .tooManyOpenUploads
            case .writeFailed: .writeFailed
            // Reasons to refuse one file: they are listed with the file's result.
            default: APIError(.unprocessableContent, code.rawValue, message)
            }
        let fields: HTTPFields = [.uploadBusy, .tooManyUploads].contains(code) ? [.retryAfter: "5"] : [:]
        return kind(message, field: field, fields: fields).response(to: request)
    }
}
