import Foundation
import Testing

@testable import MusicalStructure

struct DownbeatNetworkTests {
    /// The network computes what PyTorch computes with the same weights.
    @Test func networkEqualsItsReference() throws {
        #expect(Set(DownbeatNetworkReference.scores.keys) == Set(Metre.lengths))
        for (beatsPerBar, expected) in DownbeatNetworkReference.scores {
            let scores = DownbeatNetwork.trained.firstBarScores(
                beatCount: DownbeatNetworkReference.beatCount, beatsPerBar: beatsPerBar
            ) { beat in
                let value = { (value: Int) in
                    let (i, k) = (Double(beat), Double(value))
                    return Float(sin(0.37 * i + 1.3 * k) + 0.5 * cos(0.011 * i * k))
                }
                let steps = (0..<BeatSteps.perBeat).map { step in
                    SIMD16((0..<16).map { value(step * 16 + $0) })
                }
                return (steps, (0..<BeatChanges.count).map { value(16 * BeatSteps.perBeat + $0) })
            }
            #expect(scores.count == beatsPerBar && expected.count == beatsPerBar)
            for (score, value) in zip(scores, expected) {
                #expect(abs(score - scores[0] - value) <= 1e-3 * max(1, abs(value)))
            }
        }
    }

    /// Less than a bar, and bars of a length that the network does not know, have no first beat that is better than others.
    @Test(arguments: [(3, 4), (40, 5), (0, 2)])
    func unknownBarsHaveEqualScores(beatCount: Int, beatsPerBar: Int) {
        let scores = DownbeatNetwork.trained.firstBarScores(beatCount: beatCount, beatsPerBar: beatsPerBar) {
            _ in
            (
                [SIMD16<Float>](repeating: SIMD16(repeating: 1), count: BeatSteps.perBeat),
                [Float](repeating: 1, count: BeatChanges.count)
            )
        }
        #expect(scores == [Double](repeating: 0, count: beatsPerBar))
    }

    /// A value that jumps every fourth beat changes there, and not at other beats; its size does not matter, only relative to the others.
    @Test(arguments: [Float(0.5), 4])
    func changesAreWhereTheSoundChanges(size: Float) {
        var values: [Float] = []
        for beat in 0..<64 {
            values += [Float](repeating: beat / 4 % 2 == 0 ? 0 : size, count: BeatSound.valueCount)
        }
        let changes = BeatChanges(BeatSound(values: values))
        #expect(changes.beatCount == 64 && (0..<64).allSatisfy { changes[$0].count == BeatChanges.count })
        for beat in 1..<64 {
            // The first values compare a beat with the one before.
            #expect((changes[beat][0] > 0) == (beat % 4 == 0))
        }
    }
}
