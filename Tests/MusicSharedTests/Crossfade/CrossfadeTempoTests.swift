import Foundation
import Testing

@testable import MusicShared

@Suite("Beats and keys in a crossfade")
struct CrossfadeTempoTests {
    /// Returns a track of 200 s with beats from `first` on that fades out over its last 20 s.
    private func track(bpm: Double, first: Double = 0.1, confidence: Double = 0.9, cueIn: Double = 0)
        -> CrossfadeTrack
    {
        var track = CrossfadeTrack(id: 1, durationSeconds: 200, ending: .fade)
        track.cueInSeconds = cueIn
        track.loudness = .init(integratedLUFS: -12, truePeakDBTP: -3)
        track.endRamp = [.init(levelDB: -8, seconds: 9.03), .init(levelDB: 0, seconds: 12)]
        track.tempo = .init(
            bpm: bpm, confidence: confidence,
            beatSeconds: Array(stride(from: first, to: 200, by: 60 / bpm)))
        return track
    }

    @Test(
        "A beat of the incoming track coincides with one of the outgoing track",
        arguments: [(120.0, 123.0), (120, 120), (60, 121), (124, 63), (90, 87.5)])
    func aligned(outgoing: Double, incoming: Double) throws {
        let from = track(bpm: outgoing)
        let to = track(bpm: incoming, first: 1.23, cueIn: 0.9)
        let plan = CrossfadePlan(from: from, to: to)
        let tempo = try #require(plan.tempo)
        #expect(tempo.canAlign)
        let outgoingBeat = try #require(tempo.outgoingBeatSeconds)
        let incomingBeat = try #require(tempo.incomingBeatSeconds)
        #expect(abs(plan.startSeconds + incomingBeat - plan.cueInSeconds - outgoingBeat) < 1e-9)
        #expect(abs((outgoingBeat - 0.1).remainder(dividingBy: 60 / outgoing)) < 1e-9)
        #expect(abs((incomingBeat - 1.23).remainder(dividingBy: 60 / incoming)) < 1e-9)
        #expect(abs(tempo.shiftSeconds) <= 30 / outgoing + 1e-9)
        #expect(abs(plan.startSeconds - tempo.shiftSeconds - (200 - 9.03)) < 1e-9)
    }

    private typealias Ratio = (outgoing: Double, incoming: Double, ratio: Double, multiple: Double)
    private static let near: [Ratio] = [
        (120, 123, 120.0 / 123, 1), (60, 121, 120.0 / 121, 2), (124, 63, 62.0 / 63, 0.5), (100, 100, 1, 1),
    ]
    private static let far: [Ratio] = [(120, 90, 120.0 / 90, 1), (100, 104.3, 100 / 104.3, 1)]

    @Test("The ratio is the one with the simplest beat counts", arguments: [true, false])
    func ratios(canAlign: Bool) throws {
        for expected in canAlign ? Self.near : Self.far {
            try ratio(
                outgoing: expected.outgoing, incoming: expected.incoming, ratio: expected.ratio,
                multiple: expected.multiple, canAlign: canAlign)
        }
    }

