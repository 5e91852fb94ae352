import Foundation
import MusicShared
import SQLiteDatabase
import Testing
import TestSupport
@testable import LibraryStore

@testable import Companion

/// The event log delivers events in order, also to clients that were offline.
@Suite("Event log")
struct WorkEventsTests {
    private let directory: TemporaryDirectory
    private let store: WorkStore
    private let data: DataFolder

    init() throws {
        directory = try TemporaryDirectory()
        data = try DataFolder(path: directory.file("data"))
        store = try WorkStore(data)
    }

    private static func warning(_ number: Int) -> PushEvent { .warning(code: "\(number)", message: "") }

    @Test("From any cursor, all later events are delivered once, in order, whichever program wrote them")
    func replay() throws {
        let start = try store.latestCursor()
        let other = try WorkStore(data)
        for number in 0..<50 { try (number % 2 == 0 ? store : other).announce([Self.warning(number)]) }
        for first in [0, 7, 49, 50] {
            var cursor = EventCursor(epoch: start.epoch, number: start.number + first)
            var told: [PushEvent] = []
            while true {
                let page = try store.events(after: cursor, limit: 8)
                #expect(page.gap == nil)
                if page.messages.isEmpty { break }
                #expect(page.messages.last?.id == page.end.description)
                told += page.messages.map(\.event)
                cursor = page.end
            }
            #expect(told == (first..<50).map(Self.warning))
        }
        #expect(EventCursor(start.description) == start)
    }

    @Test("Cursors from another epoch or before the retention window are rejected")
    func gaps() throws {
        try store.announce((0..<10).map(Self.warning))
        let latest = try store.latestCursor()
        #expect(try store.events(after: latest, limit: 10).gap == nil)
        let foreign = EventCursor(epoch: "ffff", number: 1)
        #expect(try store.events(after: foreign, limit: 10).gap == .unknownCursor)
        let future = EventCursor(epoch: latest.epoch, number: latest.number + 1)
        #expect(try store.events(after: future, limit: 10).gap == .unknownCursor)
        let old = EventCursor(epoch: latest.epoch, number: 3)
        #expect(try store.events(after: old, limit: 10).messages.count == 7)
        try store.announce((0..<WorkStore.keptEvents).map(Self.warning))
        let page = try store.events(after: old, limit: 10)
        #expect(page.gap == .tooOld && page.messages.isEmpty)
        #expect(try page.end == store.latestCursor())
        #expect(try store.events(after: latest, limit: 1).messages.count == 1)
        #expect(try store.read { try $0.scalar("SELECT count(*) FROM events") } == WorkStore.keptEvents)
    }

    @Test("A new log has a new epoch")
    func newLife() throws {
        try store.announce([Self.warning(1)])
        let old = try store.latestCursor()
        let other = try WorkStore(try DataFolder(path: directory.file("other")))
        try other.announce([Self.warning(1), Self.warning(2)])
        #expect(try other.events(after: old, limit: 10).gap == .unknownCursor)
    }

    @Test("Events about thousands of tracks are split without losing any")
    func large() throws {
        let start = try store.latestCursor()
        let tracks = (1...2_345).map { PushTrack(trackID: $0, relativePath: "\($0).mp3") }
        try store.announce([.tracksAdded(tracks)])
        let messages = try store.events(after: start, limit: 1000).messages
        let told = messages.map { message -> [PushTrack] in
            if case .tracksAdded(let tracks) = message.event { tracks } else { [] }
        }
        #expect(told.allSatisfy { $0.count <= WorkStore.tracksOfEvent } && Array(told.joined()) == tracks)
    }

    @Test("Every event reads back as it was written; unknown types are not an error")
    func coding() throws {
        let track = PushTrack(trackID: 1, relativePath: "a.mp3", previousPath: "b.mp3")
        let events: [PushEvent] = [
            .welcome(isResumed: true), .resync(reason: .tooOld), .tracksAdded([track]),
            .tracksChanged([track]), .tracksRemoved([track]), .profilesReady([track]), .spectraReady([track]),
            .analysisFailed(FileFailure(relativePath: "c.mp3", code: "no_audio", message: "no")),
            .jobProgress(
                JobReport(id: 1, kind: "precompute", state: .running, parts: ["frames"], createdAt: 2)),
            .libraryChanged(revision: "x.1"), .warning(code: "c", message: "m"), .unknown(type: "new"),
        ]
        for event in events {
            let message = PushMessage(id: "e-1", at: 1.5, event: event)
            let bytes = try JSONEncoder().encode(message)
            #expect(try JSONDecoder().decode(PushMessage.self, from: bytes) == message)
            let object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
            #expect(object["type"] as? String == event.type && object["id"] as? String == "e-1")
        }
    }
}
