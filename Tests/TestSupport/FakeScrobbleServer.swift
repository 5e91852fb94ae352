internal import Foundation

/// A replacement of ListenBrainz and Last.fm in Python that checks its requests. Stopped when released.
public final class FakeScrobbleServer: Sendable {
    /// The server's answers to plays.
    public enum Behaviour: String, Sendable {
        /// Takes them.
        case ok
        /// Answers 500.
        case down
        /// Answers 429 and asks for a pause of one second.
        case limit
        /// Refuses the access.
        case refuse
        /// Takes them and closes the connection without an answer.
        case lost
        /// The user has not allowed the access yet.
        case unallowed
        /// Takes one of each request.
        case daily
    }

    /// A request as seen by the server.
    public struct Entry: Decodable, Sendable {
        /// `listenbrainz`, `lastfm` or `any`.
        public let service: String
        /// The type of the listens, or the method.
        public let method: String
        /// Violations of the API.
        public let wrong: [String]
        /// Number of plays.
        public let count: Int
        /// Number of plays that the server had already.
        public let repeated: Int
        /// Titles of the plays.
        public let titles: [String]
        /// Arrival, in seconds since 1970.
        public let time: Double
    }

    /// The ListenBrainz token that the server accepts.
    public static let token = "user-token"
    /// The Last.fm key, secret and session that it accepts.
    public static let apiKey = "app-key"
    /// The secret that signatures are made with.
    public static let secret = "shared-secret"
    /// The session that the server hands out.
    public static let session = "session-key"

    private let directory: TemporaryDirectory
    private let process: ChildProcess
    private let port: Int

    /// Starts the server.
    public init(_ behaviour: Behaviour = .ok) throws {
        directory = try TemporaryDirectory()
        try directory.write([], as: "diary")
        try directory.write(Array(behaviour.rawValue.utf8), as: "behaviour")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Clients/scrobble_server.py")
        process = try ChildProcess(
            [
                "python3", "-B", script.path(percentEncoded: false), directory.file("diary"),
                directory.file("behaviour"),
            ], input: .pipe, output: .pipe)
        let line = String(decoding: process.output?.availableData ?? Data(), as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    deinit { process.signal(SIGKILL) }

    /// Address of the ListenBrainz API.
    public var listenBrainz: String { "http://127.0.0.1:\(port)" }
    /// Address of the Last.fm API.
    public var lastFM: String { "http://127.0.0.1:\(port)/2.0/" }

    /// Changes what the server does from the next request on.
    public func behave(_ behaviour: Behaviour) throws {
        try directory.write(Array(behaviour.rawValue.utf8), as: "behaviour.new")
        // At once: the server reads the file with every request.
        guard rename(directory.file("behaviour.new"), directory.file("behaviour")) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Returns the requests so far.
    public func diary() throws -> [Entry] {
        try directory.read("diary").split(separator: 0x0A).map {
            try JSONDecoder().decode(Entry.self, from: Data($0))
        }
    }

    /// Returns the content of the requests so far.
    public func contents() throws -> [[String: Any]] {
        try directory.read("diary").split(separator: 0x0A).compactMap {
            let entry = try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
            return entry?["content"] as? [String: Any]
        }
    }
}
