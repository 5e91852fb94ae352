import CommandLineProgram
import StreamClient
import StreamClientHost

/// The host whose tracks are played: its connection, library and cache.
struct PlayedHost {
    let connection: HostConnection
    let library: any LibraryServiceProvider
    /// Nil for a host that has not been added with `connect`; nothing is stored for it.
    let cache: RemoteFileCache?
    /// A file for plays that have not been sent to the host yet; nil like ``cache``.
    let outboxPath: String?

    /// Selects the host given by the options; uses the copy of its library if it is offline.
    /// - Throws: `UsageError`, `ClientError`.
    init(_ options: PlayOptions) async throws {
        if var host = try options.folder.host(options.host) {
            if let key = options.key { host.key = key }
            let selection = try await options.folder.library(of: host)
            connection = selection.connection
            library = selection.provider
            // One download at a time leaves bandwidth for the track being played.
            cache = try options.folder.cache(connection, parallelDownloads: 1)
            outboxPath = "\(options.folder.path)/\(host.id)/listening.json"
            return
        }
        guard let name = options.host else {
            throw UsageError(message: "no known hosts; specify one with --host or STREAM_PLAYER_HOST")
        }
        guard let address = HostAddress(name) else {
            throw UsageError(message: "'\(name)' is neither a known host nor a host address")
        }
        connection = HostConnection(
            KnownHost(id: "new", name: name, addresses: [address], key: options.key),
            transport: ClientFolder.transport())
        try await connection.connect()
        library = RemoteLibrary(connection)
        cache = nil
        outboxPath = nil
    }
}
