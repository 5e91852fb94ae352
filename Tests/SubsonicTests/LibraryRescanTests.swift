import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Subsonic

@Suite("Scans after changes", .timeLimit(.minutes(30)))
struct LibraryRescanTests {
    private final class Heard: Sendable {
        let events = Mutex<[LibraryRescan.Event]>([])
    }

    private func rescan(_ standIn: FakeSubsonicServer, url: String? = nil, delay: Double = 0.5) throws -> (
        LibraryRescan, Heard
    ) {
        let heard = Heard()
        let server = try SubsonicServer(
            url: url ?? standIn.url,
            credentials: SubsonicCredentials(user: "admin", password: "sesame", token: nil, salt: nil),
            timeoutSeconds: 30, program: "stream-host")
        return (
            LibraryRescan(server, delaySeconds: delay) { event in heard.events.withLock { $0.append(event) }
            }, heard
        )
    }

    @Test("A hundred changes cause one scan; a change during a scan causes another one after it")
    func oneScan() async throws {
        let standIn = try FakeSubsonicServer("ok")
        let (rescan, heard) = try rescan(standIn)
        defer { rescan.stop() }
        #expect(rescan.status == LibraryRescan.Status())
        for _ in 0..<100 { rescan.request() }
        #expect(rescan.status.state == "waiting")
        try await until { rescan.status.scanCount == 1 }
        rescan.request()
        try await until { heard.events.withLock { $0 } == [.started, .ended, .started, .ended] }
        let diary = try standIn.diary()
        #expect(diary.allSatisfy { $0.right && $0.wrong.isEmpty })
        let starts = diary.filter { $0.method == "startScan.view" }
        #expect(starts.count == 2)
        // The stand-in's scan takes a second.
        #expect(starts[1].time - starts[0].time >= 1)
        #expect(
            rescan.status.state == "idle" && rescan.status.failureCount == 0 && rescan.status.lastScan != nil)
    }

    @Test("A scan already running is waited for before another is started")
    func busy() async throws {
        let standIn = try FakeSubsonicServer("busy,ok")
        let (rescan, heard) = try rescan(standIn, delay: 0)
        defer { rescan.stop() }
        rescan.request()
        try await until { heard.events.withLock { $0.last == .ended && $0.contains(.started) } }
        let methods = try standIn.diary().map(\.method)
        #expect(methods.first == "getScanStatus.view" && methods.filter { $0 == "startScan.view" }.count == 1)
        #expect(methods.firstIndex(of: "startScan.view").map { $0 >= 2 } == true)
    }

    @Test("A transient failure is reported and retried, and has no other effect")
    func passing() async throws {
        let standIn = try FakeSubsonicServer("gateway,ok")
        let (rescan, heard) = try rescan(standIn, delay: 0)
        defer { rescan.stop() }
        rescan.request()
        try await until { rescan.status.scanCount == 1 }
        #expect(rescan.status.lastError == nil && rescan.status.failureCount == 1)
        guard case .failed(let message, let seconds?) = heard.events.withLock({ $0.first }) else {
            Issue.record("no failure was reported")
            return
        }
        #expect(message.contains("502") && (4...5).contains(seconds))
    }

    @Test("A permanent failure is reported once, and the next change triggers a new attempt")
    func lasting() async throws {
        let standIn = try FakeSubsonicServer("forbidden")
        let (rescan, heard) = try rescan(standIn, delay: 0)
        defer { rescan.stop() }
        for attempt in 1...2 {
            rescan.request(atOnce: true)
            try await until { rescan.status.failureCount == attempt }
            try await until { rescan.status.state == "idle" }
        }
        #expect(try standIn.diary().count == 2)
        #expect(heard.events.withLock { $0.count } == 2)
        #expect(rescan.status.lastError?.contains("not authorized") == true)
    }
}
