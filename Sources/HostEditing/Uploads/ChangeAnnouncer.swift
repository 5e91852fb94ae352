package import Companion
internal import LibraryStore
package import MusicFiles
internal import MusicShared

/// Queues uploaded files for analysis, and notifies clients of added and removed tracks. Media servers follow
/// the same event log.
package struct ChangeAnnouncer: Sendable {
    package let queue: AnalysisQueue
    package let report: @Sendable (String) -> Void
    /// Called with one line per upload or deletion.
    package let log: (@Sendable (String) -> Void)?

    /// Memberwise initializer.
    package init(
        queue: AnalysisQueue, report: @escaping @Sendable (String) -> Void, log: (@Sendable (String) -> Void)?
    ) {
        self.queue = queue
        self.report = report
        self.log = log
    }

    /// Records changes. Failures are only reported: the watcher finds the files anyway.
    package func note(_ changes: [IntakeChange]) {
        var added: [PushTrack] = []
        var removed: [PushTrack] = []
        var requests: [AnalysisRequest] = []
        if let log { changes.activityLines.forEach(log) }
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
            try queue.enqueue(requests)
        } catch {
            report("added and removed files could not be recorded: \(error)")
        }
        queue.measureAlbums()
    }
}

extension [IntakeChange] {
    /// Log lines describing the changes.
    fileprivate var activityLines: [String] {
        let added = compactMap { if case .added(let path, _) = $0 { path } else { nil } }
        let removed = compactMap { if case .removed(let path, _) = $0 { path } else { nil } }
        return [
            ActivityLine.text("upload or restore", added, "added"),
            ActivityLine.text("delete", removed, "removed"),
        ].compactMap { $0 }
    }
}
