import ClientTestSupport
import Foundation
import MusicShared
import StreamClient
import TestSupport
import Testing

/// Mixes in time with the beat, measured in the output.
@Suite("Mixes of the player", .timeLimit(.minutes(30)))
struct MixTests {
    private struct FixedPlan: TransitionPlanner {
        let plan: CrossfadePlan
        /// Only this transition is a mix.
        func plan(from: PlayableItem, to: PlayableItem) async -> CrossfadePlan? {
            to.title == "mixIn" ? plan : nil
        }
    }

    /// The action of the user when the incoming song starts.
    enum Action: CaseIterable {
        case nothing, removesNext, movesNext, pauses, seeks
    }

    /// Plays both songs and a third one into a file.
    /// - Returns: one array per channel, until the third song starts.
    private static func play(
        _ plan: CrossfadePlan, from seconds: Double = 0, _ action: Action = .nothing
    ) async throws -> [[Float]] {
        let directory = try TemporaryDirectory()
        var items: [PlayableItem] = []
        for file in try MixedSongs.files() {
            var item = PlayableItem(file: try directory.write(file.bytes, as: file.name))
            item.title = String(file.name.dropLast(5))
            item.durationSeconds = Double(MixedSongs.seconds)
            item.facts = CrossfadeTrack(id: items.count + 1, durationSeconds: Double(MixedSongs.seconds))
            item.facts?.loudness = .init(integratedLUFS: -18, truePeakDBTP: -9)
            items.append(item)
        }
        // Two songs may follow, which are the same.
        items.append(items[2])
        var configuration = PlaybackConfiguration()
        configuration.transition = .planned
        configuration.normalization = .off
        let engine = PlaybackEngine(
            sink: WAVFileSink(path: directory.file("out.wav")), transport: NoTransport(),
            configuration: configuration, planner: FixedPlan(plan: plan))
        let events = engine.events()
        await engine.play(items, from: seconds)
        for await event in events {
            if case .itemStarted(_, let index) = event, index == 1 { await act(action, engine, plan) }
            if case .stateChanged(.stopped(let reason)) = event {
                #expect(reason == .endOfFile)
                break
            }
        }
        await engine.shutDown()
        let samples = try WAVSamples(directory.file("out.wav")).samples
        let following = (action == .removesNext ? 1 : 2) * MixedSongs.outgoing.frameCount
        let count = samples.count / 2 - following
        return (0..<2).map { channel in (0..<max(0, count)).map { samples[2 * $0 + channel] } }
    }

    private static func act(_ action: Action, _ engine: PlaybackEngine, _ plan: CrossfadePlan) async {
        switch action {
        case .nothing: break
        case .removesNext: await engine.remove(at: 2)
        case .movesNext: await engine.move(from: 3, to: 2)
        case .pauses:
            await engine.pause()
            await engine.resume()
        case .seeks: await engine.seek(to: plan.cueInSeconds + 0.5)
        }
    }

    private func level(_ samples: some Sequence<Float>) -> Double {
        let squares = samples.map { Double($0 * $0) }
        return 10 * log10(max(1e-30, squares.reduce(0, +) / Double(max(1, squares.count))))
    }

    /// Returns the highest level of the difference relative to what is expected, over tenths of a second.
    private func worst(_ found: ArraySlice<Float>, _ expected: ArraySlice<Float>) -> Double {
        let error = Array(zip(found, expected).map { $0 - $1 })
        let wanted = Array(expected)
        return stride(from: 0, to: min(error.count, wanted.count) - 4410, by: 4410).map { start in
            level(error[start..<start + 4410]) - level(wanted[start..<start + 4410])
        }.max() ?? 0
    }

    @Test(
        "What the player plays differs from MixRenderer by less than −60 dB, whatever happens in the mix",
        arguments: [Action.nothing, .removesNext, .movesNext, .pauses])
    func rendering(action: Action) async throws {
        let plan = MixedSongs.plan()
        #expect(abs(try #require(plan.mix).ratio - 1) > 0.01 && plan.overlapSeconds > 5)
        let found = try await Self.play(plan, action)
        let expected = MixedSongs.rendered(plan, leadSeconds: plan.startSeconds, tailSeconds: 24)
        for channel in 0..<2 {
            // The incoming song is played to its end.
            let duration = Double(found[channel].count) / Double(MixedSongs.rate)
            let curve = SpeedCurve(plan)
            let end =
                plan.startSeconds + curve.endSeconds + Double(MixedSongs.seconds)
                - curve.position(afterSeconds: curve.endSeconds)
            #expect(abs(duration - end) < 0.0065, "\(duration) s instead of \(end)")
            let count = min(found[channel].count, expected[channel].count)
            #expect(worst(found[channel][..<count], expected[channel][..<count]) < -60)
        }
    }

    @Test("Playback that starts within a mix joins it where it is")
    func within() async throws {
        // At the same tempo nothing is stretched, so that the sound does not depend on where the stretching started.
        let plan = MixedSongs.plan(tempi: (170, 170))
        #expect(abs(try #require(plan.mix).ratio - 1) < 1e-9)
        let rate = Double(MixedSongs.rate)
        let start = ((plan.startSeconds * rate).rounded() + 1.5 * rate) / rate
        let found = try await Self.play(plan, from: start)
        let expected = MixedSongs.rendered(plan, leadSeconds: 0, tailSeconds: 10)
        for channel in 0..<2 {
            // The filter of the bass has settled after a tenth of a second.
            let first = 15 * 4410
            let later = first + 4410
            let count = expected[channel].count - later
            try #require(found[channel].count >= 4410 + count)
            let level = worst(found[channel][4410..<4410 + count], expected[channel][later...])
            #expect(level < -60, "\(level) dB")
        }
    }

    @Test("After a seek in the incoming song of a mix, it plays alone, at its own speed and level")
    func seek() async throws {
        let plan = MixedSongs.plan()
        let found = try await Self.play(plan, .seeks)
        let first = Int(((plan.cueInSeconds + 0.5) * Double(MixedSongs.rate)).rounded())
        for (channel, samples) in MixedSongs.incoming.channels.enumerated() {
            let expected = samples[first...].map { Float($0) / 32_768 }
            #expect(Array(found[channel].suffix(expected.count)) == expected)
        }
    }
}
