internal import Foundation
package import MusicShared
package import SQLiteDatabase

/// A position in the event log.
package struct EventCursor: Sendable, Hashable, CustomStringConvertible {
    /// Identifies the log: event numbers of another epoch are not valid here.
    package let epoch: String
    /// Number of the last event before the position.
    package let number: Int

    /// Creates a cursor.
    package init(epoch: String, number: Int) {
        self.epoch = epoch
        self.number = number
    }

    /// Parses a cursor as written by ``description``.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let number = Int(parts[1]), number >= 0 else { return nil }
        self.init(epoch: String(parts[0]), number: number)
    }

    /// The cursor as sent to clients.
    package var description: String { "\(epoch)-\(number)" }
}

/// A page of events of the log, in order.
package struct EventPage: Sendable {
    /// The events.
    package var messages: [PushMessage]
    /// The position after them.
    package var end: EventCursor
    /// The reason why the events since the cursor are not available, if so; then there are no messages, and
    /// ``end`` is the position after the latest event.
    package var gap: PushResyncReason?
    /// Whether there may be further events after ``end``.
    package var hasMore = false
}

extension WorkStore {
    /// Number of events to keep: enough for a first pass over some 100,000 tracks.
    static let keptEvents = 20_000
    /// Maximum number of tracks in one event.
    package static let tracksOfEvent = 100

    /// Appends events to the log, for all present and future clients of all hosts on this data folder.
    /// - Parameter accountID: the only account whose clients get them; nil for all.
    package func announce(_ events: [PushEvent], toAccount accountID: Int? = nil) throws {
        guard !events.isEmpty else { return }
        try write { try Self.append(events, toAccount: accountID, $0) }
    }

    /// Logs that the library has changed, unless clients have already been notified of this state.
    package func announceLibrary(state: String, revision: String) throws {
        try write { database in
            let announced: String? = try database.scalar("SELECT library_revision FROM state WHERE id = 1")
            guard announced != state else { return }
            try database.execute("UPDATE state SET library_revision = ? WHERE id = 1", [state])
            // At first, no client knows another state.
            if announced != nil { try Self.append([.libraryChanged(revision: revision)], database) }
        }
    }

    /// The position after the latest event.
    package func latestCursor() throws -> EventCursor {
        try read { try Self.latest($0) }
    }

    /// Returns events after a position, from at most `limit` events of the log.
    /// - Parameter accountID: the account that reads: events of other accounts are left out. Nil for all events.
    package func events(
        after cursor: EventCursor, limit: Int, ofAccount accountID: Int? = nil
    ) throws -> EventPage {
        try read { database in
            let latest = try Self.latest(database)
            guard cursor.epoch == latest.epoch, cursor.number <= latest.number else {
                return EventPage(messages: [], end: latest, gap: .unknownCursor)
            }
            // Numbers have no gaps, so the oldest one shows whether events are missing.
            let oldest: Int? = try database.scalar("SELECT min(id) FROM events")
            guard cursor.number + 1 >= oldest ?? latest.number + 1 else {
                return EventPage(messages: [], end: latest, gap: .tooOld)
            }
            var messages: [PushMessage] = []
            var end = cursor
            var count = 0
            let decoder = JSONDecoder()
            try database.forEach(
                "SELECT id, at_ms, content, account_id FROM events WHERE id > ? ORDER BY id LIMIT ?",
                [cursor.number, limit]
            ) { row in
                end = EventCursor(epoch: latest.epoch, number: try row["id"])
                count += 1
                if let accountID, let concerned: Int = try row["account_id"], concerned != accountID {
                    return
                }
                let milliseconds: Int = try row["at_ms"]
                let content: String = try row["content"]
                messages.append(
                    PushMessage(
                        id: end.description, at: Double(milliseconds) / 1000,
                        event: try decoder.decode(PushEvent.self, from: Data(content.utf8))))
            }
            return EventPage(messages: messages, end: end, hasMore: count == limit)
        }
    }

    package static func append(
        _ events: [PushEvent], toAccount accountID: Int? = nil, _ database: Database
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let now = Date().storedMilliseconds
        guard !events.isEmpty else { return }
        var last = 0
        for event in events.flatMap(\.parts) {
            let content = String(decoding: try encoder.encode(event), as: UTF8.self)
            try database.execute(
                "INSERT INTO events (at_ms, content, account_id) VALUES (?, ?, ?)", [now, content, accountID])
            last = Int(database.lastInsertRowID)
        }
        try database.execute("DELETE FROM events WHERE id <= ?", [last - keptEvents])
    }

    private static func latest(_ database: Database) throws -> EventCursor {
        let epoch: String? = try database.scalar("SELECT epoch FROM state WHERE id = 1")
        guard let epoch else { throw StoreError(.damagedRow, "the work store has no state") }
        // Not the largest id in the table, since old events are deleted.
        let number: Int? = try database.scalar("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
        return EventCursor(epoch: epoch, number: number ?? 0)
    }
}

extension PushEvent {
    /// The same event split into events of limited size.
    fileprivate var parts: [PushEvent] {
        func parts(_ tracks: [PushTrack], _ event: ([PushTrack]) -> PushEvent) -> [PushEvent] {
            stride(from: 0, to: tracks.count, by: WorkStore.tracksOfEvent).map {
                event(Array(tracks[$0..<min(tracks.count, $0 + WorkStore.tracksOfEvent)]))
            }
        }
        return switch self {
        case .tracksAdded(let tracks): parts(tracks, PushEvent.tracksAdded)
        case .tracksChanged(let tracks): parts(tracks, PushEvent.tracksChanged)
        case .tracksRemoved(let tracks): parts(tracks, PushEvent.tracksRemoved)
        case .profilesReady(let tracks): parts(tracks, PushEvent.profilesReady)
        case .spectraReady(let tracks): parts(tracks, PushEvent.spectraReady)
        default: [self]
        }
    }
}
