internal import Foundation

/// A proxy before a server on this machine that fails as networks fail: slow, cut off, silent, or with errors of its own.
///
/// What it does is told to it by requests, `POST /__proxy/faults`; `Clients/fault-proxy.py` says which.
public final class FaultProxy: Sendable {
    /// The port it listens on.
    public let port: Int

    private let process: Process
    private let input: Pipe

    /// Starts one.
    ///
    /// - Parameter serverPort: the server's port on 127.0.0.1.
    /// - Throws: ``ProcessRun/Failure`` where it does not start.
    public init(before serverPort: Int) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Clients/fault-proxy.py")
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B", script.path(percentEncoded: false), String(serverPort)]
        // It ends when this is closed, also where this process dies.
        input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.start()
        var line = ""
        while !line.hasSuffix("\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { break }
            line += String(decoding: piece, as: UTF8.self)
        }
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            process.terminate()
            throw ProcessRun.Failure(description: "fault-proxy.py did not start")
        }
        self.port = port
    }

    /// Ends it.
    public func quit() {
        try? input.fileHandleForWriting.close()
        process.terminate()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }
}
