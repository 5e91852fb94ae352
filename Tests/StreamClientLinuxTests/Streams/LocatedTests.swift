import ClientTestSupport
import StreamClientLinux
import Foundation
import StreamClient
import Synchronization
import TestSupport
import Testing

/// Tracks of a host, located when they are played.
@Suite("Locating tracks", .timeLimit(.minutes(30)))
struct LocatedTests {
    private static func item(_ track: Int) -> PlayableItem {
        var item = PlayableItem(id: "track:\(track)", location: .address(""), title: "Track \(track)")
        item.trackID = track
        return item
    }

    /// Tracks as served by a host, and their decoded samples.
    private static func tracks(
        _ count: Int, seconds: Int = 12
    ) throws -> (resources: [String: FaultyServer.Resource], truth: [[Float]]) {
        var resources = try FakeHost.resources()
        let directory = try TemporaryDirectory()
        let truth = try (1...count).map { track in
            let length = 44_100 * seconds + track
            let file = try Encoders.lame(PCM.music(frameCount: length, seed: UInt64(track)), ["-b", "128"])
            try ServedTrack.serve("tracks/\(track)", file, samples: length, into: &resources)
            resources["/api/files/\(track)/stream"] = .init(file, entityTag: "\"\(track)\"")
            return try WAVSamples.mpg123(try directory.write(file, as: "\(track).mp3")).samples
        }
        return (resources, truth)
    }

    @Test("Cached files have the ending of their format, and are played")
    func cachedFormats() async throws {
        let directory = try TemporaryDirectory()
        let (resources, _) = try Self.tracks(2, seconds: 3)
        var served = resources
        let sound = IntegerSound.tones(frameCount: 44_100)
        served["/api/files/1/stream"] = .init(try sound.flac(), entityTag: "\"1\"")
        let wave = directory.file("a.wav")
        try ProcessRun.run("sox", ["-n", "-r", "44100", "-c", "2", wave, "synth", "1", "sine", "300"])
        served["/api/files/2/stream"] = .init(try directory.read("a.wav"), entityTag: "\"2\"")
        let decoded = try ProcessRun.run("ffmpeg", ["-v", "error", "-i", wave, "-f", "f32le", "-"]).output
        let waveSamples = decoded.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let server = try FaultyServer(served)
        defer { server.end() }
        let connection = FakeHost.connection([server])
        let folder = directory.file("cache")
        for _ in 0..<2 {
            // The second time, the cache is read from the disk.
            let cache = try RemoteFileCache(connection, folder: folder)
            #expect(try await cache.path(of: 1).hasSuffix("/1.flac"))
            #expect(try await cache.path(of: 2).hasSuffix("/2.wav"))
            let out = directory.file("out.wav")
            let end = await Self.play(
                [Self.item(1), Self.item(2)], HostLocator(connection, cache: cache), into: out)
            #expect(end == .stopped(.endOfFile))
            let expected =
                (0..<sound.frameCount).flatMap { index in
                    sound.channels.map { Float($0[index]) / 32_768 }
                } + waveSamples
            #expect(WAVSamples.firstDifference(try WAVSamples(out).samples, expected) == nil)
        }
    }

    private static func configuration() -> PlaybackConfiguration {
        var configuration = PlaybackConfiguration()
        configuration.retry.delays = [0.05, 0.05, 0.05]
        configuration.retry.unreachableDelay = 0.05
        configuration.retry.unreachablePatience = 0.2
        return configuration
    }

    private static func play(
        _ items: [PlayableItem], _ locator: any MediaLocator, into path: String
    ) async -> PlayerState {
        await playToEnd(
            items, into: path, transport: CurlTransport(userAgent: "test"), locator: locator, configuration())
    }

    @Test(
        "A lost host is replaced by its other address in mid-track, sample for sample",
        arguments: [1, 2, 3, 7, 15])
    func otherAddress(_ answered: Int) async throws {
        let directory = try TemporaryDirectory()
        let (resources, truth) = try Self.tracks(2)
        let isLost = Mutex(false)
        let first = try FaultyServer(resources) { request in
            guard request.number >= answered else { return .none }
            isLost.withLock { $0 = true }
            return request.number == answered ? .cut(after: 1000) : .close
        }
        // The second address is unreachable until it is needed.
        let second = try FaultyServer(resources) { _ in isLost.withLock { $0 } ? .none : .close }
        defer {
            first.end()
            second.end()
        }
        let connection = FakeHost.connection([first, second])
        let out = directory.file("out.wav")
        let end = await Self.play([Self.item(1), Self.item(2)], HostLocator(connection), into: out)
        #expect(end == .stopped(.endOfFile))
        #expect(first.requests.count > answered)
        #expect(connection.address?.port == second.port)
        #expect(WAVSamples.firstDifference(try WAVSamples(out).samples, truth[0] + truth[1]) == nil)
    }

    @Test("Downloaded tracks play without the host, sample for sample; others are an error")
    func withoutHost() async throws {
        let directory = try TemporaryDirectory()
        let (resources, truth) = try Self.tracks(3)
        let server = try FaultyServer(resources)
        let connection = FakeHost.connection([server])
        let cache = try RemoteFileCache(connection, folder: directory.file("files"))
        for track in [1, 2] { _ = try await cache.path(of: track) }
        server.end()
        let out = directory.file("out.wav")
        let locator = HostLocator(connection, cache: cache)
        #expect(await Self.play([Self.item(1), Self.item(2)], locator, into: out) == .stopped(.endOfFile))
        #expect(WAVSamples.firstDifference(try WAVSamples(out).samples, truth[0] + truth[1]) == nil)
        guard case .stopped(.error(let error)) = await Self.play([Self.item(3)], locator, into: out) else {
            Issue.record("was played")
            return
        }
        #expect([.noConnection, .connectionLost].contains(error.code))
    }

    @Test("The next three tracks are downloaded during playback and played from their files")
    func prefetch() async throws {
        let directory = try TemporaryDirectory()
        let (resources, _) = try Self.tracks(5, seconds: 3)
        let server = try FaultyServer(resources)
        defer { server.end() }
        let connection = FakeHost.connection([server])
        let cache = try RemoteFileCache(connection, folder: directory.path)
        let engine = PlaybackEngine(
            sink: NullSink(), transport: CurlTransport(userAgent: "test"),
            configuration: Self.configuration(),
            locator: HostLocator(connection, cache: cache))
        let prefetch = Task { await cache.prefetch(for: engine) }
        defer { prefetch.cancel() }
        await engine.setVolume(0)
        let events = engine.events()
        await engine.play((1...5).map(Self.item))
        for await event in events {
            if case .itemStarted = event { break }
        }
        while await cache.files.filter({ $0.state == .complete }).map(\.trackID) != [2, 3, 4] {
            #expect(await !cache.files.contains { $0.trackID == 1 || $0.trackID == 5 })
            try await Task.sleep(for: .milliseconds(10))
        }
        await engine.jump(to: 2)
        for await event in events {
            if case .itemStarted(_, index: 2) = event { break }
        }
        await engine.shutDown()
        #expect(!server.requests.contains { $0.path.hasPrefix("/tracks/3/") })
    }
}
