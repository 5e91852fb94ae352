internal import Foundation

/// An AcoustID stand-in server in Python that checks its requests. Stopped when released.
public final class FakeAcoustIDServer: Sendable {
    /// A request as seen by the server.
    public struct Entry: Decodable {
        /// Violations of the API.
        public let wrong: [String]
        /// The duration in seconds, as sent.
        public let duration: String?
        /// The compressed fingerprint, as sent.
        public let fingerprint: String
        /// `User-Agent` header.
        public let agent: String?
        /// Time by the server's clock, in seconds.
        public let time: Double
    }

    /// The API key that the server knows.
    public static let key = "known-key"

    private let directory: TemporaryDirectory
    private let process: ChildProcess
    private let port: Int

    /// Starts the server, with an answer to requests with the right key.
    public init(status: Int = 200, body: String) throws {
        directory = try TemporaryDirectory()
        try directory.write([], as: "diary")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Clients/acoustid_server.py")
        let answers = directory.file("answers")
        try Self.write(status, body, to: answers)
        process = try ChildProcess(
            [
                "python3", "-B", script.path(percentEncoded: false), directory.file("diary"), answers,
                Self.key,
            ], input: .pipe, output: .pipe)
        let line = String(decoding: process.output?.availableData ?? Data(), as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    /// Changes the answer.
    public func answer(status: Int = 200, _ body: String) throws {
        try Self.write(status, body, to: directory.file("answers"))
    }

    /// The address.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Returns the requests so far.
    public func diary() throws -> [Entry] {
        try directory.read("diary").split(separator: 0x0A).map {
            try JSONDecoder().decode(Entry.self, from: Data($0))
        }
    }

    /// An answer with one result.
    /// - Parameters:
    ///   - score: similarity of the fingerprints.
    ///   - recordings: identifier, title, artists with what joins them, releases with their identifiers.
    public static func result(
        score: Double,
        _ recordings: [(id: String, title: String, artists: [(String, String)], releases: [(String, String)])]
    ) throws -> String {
        let listed = recordings.map { recording -> [String: Any] in
            [
                "id": recording.id, "title": recording.title,
                "artists": recording.artists.map { ["id": "x", "name": $0.0, "joinphrase": $0.1] },
                "releases": recording.releases.map { ["id": $0.0, "title": $0.1] },
            ]
        }
        let answer: [String: Any] = [
            "status": "ok", "results": [["id": "r", "score": score, "recordings": listed]],
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: answer), as: UTF8.self)
    }

    private static func write(_ status: Int, _ body: String, to path: String) throws {
        try JSONSerialization.data(withJSONObject: ["status": status, "body": body])
            .write(to: URL(filePath: path), options: .atomic)
    }
}
