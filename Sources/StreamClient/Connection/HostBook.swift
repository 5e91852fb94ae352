internal import Foundation
internal import Synchronization

/// The client's known hosts, in a file that only its owner may read because it contains their API keys.
///
/// Thread-safe; only one process may use the file at a time.
public final class HostBook: Sendable {
    private let path: String
    private let hosts: Mutex<[KnownHost]>

    /// Opens the file; a missing file is treated as empty.
    /// - Throws: ``ClientError/Code/storage`` if it cannot be read.
    public init(path: String) throws(ClientError) {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            hosts = Mutex([])
            return
        }
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            hosts = Mutex(try JSONDecoder().decode([KnownHost].self, from: data))
        } catch {
            throw ClientError(.storage, "Cannot read the list of hosts: \(path)")
        }
    }

    /// All hosts, the preferred one first.
    public var all: [KnownHost] { hosts.withLock { $0 } }

    /// Adds a host, or replaces the one with the same id.
    /// - Throws: ``ClientError/Code/storage`` if the file cannot be written; the list is then unchanged.
    public func keep(_ host: KnownHost, asFirst: Bool = true) throws(ClientError) {
        try change { hosts in
            let place = hosts.firstIndex { $0.id == host.id }
            hosts.removeAll { $0.id == host.id }
            hosts.insert(host, at: asFirst ? 0 : min(place ?? hosts.count, hosts.count))
        }
    }

    /// Removes a host.
    /// - Throws: ``ClientError/Code/storage`` if the file cannot be written; the list is then unchanged.
    public func forget(id: String) throws(ClientError) {
        try change { $0.removeAll { $0.id == id } }
    }

    private func change(_ edit: (inout [KnownHost]) -> Void) throws(ClientError) {
        try hosts.withLock { hosts throws(ClientError) in
            var changed = hosts
            edit(&changed)
            do {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                try PrivateFile.replace(path, with: try encoder.encode(changed))
            } catch {
                throw ClientError(.storage, "Cannot write the list of hosts: \(path)")
            }
            hosts = changed
        }
    }
}
