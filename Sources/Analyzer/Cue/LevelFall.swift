/// How fast the level falls at the end of the main part, which distinguishes an abrupt stop from a fade.
///
/// It is measured on the level curve, because the 400 ms windows of the loudness curve turn any stop into a slope.
struct LevelFall {
    /// Time in seconds from 6 dB below the main part to 26 dB below it, or to 6 dB above the sound that follows.
    let seconds: Double
    /// Time at which that level is reached, in seconds.
    let endSeconds: Double

    /// Whether the music stops at once instead of being faded out. A fade of 2 s, linear in amplitude or in dB, takes at least
    /// 0.8 s for this part of its fall, and the release of a chord or a short reverberation less than half a second.
    var isAbrupt: Bool { seconds <= 0.5 }

    /// Measures the fall between the end of the main part and the cue-out, in seconds; nil if the level falls by less than
    /// 15 dB.
    init?(levels: LevelCurve, mainEnd: Double, cueOut: Double) {
        let smoothed = { (window: Int) in Self.level(at: window, levels) }
        let end = Self.window(cueOut - CuePointFinder.guardSeconds, levels)
        let leaving = Self.window(mainEnd, levels)
        let main = Self.window(mainEnd - Self.mainSeconds, levels)..<leaving
        guard !main.isEmpty, end > leaving else { return nil }
        let mainDB = Self.quantile(0.75, main.map(smoothed))
        let restDB = Self.quantile(0.1, (leaving..<end).map(smoothed))
        guard mainDB - restDB >= Self.leastFallDB else { return nil }
        let latest = min(end, Self.window(mainEnd + Self.mainMargin, levels))
        guard let start = (main.lowerBound..<latest).last(where: { smoothed($0) >= mainDB - Self.marginDB })
        else { return nil }
        let target = max(mainDB - Self.depthDB, restDB + Self.marginDB)
        let reached = (start..<end).first { smoothed($0) <= target } ?? end
        seconds = LevelCurve.seconds(ofWindow: reached - start)
        endSeconds = LevelCurve.seconds(ofWindow: reached)
    }

    private static let leastFallDB = 15.0
    private static let marginDB = 6.0
    private static let depthDB = 26.0
    /// Seconds before the end of the main part over which its level is determined, and after it in which it may be left.
    private static let mainSeconds = 3.0
    private static let mainMargin = 0.5
    /// Windows averaged, so that the waves of a low hum do not count as changes of its level.
    private static let smoothing = 10

    private static func window(_ seconds: Double, _ levels: LevelCurve) -> Int {
        max(0, min(levels.count, Int(seconds * LevelCurve.windowsPerSecond)))
    }

    /// Returns the mean level in dBFS of the 0.1 s from a window.
    private static func level(at window: Int, _ levels: LevelCurve) -> Double {
        let range = window..<min(levels.count, window + smoothing)
        return range.reduce(0) { $0 + levels[$1] } / Double(max(1, range.count))
    }

    private static func quantile(_ share: Double, _ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[Int(Double(sorted.count - 1) * share)]
    }
}
