import Foundation
import TestSupport

/// Checks that run inside the real page.
struct PageChecks {
    private let script: String

    /// - Parameters:
    ///   - name: a file in `Scripts/` whose `checks` are functions that receive the key and further arguments.
    ///   - helpers: further files with what the checks use.
    init(_ name: String, helpers: [String] = []) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts")
        script = try (["asking.js"] + helpers + [name]).map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }.joined(separator: "\n")
    }

    /// Runs a check and returns its results.
    func run(
        _ check: String, in browser: WebBrowser, key: String, _ more: [String] = []
    ) async throws -> [String: Any] {
        try await browser.run(
            "\(script)\nreturn await checks[args[0]](...args.slice(1));", [check, key] + more)
    }
}
