internal import Foundation
internal import Synchronization

/// The hosts that the client knows, in a file that only its owner may read, since it holds their keys.
///
/// Safe to use from any thread; by one program at a time.
public final class HostBook: Sendable {
    private let path: String
    private let hosts: Mutex<[KnownHost]>

    /// Opens the file; a missing one is an empty book.
    /// - Throws: ``ClientError/Code/storage`` where it cannot be read.
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
            throw ClientError(.storage, "The list of hosts cannot be read: \(path)")
        }
    }

    /// All hosts, the preferred one first.
    public var all: [KnownHost] { hosts.withLock { $0 } }

    /// Keeps a host in the place of the one with its id, or as the first one.
    /// - Throws: ``ClientError/Code/storage`` where the file cannot be written; then nothing changes.
    public func keep(_ host: KnownHost, asFirst: Bool = true) throws(ClientError) {
        try change { hosts in
            let place = hosts.firstIndex { $0.id == host.id }
            hosts.removeAll { $0.id == host.id }
            hosts.insert(host, at: asFirst ? 0 : min(place ?? hosts.count, hosts.count))
        }
    }

    /// Forgets a host.
    /// - Throws: ``ClientError/Code/storage`` where the file cannot be written; then nothing changes.
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
                try OwnFile.replace(path, with: try encoder.encode(changed))
            } catch {
                throw ClientError(.storage, "The list of hosts cannot be written: \(path)")
            }
            hosts = changed
        }
    }
}
