internal import Foundation

/// A proxy with simulated network faults in front of a server on this machine: slow, disconnected, silent, or with its own errors.
///
/// It is controlled by `POST /__proxy/faults`; see `Clients/fault-proxy.py`.
public final class FaultProxy: Sendable {
    /// Port of the proxy.
    public let port: Int

    private let process: ChildProcess

    /// Starts the proxy.
    ///
    /// - Parameter serverPort: the server's port on 127.0.0.1.
    /// - Throws: ``ProcessRun/Failure`` if it does not start.
    public init(before serverPort: Int) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Clients/fault-proxy.py")
        // It exits when its input is closed, even if this process is killed.
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

    /// Stops the proxy.
    public func quit() { process.signal(SIGTERM) }
}
