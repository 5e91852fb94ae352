internal import Foundation

/// A proxy before a server on this machine that fails as networks fail: slow, cut off, silent, or with errors of its own.
///
/// What it does is told to it by requests, `POST /__proxy/faults`; `Clients/fault-proxy.py` says which.
public final class FaultProxy: Sendable {
    /// The port it listens on.
    public let port: Int

    private let process: ChildProcess

    /// Starts one.
    ///
    /// - Parameter serverPort: the server's port on 127.0.0.1.
    /// - Throws: ``ProcessRun/Failure`` where it does not start.
    public init(before serverPort: Int) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Clients/fault-proxy.py")
        // It ends when its input is closed, also where this process dies.
        process = try ChildProcess(
            ["python3", "-B", script.path(percentEncoded: false), String(serverPort)], input: .pipe,
            output: .pipe)
        var line = ""
        while !line.hasSuffix("\n") {
            guard let piece = process.output?.availableData, !piece.isEmpty else { break }
            line += String(decoding: piece, as: UTF8.self)
        }
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw ProcessRun.Failure(description: "fault-proxy.py did not start")
        }
        self.port = port
    }

    /// Ends it.
    public func quit() { process.signal(SIGTERM) }
}
