import Foundation
import TestSupport

/// File systems visible only to one program and its children, in a separate mount namespace. The tests access them through
/// `/proc/PID/root`.
enum MountedDisks {
    /// Whether this system permits such namespaces.
    static let areAvailable: Bool = {
        guard let directory = try? TemporaryDirectory() else { return false }
        let trial = try? ProcessRun.run(
            "unshare", ["--mount", "--map-root-user", "mount", "-t", "tmpfs", "none", directory.file("")],
            mustSucceed: false)
        return trial?.status == 0
    }()

    /// Returns a command that runs a shell script in a new namespace, and then the given program with the same process ID.
    static func wrapper(_ script: String, _ arguments: String...) -> [String] {
        let count = arguments.count
        return [
            "unshare", "--mount", "--map-root-user", "sh", "-c",
            "\(script) || exit 99; shift \(count); exec \"$@\"", "sh",
        ]
            + arguments
    }

    /// Runs a command in the namespace of a program.
    static func run(in process: Int32, _ command: String...) throws {
        try ProcessRun.run(
            "nsenter", ["--target", "\(process)", "--user", "--preserve-credentials", "--mount"] + command)
    }

    /// Returns the path of a file as seen by a program.
    static func path(_ path: String, in process: Int32) -> String { "/proc/\(process)/root\(path)" }
}
