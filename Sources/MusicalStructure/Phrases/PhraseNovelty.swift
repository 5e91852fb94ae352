/// How much the music changes at each beat, compared over two and four bars: the evidence that a phrase starts there.
///
/// Two kinds of change. The first is the novelty of Foote, "Automatic Audio Segmentation Using a Measure of Audio Novelty" (2000):
/// the correlation of a self-similarity matrix with a checkerboard, which for inner products is the squared distance between the
/// mean before and the mean after. The second compares each beat with the one two or four bars earlier, as the lag matrix of Goto,
/// "A Chorus-Section Detection Method" (2006), does: it stays small while a sequence of chords or a rhythm is repeated.
struct PhraseNovelty {
    /// Bars that are compared.
    static let spans = [2, 4]
    /// Number of values of a beat: for each span, the difference of each group and its repetition.
    static let count = 2 * spans.count * BeatSound.groups.count

    /// The values of each beat; zeros within a bar of the ends.
    let values: [[Float]]

    init(_ sound: BeatSound, beatsPerBar: Int) {
        let count = sound.count
        let repetitions = Self.spans.map { sound.repetitionSums(lag: $0 * beatsPerBar) }
        values = (0..<count).map { beat in
            guard beat >= beatsPerBar, count - beat >= beatsPerBar else {
                return [Float](repeating: 0, count: Self.count)
            }
            var row: [Float] = []
            for (index, span) in Self.spans.enumerated() {
                let length = span * beatsPerBar
                let differences = sound.difference(
                    at: beat, before: min(length, beat), after: min(length, count - beat))
                row += differences
                let first = max(beat, length)
                let end = min(beat + length, count)
                if end - first >= beatsPerBar {
                    for group in BeatSound.groups.indices {
                        let sum = repetitions[index][end][group] - repetitions[index][first][group]
                        row.append((max(0, sum) / Float(end - first)).squareRoot())
                    }
                } else {
                    row += differences
                }
            }
            return row
        }
    }
}
