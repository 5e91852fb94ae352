internal import Foundation
package import MusicShared
internal import SQLiteDatabase
internal import Synchronization

/// Listening data that several hosts share.
extension ListeningStore {
    /// Whether other hosts change the same data.
    package var isShared: Bool { sharing != nil }

    /// How this host keeps up with the shared data; nil for a host that has its own.
    package var sharingReport: SharedListeningReport? { sharing?.report }

    /// Begins to follow the changes of other hosts. Their plays are passed on as this host's own are, unless this host follows
    /// another one, which does so.
    /// - Parameters:
    ///   - library: gets the playlists of other hosts, if they are shared.
    ///   - changed: called after data has changed.
    ///   - complain: called with a message when the shared data cannot be used, and when it can again.
    package func startSharing(
        library: LibraryStore, changed: @escaping @Sendable () -> Void,
        complain: @escaping @Sendable (String) -> Void
    ) {
        sharing?.start(
            changed: changed, looked: { [weak library] in try library?.updateSharedPlaylists() },
            playsArrived: { [weak self] last in
                do { try self?.passOnPlays(after: last) } catch {
                    complain("plays of other hosts cannot be passed on: \(error)")
                }
            }, complain: complain)
    }

    /// Copies what other hosts have changed until now.
    /// - Throws: ``SharedListeningError``.
    package func catchUp() throws { _ = try sharing?.catchUp() }

    /// Stops following the changes of other hosts.
    package func stopSharing() { sharing?.stop() }

    private func passOnPlays(after last: Int) throws {
        guard !isCopyOfHost, let observer = playObserver.withLock({ $0 }) else { return }
        let plays = try pool.read { database in
            try database.fetchAll(
                """
                SELECT plays.account_id, tracks.id AS track, played_at_ms, seconds_played
                FROM plays JOIN listened ON listened.id = plays.listened_id
                JOIN tracks ON tracks.relative_path = listened.place AND tracks.audio_hash = listened.audio_hash
                WHERE plays.id > ? ORDER BY plays.id
                """, [last]
            ) { row -> (account: Int, notice: PlayNotice) in
                let at: Int = try row["played_at_ms"]
                return (
                    try row["account_id"],
                    PlayNotice(
                        kind: .played, trackID: try row["track"], at: Double(at) / 1000,
                        secondsPlayed: try row["seconds_played"])
                )
            }
        }
        for (account, plays) in Dictionary(grouping: plays, by: \.account) {
            observer(plays.map(\.notice), account)
        }
    }
}
