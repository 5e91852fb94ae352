import ConsoleProgram
import Foundation
import StreamClient

/// Where the player keeps what it knows: its hosts with their keys, copies of their libraries, and files.
struct ClientFolder {
    /// The folder.
    let path: String

    /// - Parameter path: nil for the one that the system has for such things.
    init(_ path: String? = nil) {
        let environment = ProcessInfo.processInfo.environment
        let standard =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? ".") + "/.local/share"
        self.path = path ?? environment["STREAM_PLAYER_FOLDER"] ?? standard + "/stream-player"
    }

    /// The hosts.
    /// - Throws: `ClientError`.
    func book() throws -> HostBook { try HostBook(path: path + "/hosts.json") }

    /// The copy of a host's library.
    func copy(of host: KnownHost) -> LibraryCopy { LibraryCopy(folder: "\(path)/\(host.id)") }

    /// A host's files.
    /// - Parameter parallelDownloads: how many come at the same time.
    /// - Throws: `ClientError`.
    func cache(_ connection: HostConnection, parallelDownloads: Int = 3) throws -> RemoteFileCache {
        var options = RemoteFileCache.Options()
        options.parallelDownloads = parallelDownloads
        return try RemoteFileCache(
            connection, folder: "\(path)/\(connection.host.id)/files", options: options)
    }

    /// Whom the player believes to be who they say.
    static var trust: ServerTrust {
        ProcessInfo.processInfo.environment["STREAM_PLAYER_CA"].map { .certificates(file: $0) } ?? .machine
    }

    /// What goes to the network.
    static func transport() -> CurlTransport {
        CurlTransport(userAgent: "stream-player/\(ProductVersion.text)", trust: trust)
    }

    /// The library of the host that was connected last, or of the one that is named; its copy where the host is away.
    /// - Parameters:
    ///   - name: a host's name or id; nil for the last one.
    ///   - isOffline: never asks the host.
    /// - Throws: `ClientError`, `UsageError`.
    func library(_ name: String?, isOffline: Bool = false) async throws -> LibrarySwitcher.Selection {
        guard let host = try host(name) else {
            throw UsageError(
                message: name.map { "there is no host \($0)" }
                    ?? "no host is known: `stream-player connect URL`")
        }
        return try await library(of: host, isOffline: isOffline)
    }

    /// A host that is known, by its name, its id or one of its addresses; without any of them the one that was connected last.
    /// - Throws: `ClientError`.
    func host(_ name: String?) throws -> KnownHost? {
        let hosts = try book().all
        guard let name else { return hosts.first }
        let address = HostAddress(name)
        return hosts.first { host in
            host.name == name || host.id == name || address.map { host.addresses.contains($0) } ?? false
        }
    }

    /// The library of a host; its copy where the host is away.
    func library(of host: KnownHost, isOffline: Bool = false) async throws -> LibrarySwitcher.Selection {
        let connection = HostConnection(host, transport: Self.transport())
        guard !isOffline else {
            return .init(
                host: host, connection: connection, provider: try copy(of: host).library(), isOnline: false)
        }
        let selection = try await LibrarySwitcher([connection], copies: [host.id: copy(of: host)])
            .select(id: host.id)
        if !selection.isOnline {
            Terminal.complain("stream-player: \(host.name) does not answer; this is the copy of its library.")
        }
        return selection
    }
}