    private func ratio(outgoing: Double, incoming: Double, ratio: Double, multiple: Double, canAlign: Bool)
        throws
    {
        let plan = CrossfadePlan(from: track(bpm: outgoing), to: track(bpm: incoming))
        let tempo = try #require(plan.tempo)
        #expect(abs(tempo.ratio - ratio) < 1e-12 && tempo.multiple == multiple)
        #expect(tempo.canAlign == canAlign)
        #expect((tempo.outgoingBeatSeconds != nil) == canAlign)
        #expect(abs(tempo.driftSeconds - abs(1 - ratio) * plan.overlapSeconds) < 1e-9)
        if !canAlign { #expect(tempo.shiftSeconds == 0 && abs(plan.overlapSeconds - 9.03) < 1e-9) }
    }

    @Test("Beats that are probably not on the beat do not move the start")
    func unreliableBeats() throws {
        let sure = track(bpm: 120)
        var unsure = track(bpm: 123, first: 1.23)
        unsure.tempo?.beatConfidence = 0.39
        for plan in [CrossfadePlan(from: sure, to: unsure), CrossfadePlan(from: unsure, to: sure)] {
            let tempo = try #require(plan.tempo)
            #expect(tempo.canAlign && tempo.outgoingBeatSeconds == nil && tempo.incomingBeatSeconds == nil)
            #expect(tempo.shiftSeconds == 0 && abs(plan.overlapSeconds - 9.03) < 1e-9)
        }
        unsure.tempo?.beatConfidence = 0.5
        #expect(CrossfadePlan(from: sure, to: unsure).tempo?.incomingBeatSeconds != nil)
        // Without a confidence of its own, that of the tempo counts.
        #expect(CrossfadeTrack.Tempo(bpm: 120, confidence: 0.7, beatSeconds: []).beatConfidence == 0.7)
    }

    /// Returns the track with bars of `metre` beats, the first starting with beat `first`.
    private func barred(_ track: CrossfadeTrack, metre: Int, first: Int, confidence: Double = 0.9)
        -> CrossfadeTrack
    {
        var track = track
        let beats = track.tempo?.beatSeconds ?? []
        track.tempo?.downbeatSeconds = stride(from: first, to: beats.count, by: metre).map { beats[$0] }
        track.tempo?.barConfidence = confidence
        return track
    }

    @Test("Bars start together", arguments: [(4, 4), (3, 3), (4, 2), (2, 6)])
    func alignedBars(outgoingMetre: Int, incomingMetre: Int) throws {
        for first in 0..<outgoingMetre {
            let from = barred(track(bpm: 120), metre: outgoingMetre, first: first)
            let to = barred(track(bpm: 121, first: 1.23, cueIn: 0.9), metre: incomingMetre, first: 1)
            let plan = CrossfadePlan(from: from, to: to)
            let tempo = try #require(plan.tempo)
            let outgoingBeat = try #require(tempo.outgoingBeatSeconds)
            let incomingBeat = try #require(tempo.incomingBeatSeconds)
            let number = (outgoingBeat - 0.1) / 0.5
            #expect(abs((number - Double(first)).remainder(dividingBy: Double(outgoingMetre))) < 1e-9)
            // The second beat of the incoming track starts its first bar.
            #expect(abs(incomingBeat - 1.23 - 60.0 / 121) < 1e-9)
            #expect(abs(plan.startSeconds + incomingBeat - plan.cueInSeconds - outgoingBeat) < 1e-9)
            #expect(abs(tempo.shiftSeconds) <= 0.25 * Double(outgoingMetre) + 0.025)
        }
    }

    @Test("Unreliable bars do not count: beats coincide as without bars")
    func unreliableBars() throws {
        let plain = CrossfadePlan(from: track(bpm: 120), to: track(bpm: 121, first: 1.23, cueIn: 0.9))
        let sure = barred(track(bpm: 120), metre: 4, first: 3)
        let unsure = barred(track(bpm: 121, first: 1.23, cueIn: 0.9), metre: 4, first: 2, confidence: 0.49)
        #expect(CrossfadePlan(from: sure, to: unsure).tempo == plain.tempo)
        let known = barred(track(bpm: 121, first: 1.23, cueIn: 0.9), metre: 4, first: 2, confidence: 0.5)
        #expect(
            CrossfadePlan(from: sure, to: known).tempo?.incomingBeatSeconds
                != plain.tempo?.incomingBeatSeconds)
    }

    @Test("A tempo with low confidence is ignored")
    func unreliable() {
        let sure = track(bpm: 120)
        #expect(CrossfadePlan(from: sure, to: track(bpm: 120, confidence: 0.1)).tempo == nil)
        #expect(CrossfadePlan(from: track(bpm: 0.0001, confidence: 0.1), to: sure).tempo == nil)
        var none = sure
        none.tempo = nil
        #expect(CrossfadePlan(from: none, to: sure).tempo == nil)
        var odd = sure
        odd.tempo?.bpm = .nan
        #expect(CrossfadePlan(from: odd, to: sure).tempo == nil)
        var beatless = sure
        beatless.tempo?.beatSeconds = []
        #expect(CrossfadePlan(from: beatless, to: sure).tempo?.outgoingBeatSeconds == nil)
    }

    private static let relations: [(String, String, CamelotKey.Relation, Int)] = [
        ("8B", "8B", .same, 0), ("8B", "8A", .relative, 0), ("12A", "1A", .adjacent, 1),
        ("1B", "12B", .adjacent, 1), ("8B", "9A", .distant, 1), ("2A", "8A", .distant, 6),
    ]

    @Test("Key relations follow the Camelot wheel", arguments: relations)
    func keys(outgoing: String, incoming: String, relation: CamelotKey.Relation, steps: Int) throws {
        var from = track(bpm: 100)
        var to = from
        from.endKey = CamelotKey(outgoing)
        to.startKey = CamelotKey(incoming)
        let key = try #require(CrossfadePlan(from: from, to: to).key)
        #expect(key.outgoing == outgoing && key.incoming == incoming)
        #expect(key.relation == relation && key.steps == steps)
        #expect(key.isCompatible == (relation != .distant))
        to.startKey = nil
        #expect(CrossfadePlan(from: from, to: to).key == nil)
    }

    @Test("Text that is not a key is not read as one", arguments: ["", "A", "0A", "13B", "8C", "8a", "-1A"])
    func noKey(text: String) { #expect(CamelotKey(text) == nil) }
}
