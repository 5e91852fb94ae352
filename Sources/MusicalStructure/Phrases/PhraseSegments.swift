import Foundation

/// Divides bars into phrases: a semi-Markov model, whose phrases are likelier if they have a multiple of eight or four bars and
/// start where the music changes.
///
/// A phrase's weight depends on its length and on the score of its first bar. Sums over all divisions, computed forwards and
/// backwards, yield the probability that a phrase starts at each bar (Sarawagi and Cohen, "Semi-Markov Conditional Random Fields
/// for Information Extraction", 2004).
struct PhraseSegments {
    /// Phrases longer than this many bars have the weight of this length.
    private static let longest = 64

    /// Logarithm of the sum of the weights of all divisions.
    let logTotal: Double
    /// The probability that a phrase starts at each bar; 1 for the first.
    let probabilities: [Double]

    /// - Parameter scores: logarithm of the weight of a phrase that starts at each bar; that of the first bar does not count.
    init(scores: [Double]) {
        let count = scores.count
        guard count > 1 else {
            logTotal = 0
            probabilities = scores.map { _ in 1 }
            return
        }
        let own = { (bar: Int) in bar > 0 && bar < count ? scores[bar] : 0 }
        var forward = [Double](repeating: 0, count: count + 1)
        for end in 1...count {
            forward[end] =
                own(end)
                + Self.logSum((0..<end).lazy.map { forward[$0] + Self.weight($0, end, of: count) })
        }
        var backward = [Double](repeating: 0, count: count + 1)
        for start in stride(from: count - 1, through: 0, by: -1) {
            backward[start] = Self.logSum(
                (start + 1...count).lazy.map {
                    backward[$0] + own($0) + Self.weight(start, $0, of: count)
                })
        }
        logTotal = forward[count]
        probabilities = (0..<count).map { exp(forward[$0] + backward[$0] - forward[count]) }
    }

    /// The logarithm of the weight of a phrase's length. The first and the last may be parts of phrases.
    private static func weight(_ start: Int, _ end: Int, of count: Int) -> Double {
        let length = end - start
        if start == 0 || end == count { return length >= 2 ? 0 : -2 }
        if length < 3 { return -4 }
        if length >= longest || length % 8 == 0 { return 1 }
        return length % 4 == 0 ? 0.7 : length % 2 == 0 ? -0.5 : -1.5
    }

    private static func logSum(_ values: some Sequence<Double>) -> Double {
        var top = -Double.infinity
        var sum = 0.0
        for value in values {
            if value > top {
                sum = sum * exp(top - value) + 1
                top = value
            } else {
                sum += exp(value - top)
            }
        }
        return top + log(sum)
    }
}
