import Companion
import FileSystem
import Foundation
import LibraryStore

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
        private let file: FileDescriptor

        /// Acquires the lock.
        /// - Throws: `StoreError` `dataFolderInUse` if another host is running on the data folder,
        ///   `dataFolder` if the file cannot be used.
        init(dataFolder: String) throws(StoreError) {
            let path = RunningHost.path(in: dataFolder)
            file = try SystemError.map(to: { StoreError(.dataFolder, "cannot be opened: \($0)", path: path) })
            {
                () throws(SystemError) in
                try FileDescriptor.open(path, for: .readAndWrite, [.create, .noLink])
            }
            do throws(SystemError) {
                // Programs that look for a host hold the lock briefly.
                if try file.lockDespiteChecks(attempts: 50, intervalMicroseconds: 10_000) {
                    clear()
                    return
                }
            } catch {
                throw StoreError(.dataFolder, "cannot be locked: \(error)", path: path)
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
            try? file.write([UInt8](json) + [0x0A], at: 0)
        }

        private func clear() { try? file.truncate(to: 0) }
    }

    private static func path(in dataFolder: String) -> String { "\(dataFolder)/running.json" }

    /// Returns the host running on a data folder; nil if no host is running.
    static func find(dataFolder: String) -> RunningHost? {
        let path = path(in: dataFolder)
        // If the lock can be acquired, no host is running, whatever the file contains.
        guard let file = try? FileDescriptor.open(path), (try? file.lock(.shared)) == false else {
            return nil
        }
        return FileManager.default.contents(atPath: path)
            .flatMap { try? JSONDecoder().decode(RunningHost.self, from: $0) }
    }
}
