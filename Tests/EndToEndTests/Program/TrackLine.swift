import Foundation
import Testing

/// A line of `--json`: a track or a failure.
struct TrackLine {
    let values: [String: Any]

    /// Parses the lines of a run. A line that is not a JSON object fails the test.
    static func all(_ run: ProgramRun) throws -> [TrackLine] {
        try run.outputLines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return TrackLine(values: try #require(object as? [String: Any]))
        }
    }

    /// Returns the lines of a run by path; each path must be unique.
    static func byPath(_ run: ProgramRun) throws -> [String: TrackLine] {
        try Dictionary(all(run).map { ($0.path, $0) }) { first, _ in
            Issue.record("two lines for \(first.path)")
            return first
        }
    }

    var path: String { self[text: "relative_path"] ?? "" }
    var id: Int? { values["id"] as? Int }
    var audioHash: String? { self[text: "audio_hash"] }
    var error: [String: Any]? { values["error"] as? [String: Any] }
    var reason: String? { error?["message"] as? String }

    subscript(number key: String) -> Double? { (values[key] as? NSNumber)?.doubleValue }
    subscript(text key: String) -> String? { values[key] as? String }
}
