import Foundation

/// A perceptron with one hidden layer and a linear bypass: features in, one score out.
///
/// The hidden units capture relations that no linear combination of features can: that a strong repetition at a period means
/// little if it is equally strong at two thirds of it.
struct TempoNetwork: Sendable {
    /// Weights of the linear path, one per feature.
    let direct: [Float]
    /// Weights of the hidden units, one row of features per unit.
    let hidden: [Float]
    /// Bias of each hidden unit before its hyperbolic tangent.
    let offsets: [Float]
    /// Output weight of each hidden unit.
    let outputs: [Float]

    /// Returns the score of one candidate; higher is more probable.
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
