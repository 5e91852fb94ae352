import Foundation
import HTTPServer
import Synchronization
import TestSupport
import Testing

/// The description judged by tools that other people wrote: one that reads it, and one that makes requests of it and
/// compares every answer with what it says.
@Suite("API conformance", .timeLimit(.minutes(15)))
struct APIConformanceTests {
    /// The seed of all made-up requests.
    private static let seed = 20
    /// Requests made up for each operation and kind of test.
    private static let examples = 20

    /// The virtual environment of the tools.
    private static func tools() async throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../scripts/python-tools"
        ).standardizedFileURL.path(percentEncoded: false)
        return try await ProcessRun.aside(script, []).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Statuses of the answers to each path.
    private final class Answers: Sendable {
        let seen = Mutex<[(path: String, status: Int)]>([])

        func add(_ entry: AccessLogEntry) {
            let path = String(entry.target.prefix { $0 != "?" })
            seen.withLock { $0.append((path, entry.status?.rawValue ?? 0)) }
        }

        func count(of statuses: ClosedRange<Int>, at pattern: Regex<Substring>) -> Int {
            seen.withLock { seen in
                seen.count { statuses.contains($0.status) && $0.path.wholeMatch(of: pattern) != nil }
            }
        }
    }

    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let music = PCM.music(frameCount: 25 * 44_100, seed: 3)
        return [
            (
                "1.mp3",
                try Encoders.lame(music, ["-b", "64", "--ta", "Someone", "--tl", "Album", "--tn", "1"])
            ),
            (
                "2.mp3",
                try Encoders.lame(music, ["-V", "6", "--ta", "Someone", "--tl", "Album", "--tn", "2"])
            ),
            (
                "3.mp3",
                try Encoders.lame(PCM.music(frameCount: 44_100, seed: 4), ["--freeformat", "-b", "320"])
            ),
            (
                "4.mp3",
                try Encoders.lame(
                    PCM(sampleRate: 32_000, channelCount: 1, samples: [Int16](repeating: 0, count: 64_000)))
            ),
        ]
    }

    @Test("The document is valid by the specification's own schema")
    func document() async throws {
        let tools = try await Self.tools()
        let served = try ServedStreams.library.get()
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            try await served.get("/openapi.json", key: "").body, as: "openapi.json")
        let run = try await ProcessRun.aside(
            "\(tools)/bin/openapi-spec-validator", ["--schema", "3.1", path], mustSucceed: false)
        #expect(run.status == 0, "\(run.text)")
    }

    @Test("No request gets an answer that the description does not have")
    func answers() async throws {
        let tools = try await Self.tools()
        let answers = Answers()
        try await ServedLibrary.with(Self.files(), accessLog: { answers.add($0) }) { served in
            let directory = try TemporaryDirectory()
            // A request may be sound and its answer still be no, for the state that its headers or the file are in.
            let settings = """
                [checks]
                positive_data_acceptance.expected-statuses = \
                ["2xx", "3xx", "401", "403", "404", "409", "412", "416", "422"]
                """
            let run = try await ProcessRun.aside(
                "\(tools)/bin/schemathesis",
                [
                    "--config-file", try directory.write(Array(settings.utf8), as: "schemathesis.toml"),
                    "run", "\(served.base)/openapi.json", "--header", served.authorization,
                    "--seed", "\(Self.seed)", "--max-examples", "\(Self.examples)", "--continue-on-failure",
                    "--checks", "all",
                    // Wrong keys shut the address out, as they should; what needs a key is tested elsewhere.
                    "--exclude-checks", "ignored_auth", "--warnings", "off", "--no-color",
                ], mustSucceed: false)
            #expect(run.status == 0, "\(run.text)\(String(decoding: run.errors, as: UTF8.self))")
            let responder = served.responder
            for route in responder.routes {
                let pattern = try Regex(
                    route.path.replacing(/:[a-z]+/, with: "[^/]+").replacing(".", with: "\\."),
                    as: Substring.self)
                #expect(answers.count(of: 200...206, at: pattern) > 0, "\(route) has never succeeded")
            }
        }
    }
}
