public import MusicShared
internal import Foundation
internal import SQLiteDatabase

/// A place in what has happened.
public struct EventCursor: Sendable, Hashable, CustomStringConvertible {
    /// Names the life of the log: numbers of another one mean nothing here.
    public let epoch: String
    /// The number of the last event before the place.
    public let number: Int

    /// Puts the parts together.
    public init(epoch: String, number: Int) {
        self.epoch = epoch
        self.number = number
    }

    /// Reads a cursor as ``description`` writes it.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let number = Int(parts[1]), number >= 0 else { return nil }
        self.init(epoch: String(parts[0]), number: number)
    }

    /// The cursor as clients have it.
    public var description: String { "\(epoch)-\(number)" }
}

/// Events of the log, in order.
public struct EventPage: Sendable {
    /// The events.
    public var messages: [PushMessage]
    /// The place after them.
    public var end: EventCursor
    /// Why the events since the cursor are not known, if they are not: then these are none, and ``end`` is the place after
    /// all that has happened.
    public var gap: PushResyncReason?
}

extension WorkStore {
    /// How many events are kept: those of a first pass over some 100,000 tracks.
    static let keptEvents = 20_000
    /// Tracks that one event tells of at most.
    static let tracksOfEvent = 100

    /// Writes down what has happened, for all clients of all hosts on this data folder, present and future.
    public func announce(_ events: [PushEvent]) throws {
        guard !events.isEmpty else { return }
        try write { try Self.append(events, $0) }
    }

    /// Writes down that the library has changed, unless this state of it is the one that was told of last.
    public func announceLibrary(revision: String) throws {
        try write { database in
            let told: String? = try database.scalar("SELECT library_revision FROM state WHERE id = 1")
            guard told != revision else { return }
            try database.execute("UPDATE state SET library_revision = ? WHERE id = 1", [revision])
            // To begin with there is nobody who knows another one.
            if told != nil { try Self.append([.libraryChanged(revision: revision)], database) }
        }
    }

    /// The place after all that has happened.
    public func latestCursor() throws -> EventCursor {
        try read { try Self.latest($0) }
    }

    /// The events after a place, at most so many.
    public func events(after cursor: EventCursor, limit: Int) throws -> EventPage {
        try read { database in
            let latest = try Self.latest(database)
            guard cursor.epoch == latest.epoch, cursor.number <= latest.number else {
                return EventPage(messages: [], end: latest, gap: .unknownCursor)
            }
            // Numbers are given without gaps, so that the oldest tells what is missing.
            let oldest: Int? = try database.scalar("SELECT min(id) FROM events")
            guard cursor.number + 1 >= oldest ?? latest.number + 1 else {
                return EventPage(messages: [], end: latest, gap: .tooOld)
            }
            var messages: [PushMessage] = []
            var end = cursor
            let decoder = JSONDecoder()
            try database.forEach(
                "SELECT id, at_ms, content FROM events WHERE id > ? ORDER BY id LIMIT ?",
                [cursor.number, limit]
            ) { row in
                end = EventCursor(epoch: latest.epoch, number: try row[0])
                let milliseconds: Int = try row[1]
                let content: String = try row[2]
                messages.append(
                    PushMessage(
                        id: end.description, at: Double(milliseconds) / 1000,
                        event: try decoder.decode(PushEvent.self, from: Data(content.utf8))))
            }
            return EventPage(messages: messages, end: end)
        }
    }

    static func append(_ events: [PushEvent], _ database: Database) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let now = Date().storedMilliseconds
        guard !events.isEmpty else { return }
        var last = 0
        for event in events.flatMap(\.parts) {
            let content = String(decoding: try encoder.encode(event), as: UTF8.self)
            try database.execute("INSERT INTO events (at_ms, content) VALUES (?, ?)", [now, content])
            last = Int(database.lastInsertRowID)
        }
        try database.execute("DELETE FROM events WHERE id <= ?", [last - keptEvents])
    }

    private static func latest(_ database: Database) throws -> EventCursor {
        let epoch: String? = try database.scalar("SELECT epoch FROM state WHERE id = 1")
        guard let epoch else { throw StoreError(.damagedRow, "the work store has no state") }
        // Not the largest in the table, which forgets.
        let number: Int? = try database.scalar("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
        return EventCursor(epoch: epoch, number: number ?? 0)
    }
}

extension PushEvent {
    /// The same in events of a bounded size.
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
        case .framesReady(let tracks): parts(tracks, PushEvent.framesReady)
        default: [self]
        }
    }
}
