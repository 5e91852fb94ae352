import Foundation
import TestSupport

/// Tools in Python that other people wrote.
enum PythonTools {
    /// The virtual environment that they are in, made at the first use.
    static func path() async throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../scripts/python-tools"
        ).standardizedFileURL.path(percentEncoded: false)
        return try await ProcessRun.aside(script, []).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
