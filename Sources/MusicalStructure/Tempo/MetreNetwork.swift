/// A temporal convolutional network that hears beats and the starts of bars: steps of a tracked pulse in (``BeatSteps``), five
/// scores per step out, for being a beat and for being the first beat of a bar of two, three, four and six.
///
/// After Davies and Böck, "Temporal convolutional networks for musical audio beat tracking" (2019), and Böck and Davies,
/// "Deconstruct, Analyse, Reconstruct" (2020), but in musical time instead of frames, so that a dilation of twelve steps is a beat at
/// any tempo. Each of eight layers sees three steps that are further apart than in the layer before; sixteen beats before and
/// after a step contribute to its scores.
struct MetreNetwork: Sendable {
    /// Number of steps between the three inputs of a layer, from the first layer on.
    static let dilations = [1, 2, 3, 6, 12, 24, 48, 96]
    /// Number of scores per step.
    static let outputCount = 5

    /// Weights of the layers: for each layer, for each of three steps, for each of 16 inputs, those of 16 units.
    private let weights: [SIMD16<Float>]
    /// Biases of the units of each layer.
    private let biases: [SIMD16<Float>]
    /// Weights of the units for each score.
    private let outputs: [SIMD16<Float>]
    private let outputBiases: [Float]

    /// The numbers of weights, biases, output weights and output biases.
    static let counts = (dilations.count * 3 * 16 * 16, dilations.count * 16, outputCount * 16, outputCount)

    /// - Parameters:
    ///   - weights: by layer, step, input and unit.
    ///   - biases: by layer and unit.
    ///   - outputs: by score and unit.
    ///   - outputBiases: by score.
    init(weights: [Float], biases: [Float], outputs: [Float], outputBiases: [Float]) {
        precondition((weights.count, biases.count, outputs.count, outputBiases.count) == Self.counts)
        self.weights = Self.vectors(weights)
        self.biases = Self.vectors(biases)
        self.outputs = Self.vectors(outputs)
        self.outputBiases = outputBiases
    }

    private static func vectors(_ values: [Float]) -> [SIMD16<Float>] {
        stride(from: 0, to: values.count, by: 16).map { SIMD16(values[$0..<$0 + 16]) }
    }

    /// Number of steps before and after a step that contribute to its scores.
    private static let reach = dilations.reduce(0, +)
    /// Number of steps whose scores are computed at a time.
    private static let sectionLength = 4096

    /// Calls `body` with the index and the scores of each step, in sections: memory does not grow with the number of steps.
    func forEachScore(of steps: BeatSteps, _ body: (Int, SIMD8<Float>) -> Void) {
        for start in stride(from: 0, to: steps.count, by: Self.sectionLength) {
            let end = min(start + Self.sectionLength, steps.count)
            let first = max(0, start - Self.reach)
            let scores = scores(steps[first..<min(end + Self.reach, steps.count)])
            for index in start..<end { body(index, scores[index - first]) }
        }
    }

    /// Returns the scores of each step, in the first five lanes.
    func scores(_ steps: [SIMD16<Float>]) -> [SIMD8<Float>] {
        var input = steps
        var output = steps
        for layer in Self.dilations.indices {
            apply(layer, input, &output)
            swap(&input, &output)
        }
        return input.map { units in
            var scores = SIMD8<Float>.zero
            for output in 0..<Self.outputCount {
                scores[output] = outputBiases[output] + (outputs[output] * units).sum()
            }
            return scores
        }
    }

    /// Computes one layer: the units of each step from its inputs at three steps. All but the first layer add their input.
    private func apply(_ layer: Int, _ input: [SIMD16<Float>], _ output: inout [SIMD16<Float>]) {
        let dilation = Self.dilations[layer]
        let count = input.count
        input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                weights.withUnsafeBufferPointer { weights in
                    for step in 0..<count {
                        var sum = biases[layer]
                        for tap in 0..<3 {
                            let source = step + (tap - 1) * dilation
                            guard source >= 0 && source < count else { continue }
                            let units = input[source]
                            let row = (layer * 3 + tap) * 16
                            for unit in 0..<16 { sum += units[unit] * weights[row + unit] }
                        }
                        let active = sum.replacing(with: 0, where: sum .< 0)
                        output[step] = layer == 0 ? active : active + input[step]
                    }
                }
            }
        }
    }
}
