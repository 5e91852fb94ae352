import CommandLineProgram
import Foundation
import StreamClient
import StreamClientHost
import StreamClientLinux

/// The player's data folder: known hosts with their API keys, copies of their libraries, and downloaded files.
struct ClientFolder {
    /// The path of the folder.
    let path: String

    /// - Parameter path: nil for the default location.
    init(_ path: String? = nil) {
        let environment = ProcessInfo.processInfo.environment
        let standard =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? ".") + "/.local/share"
        self.path = path ?? environment["STREAM_PLAYER_FOLDER"] ?? standard + "/stream-player"
    }

    /// Opens the list of known hosts.
    /// - Throws: `ClientError`.
    func book() throws -> HostBook { try HostBook(path: path + "/hosts.json") }

    /// Returns the local copy of a host's library.
    func copy(of host: KnownHost) -> LibraryCopy { LibraryCopy(folder: "\(path)/\(host.id)") }

    /// Opens the cache of a host's files.
    /// - Parameter parallelDownloads: maximum number of concurrent downloads.
    /// - Throws: `ClientError`.
    func cache(_ connection: HostConnection, parallelDownloads: Int = 3) throws -> RemoteFileCache {
        var options = RemoteFileCache.Options()
        options.parallelDownloads = parallelDownloads
        return try RemoteFileCache(
            connection, folder: "\(path)/\(connection.host.id)/files", options: options)
    }

    /// The certificates to trust.
    static var trust: ServerTrust {
        ProcessInfo.processInfo.environment["STREAM_PLAYER_CA"].map { .certificates(file: $0) } ?? .machine
    }

    /// Creates the transport.
    static func transport() -> CurlTransport {
        CurlTransport(userAgent: "stream-player/\(ProductVersion.number)", trust: trust)
    }

    /// Selects the library of a host, or its local copy if the host is offline.
    /// - Parameters:
    ///   - name: a host's name, id or address; nil for the host connected last.
    ///   - isOffline: whether to use the copy without contacting the host.
    /// - Throws: `ClientError`, `UsageError`.
    func library(_ name: String?, isOffline: Bool = false) async throws -> LibrarySwitcher.Selection {
        guard let host = try host(name) else {
            throw UsageError(
                message: name.map { "unknown host \($0)" }
                    ?? "no known hosts; run `stream-player connect URL` first")
        }
        return try await library(of: host, isOffline: isOffline)
    }

    /// Returns the known host with the given name, id or address; without one, the host connected last.
    /// - Throws: `ClientError`.
    func host(_ name: String?) throws -> KnownHost? {
        let hosts = try book().all
        guard let name else { return hosts.first }
        let address = HostAddress(name)
        return hosts.first { host in
            host.name == name || host.id == name || address.map { host.addresses.contains($0) } ?? false
        }
    }

    /// Selects the library of a host, or its local copy if the host is offline.
    func library(of host: KnownHost, isOffline: Bool = false) async throws -> LibrarySwitcher.Selection {
        let connection = HostConnection(host, transport: Self.transport())
        guard !isOffline else {
            return .init(
                host: host, connection: connection, provider: try copy(of: host).library(), isOnline: false)
        }
        let selection = try await LibrarySwitcher([connection], copies: [host.id: copy(of: host)])
            .select(id: host.id)
        if !selection.isOnline {
            Terminal.complain("stream-player: \(host.name) is offline; using the local copy of its library.")
        }
        return selection
    }
}
