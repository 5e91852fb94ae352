import Companion
import Foundation
import LibraryStore

/// Encodes values as single lines of JSON.
enum JSONLine {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

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
