import Foundation

/// Where the host of a data folder can be reached, in a file of that folder: other programs of its owner find it there.
struct RunningHost: Codable {
    /// The host's process.
    var processID: Int32
    /// The address for programs of this machine, without encryption.
    var localAddress: String
    /// The address for others in the network; nil where only this machine reaches the host.
    var networkAddress: String?
    /// Everybody is let in, without a key.
    var trustsEverybody: Bool

    private enum CodingKeys: String, CodingKey {
        case processID = "process_id"
        case localAddress = "local_address"
        case networkAddress = "network_address"
        case trustsEverybody = "trusts_everybody"
    }

    /// A host's own file: for as long as this lives, others see that the host runs. A host that is killed leaves the file,
    /// but not the lock on it.
    final class Mark: Sendable {
        private let descriptor: Int32

        /// - Returns: nil where the file cannot be had, for instance because another host has it.
        init?(_ host: RunningHost, dataFolder: String) {
            let opened = open(RunningHost.path(in: dataFolder), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard opened >= 0 else { return nil }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0, let json = try? JSONEncoder().encode(host) else {
                close(opened)
                return nil
            }
            // From here on its end is the file's end, too.
            descriptor = opened
            let bytes = [UInt8](json) + [0x0A]
            ftruncate(descriptor, 0)
            pwrite(descriptor, bytes, bytes.count, 0)
        }

        deinit {
            ftruncate(descriptor, 0)
            close(descriptor)
        }
    }

    private static func path(in dataFolder: String) -> String { "\(dataFolder)/running.json" }

    /// The host that runs on a data folder; nil where none does.
    static func find(dataFolder: String) -> RunningHost? {
        let path = path(in: dataFolder)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Whoever gets the lock is alone: the host is gone, whatever the file says.
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return FileManager.default.contents(atPath: path)
            .flatMap { try? JSONDecoder().decode(RunningHost.self, from: $0) }
    }
}
