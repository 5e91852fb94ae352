internal import Foundation

/// The beats of a track as a mix needs them: which of them start bars, and where phrases start.
struct MixGrid {
    /// Largest distance in seconds at which two times are the same beat.
    static let sameBeat = 0.04
    /// Minimum confidence for the start of a phrase to be used.
    static let leastPhraseConfidence = 0.5
    /// Bars of up to this number of beats are taken in pairs: analyses often take half a bar of four or six beats for a bar.
    private static let longestPairedBar = 3
    /// Sum of the confidences of phrases that start with one bar of the pairs, and how many times as much that must be as the sum for
    /// the other, for the pairs to be known.
    private static let leastPairing = 1.0
    private static let clearPairing = 4.0

    /// Times of the beats, ascending.
    let beats: [Double]
    /// Indices in ``beats`` at which a mix may start, ascending: starts of bars, or of pairs of short bars.
    let downbeats: [Int]
    /// The most frequent number of beats from one start of a bar to the next.
    let beatsPerBar: Int
    /// Indices in ``beats`` at which a phrase is more likely than not to start.
    let phrases: Set<Int>

    /// Returns nil if there are less than two bars.
    init?(_ tempo: CrossfadeTrack.Tempo, phrases: [CrossfadeTrack.Phrase]) {
        let beats = tempo.beatSeconds
        let downbeats = tempo.downbeatSeconds.compactMap { Self.index(of: $0, in: beats) }
        var counts: [Int: Int] = [:]
        for (one, next) in zip(downbeats, downbeats.dropFirst()) where next > one {
            counts[next - one, default: 0] += 1
        }
        guard let bar = counts.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) })?.key else { return nil }
        let starts = phrases.compactMap { phrase in
            Self.index(of: phrase.seconds, in: beats).map { (beat: $0, confidence: phrase.confidence) }
        }
        self.beats = beats
        self.phrases = Set(
            starts.lazy.filter { $0.confidence >= Self.leastPhraseConfidence }.map(\.beat))
        beatsPerBar = bar
        if bar <= Self.longestPairedBar, let first = Self.firstOfPairs(downbeats, starts) {
            self.downbeats = stride(from: first, to: downbeats.count, by: 2).map { downbeats[$0] }
        } else {
            self.downbeats = downbeats
        }
    }

    /// Returns 0 or 1, the first bar that starts a pair of bars, if phrases clearly start with every second bar.
    private static func firstOfPairs(
        _ downbeats: [Int], _ phrases: [(beat: Int, confidence: Double)]
    ) -> Int? {
        var sums = [0.0, 0.0]
        for phrase in phrases {
            guard let bar = downbeats.firstIndex(of: phrase.beat) else { continue }
            sums[bar % 2] += phrase.confidence
        }
        let first = sums[0] >= sums[1] ? 0 : 1
        let isClear = sums[first] >= leastPairing && sums[first] >= clearPairing * sums[1 - first]
        return isClear ? first : nil
    }

    /// Returns the evenly spaced beats that are closest to those of a range: the line of least squares through their times. Each beat
    /// is found with an error of its own, of which the line keeps little.
    func line(through range: ClosedRange<Int>) -> MixBeatLine {
        MixBeatLine(through: beats[range])
    }

    /// Returns the index of the beat at a time; nil if no beat is near.
    private static func index(of seconds: Double, in beats: [Double]) -> Int? {
        let next = firstIndex(notBefore: seconds - sameBeat, in: beats)
        guard next < beats.count, abs(beats[next] - seconds) <= sameBeat else { return nil }
        return next
    }

    /// Returns the index of the first beat at or after a time.
    static func firstIndex(notBefore seconds: Double, in beats: [Double]) -> Int {
        var low = 0
        var high = beats.count
        while low < high {
            let middle = (low + high) / 2
            if beats[middle] < seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Evenly spaced beats.
struct MixBeatLine {
    /// Time of the first beat in seconds.
    let start: Double
    /// Time of the last beat in seconds.
    let end: Double

    /// - Parameter beats: times in seconds, two at least.
    init(through beats: ArraySlice<Double>) {
        let last = Double(beats.count - 1)
        let mean = beats.reduce(0, +) / Double(beats.count)
        // The numbers of the beats, counted from their middle, have the sum of squares n (n² - 1) / 12.
        let products = zip(0..., beats).reduce(0) { $0 + (Double($1.0) - last / 2) * ($1.1 - mean) }
        let period = products / ((last + 1) * ((last + 1) * (last + 1) - 1) / 12)
        start = mean - period * last / 2
        end = mean + period * last / 2
    }
}
