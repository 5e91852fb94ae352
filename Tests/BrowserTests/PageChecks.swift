import Foundation
import TestSupport

/// Checks of the real page, which run in it.
struct PageChecks {
    private let script: String

    /// - Parameter name: of a file in `Scripts/` whose `checks` are functions that get the key, and what else they are given.
    init(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts")
        script = try ["asking.js", name].map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }.joined(separator: "\n")
    }

    /// Runs one of them, and gives what it told.
    func run(
        _ check: String, in browser: WebBrowser, key: String, _ more: [String] = []
    ) async throws -> [String: Any] {
        try await browser.run(
            "\(script)\nreturn await checks[args[0]](...args.slice(1));", [check, key] + more)
    }
}
