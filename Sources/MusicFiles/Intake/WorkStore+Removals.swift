internal import LibraryStore
internal import MusicShared

extension WorkStore {
    /// Logs events for removed files, for clients and other readers of the event log.
    /// - Throws: `DatabaseError`; the files have been removed all the same.
    package func announce(removed changes: [IntakeChange]) throws {
        let tracks = changes.compactMap { change -> PushTrack? in
            guard case .removed(let path, let id?) = change else { return nil }
            return PushTrack(trackID: id, relativePath: path.text)
        }
        if !tracks.isEmpty { try announce([.tracksRemoved(tracks)]) }
    }
}
