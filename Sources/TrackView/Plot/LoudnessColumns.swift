import Analyzer

/// The momentary loudness on the columns of a drawing.
enum LoudnessColumns {
    /// The quietest and the loudest 400 ms of each column in LUFS; −127.5 is silence. Empty where there is no curve.
    static func reduced(_ curve: MomentaryCurve, to scale: TimeScale) -> [ClosedRange<Double>] {
        guard !curve.values.isEmpty else { return [] }
        return (0..<scale.columnCount).map { column in
            let indices =
                scale.indices(
                    inColumn: column, perSecond: 1 / MomentaryCurve.hopSeconds,
                    first: MomentaryCurve.firstSeconds,
                    count: curve.values.count) ?? 0..<1
            // The stored value grows as the loudness falls.
            let values = curve.values[indices]
            return Double(values.max() ?? 255) / -2...Double(values.min() ?? 255) / -2
        }
    }
}
