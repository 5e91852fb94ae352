import Foundation
import TestSupport

/// A Subsonic server in Python that checks how it is asked. Ends with this.
final class StandInServer: @unchecked Sendable {
    // Proof: a process and a pipe that are made in `init` and only read afterwards.

    /// A request as the server saw it.
    struct Entry: Decodable {
        let path: String
        let user: String?
        let client: String?
        let agent: String?
        let salt: String?
        let token: String?
        /// Whether the token is the MD5 of the password and the salt, as Python computes it.
        let right: Bool
        let wrong: [String]
        /// Seconds of the server's clock.
        let time: Double
        let behaviour: String

        var method: Substring { path.split(separator: "/").last ?? "" }
    }

    private let directory: TemporaryDirectory
    private let process = Process()
    private let input = Pipe()
    let port: Int

    init(_ behaviour: String, password: String = "sesame") throws {
        directory = try TemporaryDirectory()
        try directory.write([], as: "diary")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Servers/subsonic_server.py")
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-B", script.path(percentEncoded: false), behaviour, directory.file("diary"), password,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    deinit { process.terminate() }

    var url: String { "http://127.0.0.1:\(port)/navidrome" }

    /// The requests so far.
    func diary() throws -> [Entry] {
        try directory.read("diary").split(separator: 0x0A).map {
            try JSONDecoder().decode(Entry.self, from: Data($0))
        }
    }
}
