import Foundation

/// A perceptron with one layer of hidden units and a linear path around it: features in, one score out.
///
/// The hidden units see what no sum of features tells: that a strong repetition at a period means little where it is as
/// strong at two thirds of it.
struct TempoNetwork: Sendable {
    /// Weights of the linear path, one a feature.
    let direct: [Float]
    /// Per hidden unit a row of weights, one a feature.
    let hidden: [Float]
    /// Per hidden unit what is added before its hyperbolic tangent.
    let offsets: [Float]
    /// Per hidden unit its share of the score.
    let outputs: [Float]

    /// The score of one candidate; more is more probable.
    func score(_ features: [Float]) -> Double {
        var score = zip(direct, features).reduce(Float.zero) { $0 + $1.0 * $1.1 }
        for unit in outputs.indices {
            var sum = offsets[unit]
            let row = unit * direct.count
            for i in direct.indices { sum += hidden[row + i] * features[i] }
            score += outputs[unit] * tanh(sum)
        }
        return Double(score)
    }
}
