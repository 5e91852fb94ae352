/// How much the sound changes at each beat: the difference between the mean of a number of beats before and after, and the difference
/// of a beat from one some beats earlier, by group of values (``BeatSound/groups``), relative to the mean and deviation over the track.
///
/// The changes are computed where they are needed: those of all beats of hours of music would take more memory than their sound.
struct BeatChanges {
    /// Numbers of beats before and after that are compared.
    private static let windows = [1, 2, 4, 8]
    /// Distances of single beats that are compared.
    private static let lags = [1, 2, 3, 4, 6, 8]
    /// Number of values of a beat.
    static let count = (windows.count + lags.count) * BeatSound.groups.count
    /// Values relative to the mean, in units of the deviation, are within ± this.
    private static let limit: Float = 4

    private let sound: BeatSound
    /// For each value, the mean over the track, and the factor from differences to normalised values.
    private let statistics: [(mean: Float, factor: Float)]

    init(_ sound: BeatSound) {
        self.sound = sound
        var (sums, squares) = (
            [Double](repeating: 0, count: Self.count), [Double](repeating: 0, count: Self.count)
        )
        for beat in 0..<sound.count {
            for (index, value) in Self.changes(of: sound, at: beat).enumerated() {
                sums[index] += Double(value)
                squares[index] += Double(value) * Double(value)
            }
        }
        let scale = 1 / Double(max(1, sound.count))
        statistics = zip(sums, squares).map { sum, square in
            let mean = sum * scale
            let deviation = max(0, square * scale - mean * mean).squareRoot()
            return (Float(mean), Float(1 / (deviation + 0.25 * mean + 1e-3)))
        }
    }

    /// Number of beats.
    var beatCount: Int { sound.count }

    /// The values of a beat, ``count`` of them.
    subscript(beat: Int) -> [Float] {
        zip(Self.changes(of: sound, at: beat), statistics).map { value, statistic in
            min(max((value - statistic.mean) * statistic.factor, -Self.limit), Self.limit)
        }
    }

    private static func changes(of sound: BeatSound, at beat: Int) -> [Float] {
        var row: [Float] = []
        row.reserveCapacity(count)
        for window in windows {
            row +=
                beat == 0
                ? [Float](repeating: 0, count: BeatSound.groups.count)
                : sound.difference(
                    at: beat, before: min(window, beat), after: min(window, sound.count - beat))
        }
        for lag in lags { row += sound.change(at: beat, lag: lag) }
        return row
    }
}
