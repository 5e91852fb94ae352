/// How much the sound changes at each beat: the difference between the mean of a number of beats before and after, and the difference
/// of a beat from one some beats earlier, by group of values (``BeatSound/groups``), relative to the mean and deviation over the track.
struct BeatChanges {
    /// Numbers of beats before and after that are compared.
    private static let windows = [1, 2, 4, 8]
    /// Distances of single beats that are compared.
    private static let lags = [1, 2, 3, 4, 6, 8]
    /// Number of values of a beat.
    static let count = (windows.count + lags.count) * BeatSound.groups.count
    /// Values relative to the mean, in units of the deviation, are within ± this.
    private static let limit: Float = 4

    /// The values of each beat.
    let values: [[Float]]

    init(_ sound: BeatSound) {
        let repetitions = Self.lags.map { sound.repetitionSums(lag: $0) }
        let raw = (0..<sound.count).map { beat -> [Float] in
            var row = Self.windows.flatMap { window -> [Float] in
                guard beat > 0 else { return [Float](repeating: 0, count: BeatSound.groups.count) }
                return sound.difference(
                    at: beat, before: min(window, beat), after: min(window, sound.count - beat))
            }
            for sums in repetitions {
                for (later, earlier) in zip(sums[beat + 1], sums[beat]) {
                    row.append(max(0, later - earlier).squareRoot())
                }
            }
            return row
        }
        values = Self.normalised(raw)
    }

    private static func normalised(_ rows: [[Float]]) -> [[Float]] {
        guard !rows.isEmpty else { return [] }
        let scale = 1 / Float(rows.count)
        let statistics = (0..<count).map { value -> (mean: Float, factor: Float) in
            let mean = rows.reduce(0) { $0 + $1[value] } * scale
            let variance = rows.reduce(0) { $0 + ($1[value] - mean) * ($1[value] - mean) } * scale
            return (mean, 1 / (variance.squareRoot() + 0.25 * mean + 1e-3))
        }
        return rows.map { row in
            zip(row, statistics).map { value, statistic in
                min(max((value - statistic.mean) * statistic.factor, -limit), limit)
            }
        }
    }
}
