import Foundation
import HTTPServer
import TestSupport
import Testing

/// A page in a real browser that plays from a real host, through a proxy that simulates network failures.
///
/// It is opened at one of the player's own files, so that the page's Content-Security-Policy applies.
final class PlaybackPage: Sendable {
    /// The results of a scenario of `Scripts/playback-scenarios.js`.
    struct Told: @unchecked Sendable {
        // JSON values, which are never mutated.
        private let values: [String: Any]

        init(_ values: [String: Any]) { self.values = values }

        /// Returns a number; 0 or 1 for false or true.
        func number(_ name: String) throws -> Double {
            try #require((values[name] as? NSNumber)?.doubleValue, "\(name) in \(values)")
        }

        func text(_ name: String) throws -> String { try #require(values[name] as? String, "\(name)") }

        func list(_ name: String) throws -> [Double] {
            try #require(values[name] as? [NSNumber], "\(name)").map(\.doubleValue)
        }

        /// Returns the largest difference between the samples of scenario `gapless` and a reference, at the ends and the joint.
        ///
        /// Two decoders differ by 2e-5 if neither rounds to 16 bits; a shift by one sample of the sine would be 0.03.
        func worstError(to reference: [Float], joint: Int) throws -> Double {
            let ranges = [
                ("head", 0..<3000), ("around", (joint - 3000)..<(joint + 3000)),
                ("tail", (reference.count - 3000)..<reference.count),
            ]
            return try ranges.flatMap { name, range in
                let samples = try list(name)
                try #require(samples.count == range.count)
                return zip(samples, reference[range]).map { abs($0 - Double($1)) }
            }.max() ?? 1
        }
    }

    private let browser: WebBrowser
    private let library: PlayedLibrary
    private let scenarios: String

    private init(_ library: PlayedLibrary, _ browser: WebBrowser) throws {
        self.library = library
        self.browser = browser
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Scripts/playback-scenarios.js")
        scenarios = try String(contentsOf: script, encoding: .utf8)
    }

    /// Runs a scenario of the script.
    func run(_ scenario: String, _ arguments: [String] = []) async throws -> Told {
        Told(try await browser.run(scenarios, [scenario, library.key] + arguments))
    }

    /// Reloads the page.
    func reload() async throws {
        _ = try await browser.run(
            "window.isOld = true; setTimeout(() => location.reload(), 100); return {};")
        var isNew = false
        while !isNew {
            try await Task.sleep(for: .milliseconds(200))
            let mark = "const isNew = !window.isOld && document.readyState === 'complete'; return {isNew};"
            isNew = (try? await browser.run(mark))?["isNew"] as? Bool == true
        }
    }

    /// The page of the running suite.
    @TaskLocal static var current: PlaybackPage?

    /// Runs a scenario on the suite's page.
    static func told(_ scenario: String, _ arguments: [String] = []) async throws -> Told {
        try await #require(current).run(scenario, arguments)
    }

    /// The host's own address; the page's leads through the proxy.
    static var hostAddress: String {
        get throws { try #require(current).library.base }
    }

    /// Opens a page while `body` runs.
    static func with(
        _ files: @escaping @Sendable () throws -> [(name: String, bytes: [UInt8])],
        in engine: WebBrowser.Engine = .usual, _ body: @Sendable () async throws -> Void
    ) async throws {
        try await PlayedLibrary.with(try await aside { try files() }, for: engine) { library in
            let proxy = try FaultProxy(before: Int(library.server.port))
            defer { proxy.quit() }
            let page = "http://127.0.0.1:\(proxy.port)/player/scripts/playback/control/player.js"
            // Scenarios simulate failures.
            try await WebBrowser.with(engine, open: page, errors: .any) { browser in
                try await $current.withValue(PlaybackPage(library, browser), operation: body)
            }
        }
    }
}

/// Provides one page for all tests of a suite. They must run serially, because they share the simulated network.
struct PlaybackPageTrait: SuiteTrait, TestScoping {
    let files: @Sendable () throws -> [(name: String, bytes: [UInt8])]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await PlaybackPage.with(files, function)
    }
}

extension Trait where Self == PlaybackPageTrait {
    /// A page that plays from a library of these files.
    static func playbackPage(
        _ files: @escaping @Sendable () throws -> [(name: String, bytes: [UInt8])]
    ) -> Self { PlaybackPageTrait(files: files) }
}
