import Foundation
import HTTPServer
import TestSupport
import Testing

/// A page in a real browser that plays from a real host, through a proxy that fails as networks fail.
///
/// It is opened at one of the player's own files, so that the Content-Security-Policy of the page is in force.
final class PlaybackPage: Sendable {
    /// What a scenario of `Scripts/playback-scenarios.js` told.
    struct Told: @unchecked Sendable {
        // JSON's own values, which nobody changes.
        private let values: [String: Any]

        init(_ values: [String: Any]) { self.values = values }

        /// A number, or 0 and 1 for false and true.
        func number(_ name: String) throws -> Double {
            try #require((values[name] as? NSNumber)?.doubleValue, "\(name) in \(values)")
        }

        func text(_ name: String) throws -> String { try #require(values[name] as? String, "\(name)") }

        func list(_ name: String) throws -> [Double] {
            try #require(values[name] as? [NSNumber], "\(name)").map(\.doubleValue)
        }

        /// How far the samples that scenario `gapless` gives are from a reference at most, at both ends and around the joint.
        ///
        /// Two decoders differ by 2e-5 where neither rounds to 16 bits; a shift of one sample of its sine would be 0.03.
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

    /// Loads the page again.
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

    /// The page of the tests of a suite.
    @TaskLocal static var current: PlaybackPage?

    /// Runs a scenario on the page of the suite.
    static func told(_ scenario: String, _ arguments: [String] = []) async throws -> Told {
        try await #require(current).run(scenario, arguments)
    }

    /// Opens a page for as long as `body` takes.
    static func with(
        _ files: @escaping @Sendable () throws -> [(name: String, bytes: [UInt8])],
        in engine: WebBrowser.Engine = .usual, _ body: @Sendable () async throws -> Void
    ) async throws {
        try await PlayedLibrary.with(try await aside { try files() }, for: engine) { library in
            let proxy = try FaultProxy(before: Int(library.server.port))
            defer { proxy.quit() }
            let browser = try await WebBrowser(
                engine, open: "http://127.0.0.1:\(proxy.port)/player/scripts/playback/player.js")
            do {
                try await $current.withValue(PlaybackPage(library, browser), operation: body)
            } catch {
                await browser.quit()
                throw error
            }
            await browser.quit()
        }
    }
}

/// One page for all tests of a suite, which run one after the other: the network is the same for all.
struct PlaybackPageTrait: SuiteTrait, TestScoping {
    let files: @Sendable () throws -> [(name: String, bytes: [UInt8])]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await PlaybackPage.with(files, function)
    }
}

extension Trait where Self == PlaybackPageTrait {
    /// A page that plays a library of these files.
    static func playbackPage(
        _ files: @escaping @Sendable () throws -> [(name: String, bytes: [UInt8])]
    ) -> Self { PlaybackPageTrait(files: files) }
}
