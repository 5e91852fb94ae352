internal import Foundation

/// A Subsonic server in Python that checks how it is asked. Ends with this.
public final class StandInSubsonic: Sendable {
    /// A request as the server saw it.
    public struct Entry: Decodable {
        /// The path that was asked for.
        public let path: String
        /// `u`.
        public let user: String?
        /// `c`.
        public let client: String?
        /// The field `User-Agent`.
        public let agent: String?
        /// `s`.
        public let salt: String?
        /// `t`.
        public let token: String?
        /// Whether the token is the MD5 of the password and the salt, as Python computes it.
        public let right: Bool
        /// What is not as the API wants it.
        public let wrong: [String]
        /// Seconds of the server's clock.
        public let time: Double
        /// How the server behaved.
        public let behaviour: String

        /// The last part of the path.
        public var method: Substring { path.split(separator: "/").last ?? "" }
    }

    private let directory: TemporaryDirectory
    private let process: ChildProcess
    /// The port of 127.0.0.1 that it listens on.
    public let port: Int

    /// Starts it.
    /// - Parameters:
    ///   - behaviour: what it does; see the script.
    ///   - password: of whatever user asks.
    public init(_ behaviour: String, password: String = "sesame") throws {
        directory = try TemporaryDirectory()
        try directory.write([], as: "diary")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Clients/subsonic_server.py")
        process = try ChildProcess(
            [
                "python3", "-B", script.path(percentEncoded: false), behaviour, directory.file("diary"),
                password,
            ], input: .pipe, output: .pipe)
        let line = String(decoding: process.output?.availableData ?? Data(), as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    /// Its address with the base path.
    public var url: String { "http://127.0.0.1:\(port)/navidrome" }

    /// The requests so far.
    public func diary() throws -> [Entry] {
        try directory.read("diary").split(separator: 0x0A).map {
            try JSONDecoder().decode(Entry.self, from: Data($0))
        }
    }
}
