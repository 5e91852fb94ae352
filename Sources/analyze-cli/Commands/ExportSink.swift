import ConsoleProgram
import Foundation

/// The destination of an export: standard output, or a file that appears only when it is complete.
final class ExportSink {
    private let path: String?
    private let temporary: String
    private let descriptor: Int32
    private var isFinished = false

    init(path: String?) throws {
        self.path = path
        temporary = (path ?? "") + ".part"
        guard path != nil else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw UsageError(message: "\(temporary) cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        guard path != nil, descriptor >= 0 else { return }
        close(descriptor)
        // Remove the file if the export failed; otherwise it already has its final name.
        if !isFinished { unlink(temporary) }
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                throw UsageError(
                    message:
                        "\(path ?? "standard output") cannot be written: \(String(cString: strerror(errno)))")
            }
            bytes = bytes.dropFirst(written)
        }
    }

    /// Moves the complete file to its final name.
    func finish() throws {
        guard let path else { return }
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
            throw UsageError(message: "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        isFinished = true
    }
}
