import ClientTestSupport
import StreamClientLinux
import Foundation
import StreamClient
import Synchronization
import TestSupport
import Testing

/// A playback session over a network that fails constantly, with a real server on the loopback interface.
@Suite("Fault session", .timeLimit(.minutes(30)))
struct FaultSessionTests {
    private static let faultCount = 100

    /// A limited number of faults, each determined only by the number of its request.
    private final class Misfortune: Sendable {
        private let left = Mutex(faultCount)
        let injected = Mutex<[String: Int]>([:])

        func fault(_ request: FaultyServer.Request) -> FaultyServer.Fault {
            var random = SeededGenerator(seed: UInt64(request.number) &* 7919 &+ 3)
            guard Int.random(in: 0..<7, using: &random) > 0 else { return .none }
            let isLeft = left.withLock { left in
                left -= 1
                return left >= 0
            }
            guard isLeft else { return .none }
            let after = Int.random(in: 0..<16_000, using: &random)
            let (name, fault): (String, FaultyServer.Fault) =
                switch Int.random(in: 0..<7, using: &random) {
                case 0: ("close", .close)
                case 1: ("reset", .reset(after: after))
                case 2: ("cut", .cut(after: after))
                case 3: ("stall", .stall(after: after, seconds: 20))
                case 4: ("status", .status([500, 502, 503, 504, 429].randomElement(using: &random) ?? 503))
                case 5: ("slow", .slow(bytesPerSecond: 400_000))
                default: ("range", .ignoreRange)
                }
            injected.withLock { $0[name, default: 0] += 1 }
            return fault
        }
    }

    @Test("After a hundred random faults every sample was played, in its place and only once")
    func hundredFaults() async throws {
        let directory = try TemporaryDirectory()
        var resources: [String: FaultyServer.Resource] = [:]
        var truth: [Float] = []
        var paths: [String] = []
        for number in 0..<3 {
            let length = 44_100 * 25 + 123 * number
            let music = PCM.music(frameCount: length, seed: UInt64(number + 50))
            let file = try Encoders.lame(music, ["-b", "128"])
            let path = try directory.write(file, as: "\(number).mp3")
            truth += try WAVSamples.mpg123(path).samples
            if number == 1 {
                resources["/whole.mp3"] = .init(file)
                paths.append("/whole.mp3")
            } else {
                try ServedTrack.serve("\(number)", file, samples: length, into: &resources)
                paths.append("/\(number)/master.m3u8")
            }
        }
        let misfortune = Misfortune()
        let server = try FaultyServer(resources) { misfortune.fault($0) }
        defer { server.end() }
        var configuration = PlaybackConfiguration()
        configuration.retry.delays = [Double](repeating: 0.01, count: 60)
        configuration.retry.serverErrorDelays = configuration.retry.delays
        configuration.retry.unreachableDelay = 0.01
        configuration.timeouts = TransportTimeouts(connect: 5, response: 5, idle: 0.25)
        let out = directory.file("out.wav")
        let engine = PlaybackEngine(
            sink: WAVFileSink(path: out), transport: CurlTransport(userAgent: "test"),
            configuration: configuration)
        let events = engine.events()
        await engine.play(
            paths.map { path in
                PlayableItem(id: path, location: .address(server.address(path)), title: path)
            })
        let watcher = Task {
            var last = (index: 0, seconds: 0.0)
            var stepsBack = 0
            while !Task.isCancelled {
                let now = await engine.snapshot()
                let place = (index: now.index ?? 0, seconds: now.positionSeconds)
                if place.index < last.index || place.index == last.index && place.seconds < last.seconds {
                    stepsBack += 1
                }
                last = place
                try? await Task.sleep(for: .milliseconds(5))
            }
            return stepsBack
        }
        var end: PlayerState?
        for await event in events {
            if case .stateChanged(.stopped(let reason)) = event {
                end = .stopped(reason)
                break
            }
        }
        watcher.cancel()
        #expect(await watcher.value == 0)
        await engine.shutDown()
        #expect(end == .stopped(.endOfFile))
        let injected = misfortune.injected.withLock { $0 }
        #expect(injected.values.reduce(0, +) == Self.faultCount, "\(injected)")
        #expect(injected.count == 7, "\(injected)")
        let made = try WAVSamples(out)
        #expect(made.samples.count == truth.count)
        #expect(WAVSamples.firstDifference(made.samples, truth) == nil)
    }
}
