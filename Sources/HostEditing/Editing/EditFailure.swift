internal import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Tagging

extension HTTPError {
    /// The response to a rejected edit.
    init(_ error: TagEditError) {
        let status: HTTPStatus =
            switch error.code {
            case .notFound, .outsideMusicFolder: .notFound
            case .stateDiffers: .preconditionFailed
            case .busy, .changedMeanwhile: .conflict
            case .readOnly, .cannotKeepOwner: .forbidden
            case .noSpace: .insufficientStorage
            case .readFailed, .writeFailed: .internalServerError
            // The request or the file itself cannot be processed.
            default: .unprocessableContent
            }
        // Do not reveal where a symbolic link leads.
        let isOutside = error.code == .outsideMusicFolder
        let code = isOutside ? TagEditError.Code.notFound : error.code
        let message = isOutside ? "does not exist" : error.message
        let field =
            error.field?.rawValue
            ?? (code == .stateDiffers ? "If-Match" : code == .notFound ? "relative_path" : nil)
        self.init(
            status, code: code == .notFound ? "no_such_track" : code.rawValue,
            message: error.field == nil ? "The file \(message)." : "\(message).",
            field: field, fields: code == .busy ? [.retryAfter: "2"] : [:])
    }
}

extension EditResult {
    /// A file that was edited, or that already had the requested values.
    init(_ edited: LibraryEditor.Edited) {
        self.init(relativePath: edited.file.path.text, id: edited.trackID)
        changed = edited.file.isChanged
        etag = FileStateTag.text(edited.file.file)
    }

    /// A file that was left unchanged because of an error.
    init(relativePath: String?, id: Int?, _ error: HTTPError) {
        self.init(relativePath: relativePath, id: id, status: error.status.rawValue)
        self.error = Failure(code: error.code, message: error.message, field: error.field)
    }
}
