internal import Companion
internal import MusicShared

/// Has what uploads bring analysed, and clients told of what comes and goes. Servers beside this one follow the same log.
struct ChangeAnnouncer: Sendable {
    let queue: AnalysisQueue
    let report: @Sendable (String) -> Void

    /// Notes changes. What cannot be noted is complained of: the watcher finds the files all the same.
    func note(_ changes: [IntakeChange]) {
        var added: [PushTrack] = []
        var removed: [PushTrack] = []
        var requests: [AnalysisRequest] = []
        for change in changes {
            switch change {
            case .added(let path, let id):
                requests.append(AnalysisRequest(path, priority: .changed))
                if let id { added.append(PushTrack(trackID: id, relativePath: path.text)) }
            case .removed(let path, let id):
                if let id { removed.append(PushTrack(trackID: id, relativePath: path.text)) }
            }
        }
        do {
            var events: [PushEvent] = []
            if !removed.isEmpty { events.append(.tracksRemoved(removed)) }
            if !added.isEmpty { events.append(.tracksAdded(added)) }
            try queue.store.announce(events)
            try queue.ask(requests)
        } catch {
            report("what has come and gone could not be noted: \(error)")
        }
        queue.measureAlbums()
    }
}
