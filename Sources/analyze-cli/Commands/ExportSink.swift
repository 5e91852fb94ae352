import CommandLineProgram
import FileSystem

/// The destination of an export: standard output, or a file that appears only when it is complete.
final class ExportSink {
    private let path: String?
    /// Nil for standard output.
    private let file: PendingFile?
    private static let standardOutput: Int32 = 1

    init(path: String?) throws {
        self.path = path
        do throws(SystemError) {
            file = try path.map { path throws(SystemError) in try Files.pending(at: path) }
        } catch {
            throw Self.failure(path, error)
        }
    }

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws {
        do throws(SystemError) {
            if let file {
                try file.descriptor.write(bytes)
            } else {
                try FileDescriptor.duplicate(of: Self.standardOutput).write(bytes)
            }
        } catch {
            throw Self.failure(path, error)
        }
    }

    /// Moves the complete file to its final name.
    func finish() throws {
        guard let path, let file else { return }
        do throws(SystemError) {
            try file.descriptor.setPermissions(Files.newFilePermissions)
            try file.replace(Files.name(of: path))
        } catch {
            throw Self.failure(path, error)
        }
    }

    private static func failure(_ path: String?, _ error: SystemError) -> UsageError {
        UsageError(message: "\(path ?? "standard output") cannot be written: \(error)")
    }
}
