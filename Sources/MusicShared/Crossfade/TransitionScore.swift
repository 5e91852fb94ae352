internal import Foundation

/// How well one track follows another, judged by key, tempo and level.
public struct TransitionScore: Codable, Sendable, Equatable {
    /// Score of the keys, 0…1: same and relative keys score 1, adjacent ones 0.9, others less with each fifth between them.
    public var key: Double
    /// Score of the tempi, 0…1, doubled or halved if need be.
    public var tempo: Double
    /// Score of the levels, 0…1.
    public var level: Double

    /// Tempi that differ by less than this can be mixed.
    private static let mixableTempo = 0.06
    /// Tempi that differ by more than this do not go together.
    private static let distantTempo = 0.3
    /// The same for levels, in LU.
    private static let equalLevel = 2.0
    private static let distantLevel = 12.0

    /// The mean of all scores, 0…1.
    public var mean: Double { (key + tempo + level) / 3 }

    /// Scores two tracks. What is unknown scores one half.
    /// - Parameters:
    ///   - keys: both keys.
    ///   - bpm: both tempi in beats per minute.
    ///   - lufs: both integrated loudnesses in LUFS.
    public init(
        keys: (CamelotKey?, CamelotKey?), bpm: (Double?, Double?), lufs: (Double?, Double?)
    ) {
        key = Self.key(keys.0, keys.1)
        tempo = Self.tempo(bpm.0, bpm.1)
        level = Self.level(lufs.0, lufs.1)
    }

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
