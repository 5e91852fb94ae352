public import StreamClient
public import MusicShared

extension HostConnection {
    /// Returns the next tracks of an endless queue of tracks that sound like one.
    /// - Parameters:
    ///   - id: the track that the radio starts with.
    ///   - count: number of tracks.
    ///   - cursor: `nextCursor` of the page before; nil starts a radio.
    /// - Throws: ``ClientError/Code/notFound`` if there is no such track; other errors of the connection.
    public func radio(
        fromTrack id: Int, count: Int, cursor: String? = nil
    ) async throws(ClientError) -> RadioPage {
        try await value(
            Routes.radio, query: [("track", "\(id)"), ("count", "\(count)"), ("cursor", cursor)])
    }
}
