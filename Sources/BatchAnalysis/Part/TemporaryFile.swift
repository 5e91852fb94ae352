internal import FileSystem

/// An unnamed file, which the system frees if the process is killed.
final class TemporaryFile: Sendable {
    /// The open file.
    let descriptor: FileDescriptor

    /// Creates an empty file in a folder for temporary files.
    init(in folder: String) throws(SystemError) {
        descriptor = try FileDescriptor.openTemporary(in: folder)
    }

    /// A path of the file for this process.
    var path: [UInt8] { Array("/proc/self/fd/\(descriptor.number)".utf8) }
}
