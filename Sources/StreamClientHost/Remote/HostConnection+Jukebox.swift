public import MusicShared
public import StreamClient

/// The jukebox of a host: its own player, whose sound comes from the host's sound card.
///
/// Each call throws ``ClientError/Code/notFound`` if the host has none, ``ClientError/Code/unauthorized`` if the account may not
/// control it, and other errors of the connection.
extension HostConnection {
    /// Returns what the jukebox does.
    public func jukebox() async throws(ClientError) -> JukeboxReport { try await value(Routes.jukebox) }

    /// Plays, pauses, skips, seeks or changes the volume.
    /// - Returns: the state after the change.
    public func changeJukebox(_ patch: JukeboxPatch) async throws(ClientError) -> JukeboxReport {
        try await value(Routes.jukebox, method: "PATCH", sending: patch)
    }

    /// Replaces the queue of the jukebox.
    /// - Returns: the state after the change.
    public func setJukeboxQueue(_ queue: JukeboxQueue) async throws(ClientError) -> JukeboxReport {
        try await value(Routes.jukeboxQueue, method: "PUT", sending: queue)
    }

    /// Appends tracks to the queue of the jukebox.
    /// - Returns: the state after the change.
    public func addToJukebox(_ trackIDs: [Int]) async throws(ClientError) -> JukeboxReport {
        try await value(Routes.jukeboxEntries, method: "POST", sending: ["track_ids": trackIDs])
    }

    /// Shuffles the queue of the jukebox; the current track comes first and continues.
    /// - Returns: the state after the change.
    public func shuffleJukebox() async throws(ClientError) -> JukeboxReport {
        try await value(Routes.jukeboxShuffle, method: "POST", sending: [String: Int]())
    }
}
