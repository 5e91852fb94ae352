import Foundation
import TestSupport

/// Numbers measured by a script of `Scripts/` in a real browser, on the host's origin, where it can import the player's modules.
struct CheckedPage: Sendable {
    /// A check that failed or does not exist.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Results of each check: numbers, with 0 and 1 for false and true.
    let results: [String: [String: Double]]
    /// Error messages of checks that failed.
    let failures: [String: String]

    /// Runs all checks of a script in one browser.
    ///
    /// - Parameters:
    ///   - script: file name in `Scripts/`; its `checks` are functions that receive `test-doubles.js`, a client and `ids`.
    ///   - files: the library; `ids` maps each file name, without its suffix, to the track's id.
    static func run(
        _ script: String, files: [(name: String, bytes: [UInt8])],
        after: @escaping @Sendable (PlayedLibrary) throws -> Void = { _ in }
    ) async throws -> CheckedPage {
        var page: CheckedPage?
        try await PlayedLibrary.with(files) { played in
            try await WebBrowser.with(open: "\(played.base)/health", errors: .any) { browser in
                page = try await run(script, in: browser, of: played)
            }
            try after(played)
        }
        guard let page else { throw Failure(description: "no checks were run") }
        return page
    }

    private static func run(
        _ script: String, in browser: WebBrowser, of played: PlayedLibrary
    ) async throws -> CheckedPage {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts")
        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        }
        let answer = try await browser.run(
            loader, [try text("test-doubles.js"), try text(script), played.key])
        var results: [String: [String: Double]] = [:]
        var failures: [String: String] = [:]
        for (name, value) in answer {
            if let failure = value as? String { failures[name] = failure }
            if let numbers = value as? [String: Any] {
                results[name] = numbers.compactMapValues { ($0 as? NSNumber)?.doubleValue }
            }
        }
        return CheckedPage(results: results, failures: failures)
    }

    private static let loader = """
        const load = text => import('data:text/javascript;charset=utf-8,' + encodeURIComponent(text));
        const testDoubles = globalThis.testDoubles = await load(args[0]);
        const client = new testDoubles.PlainClient(args[2]);
        const {items} = await client.json('/api/tracks', {query: {limit: 100}});
        const ids = Object.fromEntries(items.map(item => [item.relative_path.replace(/\\.mp3$/, ''), item.id]));
        const {checks} = await load(args[1]);
        const results = {};
        for (const [name, check] of Object.entries(checks)) {
          try {
            results[name] = await check({...testDoubles, client, ids, key: args[2]});
          } catch (error) {
            results[name] = `${error}\\n${error?.stack ?? ''}`;
          }
        }
        return results;
        """

    /// Returns the results of a check.
    /// - Throws: the error with which it failed.
    func of(_ check: String) throws -> [String: Double] {
        if let failure = failures[check] {
            throw Failure(description: "\(check): \(failure)")
        }
        guard let result = results[check] else {
            throw Failure(description: "unknown check \(check)")
        }
        return result
    }
}
