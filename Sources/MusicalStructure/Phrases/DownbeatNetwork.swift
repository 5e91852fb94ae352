/// A temporal convolutional network that hears which beats start a bar: beats in, for each a score of being the first beat of a bar
/// of two, three, four and six out.
///
/// Where ``MetreNetwork`` hears steps of a pulse to find the beats, the metre and the bars at once, this one knows beats and metre, and
/// also hears how much the sound changes at each beat over one to eight beats: what Davies and Plumbley, "A spectral difference
/// approach to downbeat extraction in musical audio" (2006), compare, with harmony and rhythm as in Durand, Bello, David and Richard, "Downbeat tracking with
/// multiple features and deep neural networks" (2015). A beat's input is reduced to 16 units; each of four more layers sees three
/// beats that are further apart than in the layer before, so that fifteen beats before and after a beat contribute to its scores.
struct DownbeatNetwork: Sendable {
    /// Number of beats between the three inputs of a layer.
    static let dilations = [1, 2, 4, 8]
    /// Number of inputs of a beat: the features of its steps, and the changes.
    static let inputCount = 16 * BeatSteps.perBeat + BeatChanges.count

    /// Weights of the first layer: for each input, those of 16 units.
    private let inputs: [SIMD16<Float>]
    /// Weights of the other layers: for each layer, for each of three beats, for each of 16 inputs, those of 16 units.
    private let weights: [SIMD16<Float>]
    /// Biases of the units of each layer, from the first on.
    private let biases: [SIMD16<Float>]
    /// Weights of the units for each score, by the order of ``Metre/lengths``.
    private let outputs: [SIMD16<Float>]

    /// - Parameters:
    ///   - inputs: by input and unit.
    ///   - weights: by layer, beat, input and unit.
    ///   - biases: by layer and unit.
    ///   - outputs: by score and unit.
    init(inputs: [Float], weights: [Float], biases: [Float], outputs: [Float]) {
        precondition(
            inputs.count == Self.inputCount * 16 && weights.count == Self.dilations.count * 3 * 16 * 16)
        precondition(
            biases.count == (Self.dilations.count + 1) * 16 && outputs.count == Metre.lengths.count * 16)
        let vectors = { (values: [Float]) in
            stride(from: 0, to: values.count, by: 16).map { SIMD16(values[$0..<$0 + 16]) }
        }
        self.inputs = vectors(inputs)
        self.weights = vectors(weights)
        self.biases = vectors(biases)
        self.outputs = vectors(outputs)
    }

    /// Returns the score of bars that start at each of the first beats, as many as a bar has: the mean over the bars. Only differences
    /// of these scores have a meaning.
    ///
    /// - Parameters:
    ///   - steps: the features between the beats.
    ///   - changes: the changes at each beat; as many beats as in `steps`.
    ///   - beatsPerBar: one of ``Metre/lengths``; otherwise all scores are 0.
    func firstBarScores(steps: BeatSteps, changes: BeatChanges, beatsPerBar: Int) -> [Double] {
        let count = min(steps.count / BeatSteps.perBeat, changes.beatCount)
        return firstBarScores(beatCount: count, beatsPerBar: beatsPerBar) { beat in
            (steps[beat * BeatSteps.perBeat..<(beat + 1) * BeatSteps.perBeat], changes[beat])
        }
    }

    /// Returns the same for beats whose steps and changes are given by a function: those of all beats of hours of music would take more
    /// memory than all else that is kept of it.
    func firstBarScores(
        beatCount: Int, beatsPerBar: Int, inputs: (Int) -> (steps: [SIMD16<Float>], changes: [Float])
    ) -> [Double] {
        var sums = [Double](repeating: 0, count: beatsPerBar)
        guard let metre = Metre.lengths.firstIndex(of: beatsPerBar), beatCount >= beatsPerBar else {
            return sums
        }
        for (beat, units) in hidden((0..<beatCount).map { first(inputs($0)) }).enumerated() {
            sums[beat % beatsPerBar] += Double((units * outputs[metre]).sum())
        }
        return sums.enumerated().map { first, sum in
            sum / Double((beatCount - first + beatsPerBar - 1) / beatsPerBar)
        }
    }

    /// Returns the units of the first layer for the inputs of a beat.
    private func first(_ beat: (steps: [SIMD16<Float>], changes: [Float])) -> SIMD16<Float> {
        var sum = biases[0]
        var input = 0
        for step in beat.steps {
            for feature in 0..<16 {
                sum += step[feature] * inputs[input]
                input += 1
            }
        }
        for change in beat.changes {
            sum += change * inputs[input]
            input += 1
        }
        return sum.replacing(with: 0, where: sum .< 0)
    }

    /// Returns the units of the last layer for each beat; each layer adds its input.
    private func hidden(_ first: [SIMD16<Float>]) -> [SIMD16<Float>] {
        var input = first
        for (layer, dilation) in Self.dilations.enumerated() {
            input = input.indices.map { beat in
                var sum = biases[layer + 1]
                for tap in 0..<3 {
                    let source = beat + (tap - 1) * dilation
                    guard input.indices.contains(source) else { continue }
                    let row = (layer * 3 + tap) * 16
                    for unit in 0..<16 { sum += input[source][unit] * weights[row + unit] }
                }
                return input[beat] + sum.replacing(with: 0, where: sum .< 0)
            }
        }
        return input
    }
}
