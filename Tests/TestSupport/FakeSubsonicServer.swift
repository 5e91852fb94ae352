internal import Foundation

/// A Subsonic stand-in server in Python that checks its requests. Stopped when released.
public final class FakeSubsonicServer: Sendable {
    /// A request as seen by the server.
    public struct Entry: Decodable {
        /// Requested path.
        public let path: String
        /// `u`.
        public let user: String?
        /// `c`.
        public let client: String?
        /// `User-Agent` header.
        public let agent: String?
        /// `s`.
        public let salt: String?
        /// `t`.
        public let token: String?
        /// Whether the token is the MD5 of password and salt, according to Python.
        public let right: Bool
        /// Violations of the API.
        public let wrong: [String]
        /// Time by the server's clock, in seconds.
        public let time: Double
        /// Behaviour of the server.
        public let behaviour: String

        /// Last component of the path.
        public var method: Substring { path.split(separator: "/").last ?? "" }
    }

    private let directory: TemporaryDirectory
    private let process: ChildProcess
    /// Port on 127.0.0.1.
    public let port: Int

    /// Starts the server.
    /// - Parameters:
    ///   - behaviour: its behaviour; see the script.
    ///   - password: password of any user.
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

    /// URL including the base path.
    public var url: String { "http://127.0.0.1:\(port)/navidrome" }

    /// Returns the requests so far.
    public func diary() throws -> [Entry] {
        try directory.read("diary").split(separator: 0x0A).map {
            try JSONDecoder().decode(Entry.self, from: Data($0))
        }
    }
}
