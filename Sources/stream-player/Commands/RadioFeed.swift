internal import StreamClientHost
import MusicShared
import StreamClient

/// Keeps the queue of an engine filled with the tracks of a radio, which never ends.
struct RadioFeed {
    /// Number of tracks to request at a time.
    private static let pageSize = 20
    /// The queue is extended when fewer tracks than this follow.
    private static let leastRemaining = 5

    private let connection: HostConnection
    private let trackID: Int
    private let cursor: String
    /// The first tracks.
    let items: [PlayableItem]

    /// Starts a radio.
    /// - Throws: `ClientError` if the host cannot be reached or has no such track.
    init(fromTrack id: Int, of connection: HostConnection) async throws {
        self.connection = connection
        trackID = id
        let page = try await connection.radio(fromTrack: id, count: Self.pageSize)
        items = page.items.map { PlayableItem($0, of: connection) }
        cursor = page.nextCursor
    }

    /// Extends the queue until the task is cancelled. A request that fails is repeated with the next track.
    /// - Parameter events: the events of the engine, from before playback starts.
    func run(_ engine: PlaybackEngine, _ events: AsyncStream<PlaybackEvent>) async {
        var cursor = cursor
        for await event in events {
            guard case .itemStarted(_, let index) = event else { continue }
            let remaining = await engine.snapshot().queue.count - 1 - index
            guard remaining < Self.leastRemaining,
                let page = try? await connection.radio(
                    fromTrack: trackID, count: Self.pageSize, cursor: cursor)
            else { continue }
            cursor = page.nextCursor
            await engine.append(page.items.map { PlayableItem($0, of: connection) })
        }
    }
}
