internal import Companion
internal import Foundation
internal import LibraryStore
internal import MusicShared
internal import Subsonic

/// Triggers Navidrome scans when the music folder changes. It follows the event log, which also contains
/// changes by edits, uploads, the watcher and other programs. Permanent failures are announced in the same
/// log.
final class RescanFollower: Sendable {
    private let feed: PushFeed
    private let task: Task<Void, Never>

    /// Follows the log until deallocated.
    init(_ feed: PushFeed, _ rescan: LibraryRescan) {
        self.feed = feed
        rescan.listen { [weak feed] event in
            guard case .failed(let message, retrySeconds: nil) = event else { return }
            feed?.announce(.warning(code: "navidrome_failed", message: message))
        }
        // Start at the end of the log: Navidrome has had time to find earlier changes.
        var cursor = try? feed.store.latestCursor()
        task = Task { [weak feed] in
            guard let wakeups = feed?.wakeups(forClient: false) else { return }
            for await _ in wakeups {
                guard let feed else { return }
                // If the log cannot be read now, try again at the next wake-up.
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

    /// Reads all events after a cursor.
    private static func news(
        of feed: PushFeed, after cursor: EventCursor
    ) throws -> (concernsFiles: Bool, end: EventCursor) {
        var end = cursor
        var concernsFiles = false
        while true {
            let page = try feed.replay(after: end)
            // If events were lost, files may have changed.
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
