import ConsoleProgram
import StreamClient

/// The host whose tracks are played: how it is reached, what it has, and what is here of it.
struct PlayedHost {
    let connection: HostConnection
    let library: any LibraryServiceProvider
    /// Nil for a host that nobody connected to before: nothing of it is kept.
    let cache: RemoteFileCache?

    /// The host that the options mean; the copy of its library where it is away.
    /// - Throws: `UsageError`, `ClientError`.
    init(_ options: PlayOptions) async throws {
        if var host = try options.folder.host(options.host) {
            if let key = options.key { host.key = key }
            let selection = try await options.folder.library(of: host)
            connection = selection.connection
            library = selection.provider
            // What is playing has the rest of the line.
            cache = try options.folder.cache(connection, parallelDownloads: 1)
            return
        }
        guard let name = options.host else {
            throw UsageError(message: "name the host with --host, or in STREAM_PLAYER_HOST")
        }
        guard let address = HostAddress(name) else {
            throw UsageError(message: "\(name) is no host that is known, and no host's address")
        }
        connection = HostConnection(
            KnownHost(id: "new", name: name, addresses: [address], key: options.key),
            transport: ClientFolder.transport())
        try await connection.connect()
        library = RemoteLibrary(connection)
        cache = nil
    }
}
