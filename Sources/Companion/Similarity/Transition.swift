internal import Foundation
package import LibraryStore
internal import MusicShared

/// How well one track follows another.
package enum Transition {
    /// Tempi that differ by less than this, doubled or halved if need be, can be mixed.
    private static let mixableTempo = 0.06
    /// Tempi that differ by more than this do not go together.
    private static let distantTempo = 0.3
    /// The same for levels, in LU.
    private static let equalLevel = 2.0
    private static let distantLevel = 12.0

    /// Returns a score from 0 to 1: the mean of the scores for key, tempo and level. What is unknown scores one half.
    package static func score(_ one: SoundingTrack, _ next: SoundingTrack) -> Double {
        (key(one.key, next.key) + tempo(one.bpm, next.bpm) + level(one.loudness, next.loudness)) / 3
    }

    /// Same and relative keys score 1, adjacent ones 0.9; others less with each fifth between them.
    private static func key(_ one: CamelotKey?, _ next: CamelotKey?) -> Double {
        guard let one, let next else { return 0.5 }
        switch one.relation(to: next) {
        case .same, .relative: return 1
        case .adjacent: return 0.9
        case .distant: return max(0, 0.6 - 0.1 * Double(one.steps(to: next)))
        }
    }

    private static func tempo(_ one: Double?, _ next: Double?) -> Double {
        guard let one, let next, one > 0, next > 0 else { return 0.5 }
        let octaves = log2(next / one)
        let difference = exp2(abs(octaves - octaves.rounded())) - 1
        return falling(difference, from: mixableTempo, to: distantTempo)
    }

    private static func level(_ one: Double?, _ next: Double?) -> Double {
        guard let one, let next else { return 0.5 }
        return falling(abs(one - next), from: equalLevel, to: distantLevel)
    }

    private static func falling(_ value: Double, from start: Double, to end: Double) -> Double {
        min(1, max(0, (end - value) / (end - start)))
    }
}
