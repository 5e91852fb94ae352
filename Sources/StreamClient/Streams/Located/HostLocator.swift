internal import MusicShared

/// Finds the tracks of a host: among the files that were downloaded, or at whichever address of the host answers.
public struct HostLocator: MediaLocator {
    private let connection: HostConnection
    private let cache: RemoteFileCache?

    /// - Parameters:
    ///   - connection: the way to the host.
    ///   - cache: the host's files, if any are kept.
    public init(_ connection: HostConnection, cache: RemoteFileCache? = nil) {
        self.connection = connection
        self.cache = cache
    }

    /// The file, where all of it is there; else the stream, at an address that answers where one does.
    public func location(
        of item: PlayableItem, insteadOf failed: PlayableItem.Location?
    ) async -> PlayableItem.Location? {
        guard let id = item.trackID else { return nil }
        if let cache, await cache.file(of: id)?.state == .complete, let path = try? await cache.path(of: id),
            failed != .file(path: path)
        {
            return .file(path: path)
        }
        if failed != nil || connection.address == nil { _ = try? await connection.connect() }
        return connection.request(Routes.path(Routes.masterPlaylist, id)).map {
            .address($0.address, fields: $0.fields)
        }
    }
}
