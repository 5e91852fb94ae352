internal import MusicShared

/// Locates a host's tracks: in the local cache, or at whichever address of the host responds.
public struct HostLocator: MediaLocator {
    private let connection: HostConnection
    private let cache: RemoteFileCache?

    /// - Parameters:
    ///   - connection: the connection to the host.
    ///   - cache: the cache of the host's files, if any.
    public init(_ connection: HostConnection, cache: RemoteFileCache? = nil) {
        self.connection = connection
        self.cache = cache
    }

    /// Returns the cached file if it is complete and of a format that the engine decodes, otherwise the stream at an address that responds, if one does.
    public func location(
        of item: PlayableItem, insteadOf failed: PlayableItem.Location?
    ) async -> PlayableItem.Location? {
        guard let id = item.trackID else { return nil }
        if let path = await cache?.playablePath(of: id), failed != .file(path: path) {
            return .file(path: path)
        }
        if failed != nil || connection.address == nil { _ = try? await connection.connect() }
        return connection.request(Routes.path(Routes.masterPlaylist, id)).map {
            .address($0.address, fields: $0.fields)
        }
    }
}
