internal import APIDescription
internal import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Tagging

extension HTTPError {
    /// The response to a rejected edit.
    init(_ error: TagEditError) {
        let (kind, field): (APIError, String?) =
            switch error.code {
            case .notFound, .outsideMusicFolder: (.noSuchTrack, "relative_path")
            case .stateDiffers: (.stateDiffers, "If-Match")
            case .busy: (.fileBusy, nil)
            case .changedMeanwhile: (.changedDuringEdit, nil)
            case .readOnly: (.fileReadOnly, nil)
            case .cannotKeepOwner: (.cannotKeepOwner, nil)
            case .noSpace: (.noSpace, nil)
            case .readFailed: (.readFailed, nil)
            case .invalidValue: (.invalidValue, nil)
            case .unsupportedTag: (.unsupportedTag, nil)
            case .valueNotKept: (.valueNotKept, nil)
            case .audioWouldChange: (.audioWouldChange, nil)
            case .notARegularFile: (.notARegularFile, nil)
            case .noAudio: (.noAudio, nil)
            default: (.writeFailed, nil)
            }
        // Do not reveal where a symbolic link leads.
        let message = error.code == .outsideMusicFolder ? "does not exist" : error.message
        self = kind(
            error.field == nil ? "The file \(message)." : "\(message).",
            field: error.field?.rawValue ?? field,
            fields: error.code == .busy ? [.retryAfter: "2"] : [:])
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
