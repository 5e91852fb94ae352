internal import FileSystem

/// An unnamed file, which the system frees if the process is killed.
final class TemporaryFile: Sendable {
    /// The open file.
    let descriptor: FileDescriptor

    /// Creates an empty file in a folder for temporary files.
    init(in folder: String) throws(SystemError) {
        if let file = try? FileDescriptor.openUnnamed(in: folder) {
            descriptor = file
        } else {
            // Not all file systems have unnamed files.
            let path = "\(folder)/batch-" + String(UInt64.random(in: .min ... .max), radix: 16)
            descriptor = try FileDescriptor.open(path, for: .readAndWrite, .createNew)
            try Files.remove(path)
        }
    }

    /// A path of the file for this process.
    var path: [UInt8] { Array("/proc/self/fd/\(descriptor.number)".utf8) }
}
