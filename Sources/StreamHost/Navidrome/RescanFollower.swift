internal import Companion
internal import Foundation
internal import MusicShared
internal import Subsonic

/// Has Navidrome told of all that changes in the music folder, whoever changes it: it follows the log of events, in which
/// edits, uploads, the watcher and other programs tell of theirs. What goes wrong for good is announced there.
final class RescanFollower: Sendable {
    private let feed: PushFeed
    private let task: Task<Void, Never>

    /// Follows until it is gone.
    init(_ feed: PushFeed, _ rescan: LibraryRescan) {
        self.feed = feed
        rescan.listen { [weak feed] event in
            guard case .failed(let message, retrySeconds: nil) = event else { return }
            feed?.announce(.warning(code: "navidrome_failed", message: message))
        }
        // From here on: what was before, Navidrome has had its time to find.
        var cursor = try? feed.store.latestCursor()
        task = Task { [weak feed] in
            guard let wakeups = feed?.wakeups() else { return }
            for await _ in wakeups {
                guard let feed else { return }
                // A log that cannot be read now is read at the next wake-up.
                guard let last = cursor, let news = try? Self.news(of: feed, after: last) else {
                    cursor = cursor ?? (try? feed.store.latestCursor())
                    continue
                }
                cursor = news.end
                if news.concernsFiles { rescan.request() }
            }
        }
    }

    deinit { task.cancel() }

    /// What has happened after a place, all of it.
    private static func news(
        of feed: PushFeed, after cursor: EventCursor
    ) throws -> (concernsFiles: Bool, end: EventCursor) {
        var end = cursor
        var concernsFiles = false
        while true {
            let page = try feed.replay(after: end)
            // Where events were lost, files may have changed.
            if page.gap != nil { return (true, page.end) }
            if page.messages.isEmpty { return (concernsFiles, page.end) }
            concernsFiles = concernsFiles || page.messages.contains { isOfFiles($0.event) }
            end = page.end
        }
    }

    private static func isOfFiles(_ event: PushEvent) -> Bool {
        switch event {
        case .tracksAdded, .tracksChanged, .tracksRemoved: true
        default: false
        }
    }
}
