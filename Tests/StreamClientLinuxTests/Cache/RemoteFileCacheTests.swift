import ClientTestSupport
import Foundation

import Synchronization
import TestSupport
import Testing

@testable import StreamClient

@Suite struct RemoteFileCacheTests {
    private static let noise = (0..<300_000).map {
        UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9)
    }

    /// Content of a track's file.
    private static func bytes(_ track: Int, count: Int = 200_000) -> [UInt8] {
        Array(noise[track * 1000..<track * 1000 + count])
    }

    private func server(
        tracks: ClosedRange<Int> = 1...8, count: Int = 200_000,
        _ fault: @escaping @Sendable (FaultyServer.Request) -> FaultyServer.Fault = { _ in .none }
    ) throws -> FaultyServer {
        var resources = try FakeHost.resources()
        for track in tracks {
            resources["/api/files/\(track)/stream"] = .init(
                Self.bytes(track, count: count), entityTag: "\"t\(track)\"")
        }
        return try FaultyServer(resources, fault: fault)
    }

    private func options(limit: Int = 1 << 30, parallel: Int = 1) -> RemoteFileCache.Options {
        var options = RemoteFileCache.Options()
        options.limitBytes = limit
        options.parallelDownloads = parallel
        options.retrySeconds = [0.02, 0.02, 0.02]
        options.idleSeconds = 0.5
        return options
    }

    private static func content(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// The requested files, each once, in order.
    private static func order(_ server: FaultyServer) -> [Int] {
        var order: [Int] = []
        for request in server.requests {
            let parts = request.path.split(separator: "/")
            if parts.count == 4, let id = Int(parts[2]), !order.contains(id) { order.append(id) }
        }
        return order
    }

    private static func wait(
        for cache: RemoteFileCache, _ isDone: ([CachedFile]) -> Bool
    ) async throws {
        while !isDone(await cache.files) { try await Task.sleep(for: .milliseconds(10)) }
    }

    @Test("A file is downloaded only once")
    func aFileIsDownloadedOnce() async throws {
        let directory = try TemporaryDirectory()
        let server = try server()
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options())
        let path = try await cache.path(of: 3)
        #expect(try Self.content(path) == Self.bytes(3))
        #expect(try await cache.path(of: 3) == path)
        #expect(server.requests.filter { $0.path.hasSuffix("/stream") }.count == 1)
        let expected = CachedFile(
            trackID: 3, state: .complete, receivedBytes: 200_000, totalBytes: 200_000, isKept: false)
        #expect(await cache.file(of: 3) == expected)
    }

    @Test("The current and the next track are downloaded first")
    func currentAndNextComeFirst() async throws {
        let directory = try TemporaryDirectory()
        let server = try server { $0.path.contains("/files/") ? .slow(bytesPerSecond: 2_000_000) : .none }
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options())
        await cache.keep([7, 8])
        // A download is running when the player starts; it must be deferred.
        while server.requests.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        await cache.play(1, then: [2, 3, 4, 5, 6])
        try await Self.wait(for: cache) { files in
            files.count == 6 && files.allSatisfy { $0.state == .complete }
        }
        // Three tracks after the current one, no more; then the offline files.
        #expect(Self.order(server) == [7, 1, 2, 3, 4, 8])
        for track in [1, 2, 3, 4, 7, 8] {
            #expect(try Self.content(try await cache.path(of: track)) == Self.bytes(track))
        }
    }

    @Test("An interrupted download resumes where it stopped")
    func aBrokenDownloadGoesOnWhereItBroke() async throws {
        let directory = try TemporaryDirectory()
        let server = try server { request in
            guard request.path.contains("/files/") else { return .none }
            return switch request.number % 4 {
            case 1: .cut(after: 30_000)
            case 2: .reset(after: 30_000)
            case 3: .status(503)
            default: .stall(after: 30_000, seconds: 1)
            }
        }
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options())
        #expect(try Self.content(try await cache.path(of: 2)) == Self.bytes(2))
        let ranges = server.requests.dropFirst().map { $0.fields["range"] }
        #expect(ranges.first == .some(nil))
        // It never requests bytes that it already has.
        let starts = ranges.dropFirst().compactMap { $0 }.compactMap { Int($0.dropFirst(6).dropLast()) }
        #expect(starts == starts.sorted())
        #expect(starts.last ?? 0 > 100_000)
        server.end()
    }

    @Test("A download resumes after a restart")
    func goesOnAfterARestart() async throws {
        let directory = try TemporaryDirectory()
        let isBad = Mutex(true)
        let server = try server { request in
            request.path.contains("/files/") && isBad.withLock { $0 }
                ? .stall(after: 50_000, seconds: 2) : .none
        }
        do {
            let cache = try RemoteFileCache(
                FakeHost.connection([server]), folder: directory.path, options: options())
            await cache.keep([5])
            try await Self.wait(for: cache) { $0.first?.receivedBytes == 50_000 }
            // The state after the program was killed: half a file, and an index that contains its ETag.
            try FileManager.default.copyItem(atPath: directory.path, toPath: directory.path + ".killed")
            await cache.remove(5)
        }
        defer { try? FileManager.default.removeItem(atPath: directory.path + ".killed") }
        isBad.withLock { $0 = false }
        let count = server.requests.count
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path + ".killed", options: options())
        #expect(await cache.file(of: 5)?.isKept == true)
        #expect(await cache.file(of: 5)?.receivedBytes == 50_000)
        #expect(try Self.content(try await cache.path(of: 5)) == Self.bytes(5))
        let request = try #require(server.requests.dropFirst(count).first { $0.path.contains("/files/") })
        #expect(request.fields["range"] == "bytes=50000-")
        #expect(request.fields["if-range"] == "\"t5\"")
        server.end()
    }

    @Test("A download survives an outage of any length once the host has responded")
    func outlastsAnOutage() async throws {
        let directory = try TemporaryDirectory()
        let server = try server { request in
            guard request.path.contains("/files/") else { return .none }
            return request.number == 1 ? .cut(after: 50_000) : request.number < 12 ? .close : .none
        }
        var options = options()
        options.retrySeconds = [0.02, 0.03]
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options)
        #expect(try Self.content(try await cache.path(of: 1)) == Self.bytes(1))
    }

    @Test("A changed file is downloaded from the start")
    func aFileThatHasChangedBeginsAnew() async throws {
        let directory = try TemporaryDirectory()
        let server = try server { request in
            request.path.contains("/files/") && request.number == 1 ? .cut(after: 50_000) : .none
        }
        var options = options()
        options.retrySeconds = [0.3]
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options)
        await cache.keep([1])
        try await Self.wait(for: cache) { $0.first?.receivedBytes == 50_000 }
        server.serve(.init(Self.bytes(9, count: 120_000), entityTag: "\"new\""), at: "/api/files/1/stream")
        #expect(try Self.content(try await cache.path(of: 1)) == Self.bytes(9, count: 120_000))
    }

    @Test("A missing file fails at once and may be requested again")
    func whatIsNotThereFailsAtOnceAndMayBeAskedForAgain() async throws {
        let directory = try TemporaryDirectory()
        let server = try server(tracks: 1...1)
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options())
        #expect(await failure { () async throws(ClientError) in try await cache.path(of: 2) } != nil)
        guard case .failed = await cache.file(of: 2)?.state else {
            Issue.record("not failed")
            return
        }
        #expect(server.requests.filter { $0.path.contains("/files/") }.count == 1)
        // The failure is remembered across restarts.
        await cache.flush()
        let later = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options())
        #expect(await later.file(of: 2)?.state == cache.file(of: 2)?.state)
        server.serve(.init(Self.bytes(2)), at: "/api/files/2/stream")
        #expect(try Self.content(try await later.path(of: 2)) == Self.bytes(2))
    }

    @Test("The least recently used files are evicted")
    func theLeastRecentlyUsedMakeRoom() async throws {
        let directory = try TemporaryDirectory()
        let server = try server()
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options(limit: 650_000))
        await cache.keep([8])
        _ = try await cache.path(of: 8, .upcoming)
        for track in 1...3 { _ = try await cache.path(of: track, .upcoming) }
        _ = try await cache.path(of: 1, .upcoming)
        _ = try await cache.path(of: 4, .upcoming)
        // File 2 is the least recently used; file 8 is exempt.
        #expect(await cache.files.map(\.trackID) == [1, 3, 4, 8])
        #expect(await cache.file(of: 8)?.state == .complete)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(names.filter { $0.hasSuffix(".mp3") }) == ["1.mp3", "3.mp3", "4.mp3", "8.mp3"])
        // The current and the next file remain, even if the cache is full.
        await cache.play(5, then: [6])
        try await Self.wait(for: cache) { files in
            [5, 6].allSatisfy { id in files.contains { $0.trackID == id && $0.state == .complete } }
        }
        #expect(await cache.files.map(\.trackID) == [4, 5, 6, 8])
        await cache.release([8])
    }

    @Test("Content can be read while it arrives")
    func contentIsReadWhileItArrives() async throws {
        let directory = try TemporaryDirectory()
        let gate = DispatchSemaphore(value: 0)
        let server = try server { request in
            guard request.path.contains("/files/") else { return .none }
            guard request.fields["range"] != nil else { return .cut(after: 100_000) }
            gate.wait()
            return .none
        }
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options())
        var iterator = cache.content(of: 6).makeAsyncIterator()
        var content: [UInt8] = []
        while content.count < 100_000, let piece = try await iterator.next() { content += piece }
        #expect(content == Array(Self.bytes(6).prefix(100_000)))
        #expect(await cache.file(of: 6)?.state == .downloading)
        gate.signal()
        while let piece = try await iterator.next() { content += piece }
        #expect(content == Self.bytes(6))
        let rest = try await cache.content(of: 6, from: 199_000).collect(upTo: .max)
        #expect(rest == Array(Self.bytes(6).suffix(1000)))
    }

    @Test("A waiting reader can be cancelled")
    func whoWaitsMayGiveUp() async throws {
        let directory = try TemporaryDirectory()
        let server = try server { $0.path.contains("/files/") ? .stall(after: 10, seconds: 3) : .none }
        var options = options()
        options.idleSeconds = 10
        let cache = try RemoteFileCache(
            FakeHost.connection([server]), folder: directory.path, options: options)
        let waiter = Task { await failure { () async throws(ClientError) in try await cache.path(of: 1) } }
        try await Task.sleep(for: .milliseconds(100))
        waiter.cancel()
        #expect(await waiter.value?.code == .cancelled)
        await cache.remove(1)
        #expect(await cache.files.isEmpty)
        server.end()
    }
}
