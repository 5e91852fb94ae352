import Foundation
import StreamClient

/// Sends random commands from many tasks at once to an engine that plays the files given on the command line. Exits with 0 if
/// the engine still responds and plays at the end; built with the thread sanitizer, it detects data races.
///
///     playback-stress SECONDS FILE...
@main
enum PlaybackStress {
    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        guard let seconds = words.first.flatMap({ Double($0) }), words.count > 1 else { exit(2) }
        let files = words.dropFirst().map { PlayableItem(file: $0) }
        let items =
            files
            + words.dropFirst().map { path in
                PlayableItem(id: "address:" + path, location: .address("http://files" + path), title: path)
            }
        var configuration = PlaybackConfiguration()
        configuration.transition = .crossfade(seconds: 1)
        configuration.retry.unreachableDelay = 0.01
        configuration.retry.delays = [Double](repeating: 0.01, count: 100)
        configuration.buffer.startSeconds = 0.5
        let engine = PlaybackEngine(
            sink: NullSink(bufferSeconds: 0.02), transport: UnreliableFiles(), configuration: configuration)
        let events = engine.events()
        let listener = Task {
            var count = 0
            for await _ in events { count += 1 }
            return count
        }
        await engine.play(items)
        let end = ContinuousClock.now + .seconds(seconds)
        let commands = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < end {
                        await command(engine, items)
                        count += 1
                        if Int.random(in: 0..<20) == 0 {
                            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<30)))
                        }
                    }
                    return count
                }
            }
            var sum = 0
            for await count in group { sum += count }
            return sum
        }
        // It must still play.
        await engine.play(items)
        var isPlaying = false
        for _ in 0..<3000 where !isPlaying {
            isPlaying = await engine.state == .playing
            try? await Task.sleep(for: .milliseconds(10))
        }
        await engine.shutDown()
        print("\(commands) commands, \(await listener.value) events, \(isPlaying ? "plays" : "is stuck")")
        exit(isPlaying ? 0 : 1)
    }

    private static func command(_ engine: PlaybackEngine, _ items: [PlayableItem]) async {
        switch Int.random(in: 0..<16) {
        case 0:
            await engine.play(items, startingAt: Int.random(in: 0..<items.count), from: .random(in: 0...5))
        case 1: await engine.stop()
        case 2, 3: await engine.pause()
        case 4, 5: await engine.resume()
        case 6: await engine.next()
        case 7: await engine.previous()
        case 8, 9: await engine.seek(to: .random(in: -5...40))
        case 10: await engine.setVolume(.random(in: 0...1))
        case 11: await engine.append([items[0]])
        case 12: await engine.remove(at: Int.random(in: 0..<8))
        case 13: await engine.move(from: Int.random(in: 0..<4), to: Int.random(in: 0..<4))
        case 14: await engine.retry()
        default: _ = await engine.snapshot()
        }
    }
}
