internal import Analyzer
internal import LibraryStore
internal import MusicShared

/// The changes to the library in one step, to be sent to clients.
struct LibraryChangeSet {
    var added: [PushTrack] = []
    var changed: [PushTrack] = []
    var removed: [PushTrack] = []
    var failures: [FileFailure] = []
    private var withProfile: [PushTrack] = []
    private var withFrames: [PushTrack] = []

    /// Adds a recorded file.
    mutating func note(_ record: TrackRecord, _ recorded: RecordedTrack) {
        var track = PushTrack(trackID: recorded.id, relativePath: record.path.text)
        switch recorded.change {
        case .none: break
        case .added: added.append(track)
        case .changed: changed.append(track)
        case .moved(let path):
            track.previousPath = path.text
            changed.append(track)
        }
        track.previousPath = nil
        if let analysis = record.analysis {
            if analysis.profile != nil { withProfile.append(track) }
            if analysis.frames != nil { withFrames.append(track) }
        }
    }

    /// Removals come first: a track removed at one path may have been added at another.
    var events: [PushEvent] {
        var events: [PushEvent] = []
        if !removed.isEmpty { events.append(.tracksRemoved(removed)) }
        if !added.isEmpty { events.append(.tracksAdded(added)) }
        if !changed.isEmpty { events.append(.tracksChanged(changed)) }
        if !withProfile.isEmpty { events.append(.profilesReady(withProfile)) }
        if !withFrames.isEmpty { events.append(.spectraReady(withFrames)) }
        return events + failures.map { .analysisFailed($0) }
    }
}
