internal import APIDescription
package import HTTPServer
internal import MusicFiles

extension HTTPError {
    /// The response to a file that could not be moved.
    init(_ error: TrashError) {
        let kind: APIError =
            switch error.code {
            case .noFile: .fileMissing
            case .notInTrash: .notInTrash
            case .pathTaken: .pathTaken
            case .folderBlocked: .folderBlocked
            case .busy: .fileBusy
            case .partOfFile: .partOfFile
            case .readOnly: .readOnly
            case .changed: .changedDuringEdit
            case .noSpace: .noSpace
            default: .trashFailed
            }
        self = kind(error.message, fields: error.code == .busy ? [.retryAfter: "2"] : [:])
    }
}

extension TrashError: HTTPResponseError {
    /// The response to a request that fails with this error.
    package func response(to request: HTTPRequest) -> HTTPResponse { HTTPError(self).response(to: request) }
}
