import Companion
import Foundation

/// The addresses of the host that runs on a data folder, published in a file there for other programs of the
/// owner.
struct RunningHost: Codable {
    /// Process ID of the host.
    var processID: Int32
    /// URL for programs on this machine, unencrypted.
    var localAddress: String
    /// URL for other machines in the network; nil if the host is only reachable from this machine.
    var networkAddress: String?
    /// Whether requests without a key are admitted.
    var requiresNoKey: Bool

    private enum CodingKeys: String, CodingKey {
        case processID = "process_id"
        case localAddress = "local_address"
        case networkAddress = "network_address"
        case requiresNoKey = "trusts_everybody"
    }

    /// A host's own handle of the file. As long as it exists, no other host can start on the data folder. If
    /// a host is killed, the file remains, but not its lock.
    final class Mark: Sendable {
        private let descriptor: Int32

        /// Acquires the lock.
        /// - Throws: `StoreError` `dataFolderInUse` if another host is running on the data folder,
        ///   `dataFolder` if the file cannot be used.
        init(dataFolder: String) throws(StoreError) {
            let path = RunningHost.path(in: dataFolder)
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard opened >= 0 else {
                throw StoreError(
                    .dataFolder, "cannot be opened: \(String(cString: strerror(errno)))", path: path)
            }
            descriptor = opened
            // Programs that look for a host hold the lock briefly.
            for _ in 0..<50 {
                if flock(opened, LOCK_EX | LOCK_NB) == 0 {
                    clear()
                    return
                }
                if errno != EWOULDBLOCK { break }
                usleep(10_000)
            }
            guard errno == EWOULDBLOCK else {
                throw StoreError(
                    .dataFolder, "cannot be locked: \(String(cString: strerror(errno)))", path: path)
            }
            let other = RunningHost.find(dataFolder: dataFolder)
                .map { " (process \($0.processID), \($0.localAddress))" }
            throw StoreError(
                .dataFolderInUse,
                "another host is running on this data folder\(other ?? ""); stop it, or choose another folder with --data",
                path: dataFolder)
        }

        /// Writes the host's addresses to the file.
        func publish(_ host: RunningHost) {
            guard let json = try? JSONEncoder().encode(host) else { return }
            clear()
            let bytes = [UInt8](json) + [0x0A]
            pwrite(descriptor, bytes, bytes.count, 0)
        }

        private func clear() { ftruncate(descriptor, 0) }

        deinit { close(descriptor) }
    }

    private static func path(in dataFolder: String) -> String { "\(dataFolder)/running.json" }

    /// Returns the host running on a data folder; nil if no host is running.
    static func find(dataFolder: String) -> RunningHost? {
        let path = path(in: dataFolder)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // If the lock can be acquired, no host is running, whatever the file contains.
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return FileManager.default.contents(atPath: path)
            .flatMap { try? JSONDecoder().decode(RunningHost.self, from: $0) }
    }
}
