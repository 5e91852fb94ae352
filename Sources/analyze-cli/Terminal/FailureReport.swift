import Companion
import LibraryStore

/// A file that could not be analysed, in the output of `--json`.
struct FailureReport: Encodable {
    struct Reason: Encodable {
        let code: String
        let message: String
    }

    let relativePath: String
    let error: Reason

    init(_ failure: TrackFailure) {
        relativePath = failure.path.text
        error = Reason(code: failure.code, message: failure.message)
    }

    private enum CodingKeys: String, CodingKey {
        case relativePath = "relative_path"
        case error
    }
}
