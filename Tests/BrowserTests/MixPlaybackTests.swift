import Foundation
import MusicShared
import TestSupport
import Testing

/// Mixes in time with the beat as the page plays them.
@Suite("Playback of mixes", .serialized, .playbackPage(MixedSongs.files), .timeLimit(.minutes(30)))
struct MixPlaybackTests {
    private static func planText() throws -> String {
        String(decoding: try JSONEncoder().encode(MixedSongs.plan()), as: UTF8.self)
    }

    private static func samples(_ text: String) throws -> [Float] {
        let bytes = try #require(Data(base64Encoded: text))
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    private static func level(_ samples: some Sequence<Float>) -> Double {
        let squares = samples.map { Double($0 * $0) }
        return 10 * log10(max(1e-30, squares.reduce(0, +) / Double(max(1, squares.count))))
    }

    /// Renders a mix in the page, and expects it to differ from the host's rendering by less than −60 dB in every tenth of a second.
    /// - Parameter bassTolerance: the largest difference in dB while the bass changes: Firefox changes filters in steps of 128 samples.
    static func expectHostsMix(bassTolerance: Double = -60) async throws {
        let plan = MixedSongs.plan()
        let mix = try #require(plan.mix)
        #expect(abs(mix.ratio - 1) > 0.01 && plan.overlapSeconds > 5)
        let told = try await PlaybackPage.told("mixRendering", [Self.planText()])
        #expect(try told.text("reason") == plan.reason)
        // From one second before the mix to the end of the incoming song's first half: far beyond the return to its own speed.
        let tail = 14.0
        let (leaving, arriving) = (try #require(plan.outgoing.bass), try #require(plan.incoming.bass))
        // Times in the outgoing song.
        let arrival = plan.startSeconds + (arriving.startSeconds - plan.cueInSeconds) / mix.ratio
        let changes = [
            leaving.startSeconds...leaving.startSeconds + leaving.durationSeconds,
            arrival...arrival + arriving.durationSeconds / mix.ratio,
        ]
        let reference = MixedSongs.rendered(plan, leadSeconds: 1, tailSeconds: tail)
        let first = Int((plan.startSeconds * 44_100).rounded()) - 44_100
        for (channel, name) in ["left", "right"].enumerated() {
            let heard = try samples(try told.text(name))
            let expected = reference[channel]
            try #require(heard.count >= first + expected.count)
            let found = heard[first..<first + expected.count]
            let error = zip(found, expected).map { $0 - $1 }
            for start in stride(from: 0, to: error.count - 4410, by: 4410) {
                let place = start..<start + 4410
                let difference = level(error[place]) - level(expected[place])
                let seconds = plan.startSeconds - 1 + Double(start) / 44_100
                let isBassChange = changes.contains { $0.overlaps(seconds - 0.1...seconds + 0.2) }
                #expect(
                    difference < (isBassChange ? bassTolerance : -60), "\(name): \(seconds) s")
            }
        }
    }

    @Test("The page's mix differs from the host's rendering by less than −60 dB")
    func rendering() async throws { try await Self.expectHostsMix() }

    @Test("After the mix the song's position is exact, also with resampling", arguments: [44_100, 48_000])
    func end(rate: Int) async throws {
        let told = try await PlaybackPage.told("mixEnd", [Self.planText(), String(rate)])
        #expect(try told.number("wasMixed") == 1)
        #expect(try abs(told.number("off")) <= (rate == 44_100 ? 0 : 1))
    }

    @Test("After a seek into a mix, a change of the queue and a pause, both songs keep together")
    func live() async throws {
        let names = ["sought", "queued", "resumed"]
        // A beat takes 353 ms; the song starts on a whole sample and its windows are at most 6 ms off their place.
        func isTogether(_ told: PlaybackPage.Told) throws -> Bool {
            try names.allSatisfy { try abs(told.number($0)) < 0.002 }
        }
        var told = try await PlaybackPage.told("mixLive", [Self.planText()])
        // On cores that are busy with other tests, a piece of one song may be scheduled too late.
        for _ in 0..<2 where try !isTogether(told) {
            told = try await PlaybackPage.told("mixLive", [Self.planText()])
        }
        let offsets = try names.map { "\($0) \(try told.number($0))" }
        #expect(try isTogether(told), "\(offsets)")
        #expect(try told.number("elapsed") > 1)
        #expect(try told.text("next") == "after")
        // Afterwards the song plays at its own speed.
        #expect(try abs(told.number("speed") - 1) < 0.02)
        #expect(try told.number("decks") == 1)
    }

    @Test("Both songs keep together if one of them is decoded again more slowly than planned")
    func late() async throws {
        let told = try await PlaybackPage.told("mixLate", [Self.planText()])
        #expect(try abs(told.number("offset")) < 0.002)
        // In 0.25 and 0.5 s it is not ready, in 1 s it may be.
        #expect(try told.number("count") >= 3)
    }

    @Test("If the next song is removed before the mix, the current one plays on unchanged")
    func removed() async throws {
        let told = try await PlaybackPage.told("mixRemoved", [Self.planText()])
        #expect(try told.text("title") == "mixOut")
        #expect(try told.number("position") > MixedSongs.plan().startSeconds + 3)
        #expect(try told.number("fade") == 1)
        #expect(try told.number("bass") == 0)
    }

    @Test("At another speed, songs are crossfaded instead of mixed")
    func speed() async throws {
        let told = try await PlaybackPage.told("mixAtSpeed", [Self.planText()])
        #expect(try told.number("mixedBefore") == 1)
        #expect(try told.number("mixedAfter") == 0)
        #expect(try told.text("kind") == "overlap")
    }

    @Test("The picture of a mix shows both tracks with their fades, beats, and what is heard")
    func picture() async throws {
        let told = try await PlaybackPage.told("mixPicture")
        // Columns of 40 pixels; fades leave half the power, 0.71 of the height, in the middle. A curve's line has 2 pixels.
        for (time, outgoing, incoming) in [("before", 40.0, 0.0), ("middle", 28.3, 28.3), ("after", 0, 40)] {
            let counts = try told.list(time)
            #expect(abs(counts[0] - outgoing) <= 3 && counts[1] <= 2, "\(time): \(counts)")
            #expect(abs(counts[3] - incoming) <= 3 && counts[2] <= 2, "\(time): \(counts)")
        }
        let beats = try told.list("beats")
        #expect(beats == [3, 0])
        #expect(try told.number("heard") >= 80)
    }
}
