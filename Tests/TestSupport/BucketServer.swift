internal import Foundation

/// A server with the interface of Amazon S3 (moto), which verifies signatures. Stopped when released.
public final class BucketServer: Sendable {
    /// Its answer after the start.
    private struct Start: Decodable {
        let endpoint: String
        let id: String
        let secret: String
    }

    private let start: Start
    private let process: ChildProcess

    /// Starts the server and uploads the files of a folder.
    /// - Parameters:
    ///   - bucket: the name of the bucket.
    ///   - prefix: the start of all keys; the rest is the path in the folder.
    /// - Throws: if it does not start.
    public init(folder: String, bucket: String, prefix: String) async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Clients/bucket_server.py")
        // It exits when its input is closed, even if this process is killed.
        process = try ChildProcess(
            [
                try await PythonTools.program("python"), "-B", script.path(percentEncoded: false), folder,
                bucket,
                prefix,
            ], input: .pipe, output: .pipe)
        var line = ""
        while !line.hasSuffix("\n") {
            guard let piece = process.output?.availableData, !piece.isEmpty else { break }
            line += String(decoding: piece, as: UTF8.self)
        }
        start = try JSONDecoder().decode(Start.self, from: Data(line.utf8))
    }

    /// The port on 127.0.0.1.
    public var port: Int { start.endpoint.split(separator: ":").last.flatMap { Int($0) } ?? 0 }

    /// The environment variables with which clients find the server.
    /// - Parameter port: the port of a proxy in front of it; nil for its own.
    public func environment(port: Int? = nil) -> [String: String] {
        [
            "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port ?? self.port)", "AWS_ACCESS_KEY_ID": start.id,
            "AWS_SECRET_ACCESS_KEY": start.secret,
        ]
    }
}
