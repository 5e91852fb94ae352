internal import LibraryStore
internal import MusicShared

extension WorkStore {
    /// Logs events for edited files, for clients and other readers of the event log.
    /// - Throws: `DatabaseError`; the edits have been made all the same.
    package func announce(edited: [LibraryEditor.Edited]) throws {
        let tracks = edited.filter(\.file.isChanged).compactMap { edited in
            edited.trackID.map { PushTrack(trackID: $0, relativePath: edited.file.path.text) }
        }
        try announce(
            stride(from: 0, to: tracks.count, by: Self.tracksOfEvent).map {
                .tracksChanged(Array(tracks[$0..<min(tracks.count, $0 + Self.tracksOfEvent)]))
            })
    }
}
