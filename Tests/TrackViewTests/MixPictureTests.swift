import Analyzer
import Foundation
import LibraryStore
import MusicShared
import MusicalStructure
import TestSupport
import Testing

@testable import TrackView

/// Pictures of transitions, measured in their pixels.
@Suite("Pictures of mixes") struct MixPictureTests {
    /// A track of constant level with the beats of a song.
    private func track(_ facts: CrossfadeTrack) throws -> AnalysedTrack {
        var profile = MadeUpTrack.profile(seconds: facts.durationSeconds)
        let count = Int(facts.durationSeconds * 44_100 / 256)
        profile.waveform = WaveformOverview(
            sampleRateHz: 44_100, samplesPerPixel: 256,
            extremes: (0..<count).flatMap { _ -> [Int8] in [-64, 64] })
        let tempo = try #require(facts.tempo)
        profile.tempo = Tempo(
            bpm: tempo.bpm, confidence: 1, firstBeatSeconds: try #require(tempo.beatSeconds.first),
            beatSeconds: tempo.beatSeconds)
        return MadeUpTrack.track(
            analysis: MadeUpTrack.analysis(seconds: facts.durationSeconds, profile: profile))
    }

    private func picture(_ plan: CrossfadePlan) throws -> TrackPictureTests.Decoded {
        let (from, to) = MixedSongs.tracks()
        return try .init(MixPicture(plan: plan, tracks: [track(from), track(to)]).png())
    }

    /// Returns the place of a time after the start of the mix: from four seconds before it to four after its end, with the return to
    /// the song's own speed.
    private func x(_ seconds: Double, _ plan: CrossfadePlan) throws -> Double {
        let mix = try #require(plan.mix)
        let back = (mix.returnEndSeconds - mix.returnStartSeconds) / ((mix.ratio + 1) / 2)
        return 76 + (seconds + 4) / (8 + plan.overlapSeconds + back) * 1432
    }

    @Test("The beats of both songs are drawn where they are heard, and coincide in the mix")
    func beats() throws {
        let plan = MixedSongs.plan()
        let picture = try picture(plan)
        #expect(picture.width == 1600 && picture.height == 760)
        let area = MixPicture.waveform
        func ticks(_ y: Double) -> [Int] {
            (76..<1508).filter {
                picture.brightness($0, Int(y)) > picture.brightness(80, Int(area.y + 40)) + 150
            }
        }
        let beat = 60 / MixedSongs.tempi.0
        let expected = try (-11...16).map { try x(Double($0) * beat, plan) }
        let upper = ticks(area.y + 2)
        for place in expected where place >= 76 {
            #expect(upper.contains { abs(Double($0) - place) <= 1 }, "\(place)")
        }
        // After the mix there is no outgoing song.
        let end = try x(plan.overlapSeconds, plan)
        #expect(upper.allSatisfy { Double($0) <= end + 1 })
        let lower = ticks(area.bottom - 3)
        for place in expected.dropFirst(11) {
            #expect(lower.contains { abs(Double($0) - place) <= 1 }, "\(place)")
        }
        #expect(try lower.allSatisfy { Double($0) >= (try x(0, plan)) - 1 })
    }

    @Test("Waveforms have the height that they are heard with")
    func fades() throws {
        let plan = MixedSongs.plan()
        let picture = try picture(plan)
        let middle = MixPicture.waveform.y + MixPicture.waveform.height / 2
        func height(_ seconds: Double) throws -> Double {
            // Beside the lines of the beats, which are at the edges.
            let column = Int(try x(seconds, plan)) + 2
            let background = picture.brightness(column, Int(MixPicture.waveform.y + 24))
            let rows = (Int(MixPicture.waveform.y) + 24..<Int(middle)).filter {
                picture.brightness(column, $0) > background + 60
            }
            return middle - Double(rows.first ?? Int(middle))
        }
        let full = try height(-2)
        #expect(full > 80)
        // Both songs are at the cosine of 45° at half of the overlap.
        #expect(abs(try height(plan.overlapSeconds / 2) / full - 0.5.squareRoot()) < 0.03)
        #expect(abs(try height(plan.overlapSeconds + 2) / full - 1) < 0.03)
        // So is where both curves cross.
        let curves = MixPicture.curves
        let row = Int(curves.bottom - 12 - 0.5.squareRoot() * (curves.height - 24))
        let column = Int(try x(plan.overlapSeconds / 2, plan))
        let background = picture.brightness(column, row - 12)
        #expect((row - 2...row + 2).contains { picture.brightness(column, $0) > background + 150 })
    }

    @Test("Any transition can be drawn, also without measurements", arguments: CrossfadePlan.Mode.allCases)
    func modes(mode: CrossfadePlan.Mode) throws {
        let (from, to) = MixedSongs.tracks()
        let plan = CrossfadePlan(from: from, to: to, options: .init(mode: mode))
        let empty = MadeUpTrack.track(analysis: nil)
        let decoded = try TrackPictureTests.Decoded(MixPicture(plan: plan, tracks: [empty, empty]).png())
        #expect(decoded.width == 1600)
        #expect(try picture(plan).width == 1600)
        #expect(MixPicture.lines(of: plan.reason ?? "").allSatisfy { $0.count <= 165 })
    }
}
