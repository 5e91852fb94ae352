import Foundation

/// Finds where a track audibly begins and ends, and where the next track may start, from its loudness relative to its
/// integrated loudness.
///
/// The rules are based on Liquidsoap's autocue (gates relative to the integrated loudness), with corrections: windows are dated
/// by their middle, points are refined to 10 ms, levels are compared in LU and never as percentages, each end is judged by its
/// own side of the curve, and no audible tail is cut to keep an overlap short.
struct CuePointFinder {
    /// Gate relative to the track's loudness above which it is audible.
    static let audibleGateLU = -42.0
    /// Gates at which the main part of a track may end, tried in turn while the overlap is too long.
    static let startNextLadderLU = [-8.0, -12, -16, -20]
    /// Longest overlap in seconds before the next gate is tried.
    static let longestOverlap = 8.0
    /// Tracks shorter than this many seconds play to their end before the next one starts.
    static let shortestOverlapped = 20.0
    /// Sound shorter than this many 10 ms windows is a click, unless the whole track consists of clicks.
    static let longestClick = 3
    /// Isolated sound of up to this many windows is a click too, since MP3 smears clicks to that length.
    static let longestLoneClick = 6
    /// Windows without other sound, towards the music, that make a click isolated.
    static let loneClickDistance = 100
    /// Seconds left before and after the audible part.
    static let guardSeconds = 0.05
    /// A fade is detected once it has attenuated the signal by this many LU.
    static let fadeStepLU = 2.0
    /// The start of a fade lies earlier than that by this fraction of the time it then takes to reach 8 LU: 0.52 for a fade
    /// linear in amplitude, 0.33 for one linear in dB, so that either is dated to within a tenth of its length.
    static let fadeLead = 0.42
    /// Depth of a fade in LU over which the lead is measured.
    static let fadeDepthLU = 8.0

    private let loudness: LoudnessCurve
    private let levels: LevelCurve
    private let silence: SilenceBounds
    private let duration: Double
    /// The track's integrated loudness in LUFS.
    private let reference: Double
    /// Level in dBFS (RMS) above which a 10 ms window is audible.
    private let audibleDB: Double
    /// Minimum length in windows of a sound that is not a click.
    private let clickWindows: Int

    init(
        loudness: LoudnessCurve, levels: LevelCurve, silence: SilenceBounds, integratedLUFS: Double?,
        durationSeconds: Double
    ) {
        self.loudness = loudness
        self.levels = levels
        self.silence = silence
        duration = durationSeconds
        reference = integratedLUFS ?? loudness.values.max() ?? Loudness.absoluteGateLUFS
        let audibleDB = min(-60, max(reference + Self.audibleGateLU, Loudness.absoluteGateLUFS))
        self.audibleDB = audibleDB
        clickWindows = Self.isMadeOfClicks(levels, audibleDB: audibleDB) ? 1 : Self.longestClick
    }

    /// Whether most audible sound is too short to be distinguished from clicks: a metronome, a drum machine.
    private static func isMadeOfClicks(_ levels: LevelCurve, audibleDB: Double) -> Bool {
        var short = 0
        var long = 0
        var run = 0
        for window in 0...levels.count {
            if window < levels.count, levels[window] > audibleDB {
                run += 1
            } else {
                if run < longestClick { short += run } else { long += run }
                run = 0
            }
        }
        return short > long
    }

    func find() -> CuePoints {
        guard !silence.isSilent, levels.count > 0 else { return whole(cueIn: 0, cueOut: duration) }
        let audible = audibleRange()
        let cueIn = audible.lowerBound
        let cueOut = audible.upperBound
        guard !loudness.values.isEmpty else { return whole(cueIn: cueIn, cueOut: cueOut) }

        let smoothed = loudness.smoothed(reach: 5)
        let mainEnd = lastTime(aboveLU: Self.startNextLadderLU[0], within: audible)
        let fadeInEnd = fadeInEnd(smoothed: smoothed, within: audible)
        let tail = Tail(
            loudness: loudness, levels: levels, reference: reference, mainEnd: mainEnd, cueOut: cueOut)
        let fadeOutStart =
            stopsAtOnce(tail, mainEnd: mainEnd)
            ? cueOut : max(fadeInEnd, fadeOutStart(smoothed: smoothed, mainEnd: mainEnd, within: audible))
        let startNext = duration < Self.shortestOverlapped ? cueOut : startNext(within: audible)
        return CuePoints(
            cueInSeconds: cueIn, cueOutSeconds: cueOut, fadeInEndSeconds: fadeInEnd,
            fadeOutStartSeconds: fadeOutStart, startNextSeconds: startNext, ending: tail.ending,
            cueInConfidence: contrast(before: cueIn - 0.5..<cueIn, after: cueIn..<cueIn + 0.5),
            cueOutConfidence: contrast(before: cueOut..<cueOut + 0.5, after: cueOut - 0.5..<cueOut),
            startNextConfidence: startNextConfidence(within: audible, tail: tail),
            innerSilence: innerSilence(within: audible),
            startRamp: ramp(from: cueIn, within: audible, towardsEnd: false),
            endRamp: ramp(from: cueOut, within: audible, towardsEnd: true))
    }

    /// Returns the cue points of a track without measurable loudness.
    private func whole(cueIn: Double, cueOut: Double) -> CuePoints {
        CuePoints(
            cueInSeconds: cueIn, cueOutSeconds: cueOut, fadeInEndSeconds: cueIn, fadeOutStartSeconds: cueOut,
            startNextSeconds: cueOut, ending: .hard, cueInConfidence: 0, cueOutConfidence: 0,
            startNextConfidence: 0, innerSilence: nil, startRamp: [], endRamp: [])
    }
}

// MARK: - The audible part

extension CuePointFinder {
    /// Returns the range from the first to the last audible moment, including the guard.
    private func audibleRange() -> ClosedRange<Double> {
        let gate = max(reference + Self.audibleGateLU, Loudness.absoluteGateLUFS)
        let loud = loudness.values.indices.lazy.filter { loudness.values[$0] > gate }
        let first = loud.compactMap { index in
            audibleRuns(near: LoudnessCurve.seconds(of: index)).first { !isLoneClick($0, isAtStart: true) }
        }.first
        let last = loud.reversed().compactMap { index in
            audibleRuns(near: LoudnessCurve.seconds(of: index)).last { !isLoneClick($0, isAtStart: false) }
        }.first
        guard let first, let last, first.lowerBound < last.upperBound else {
            return silence.leadingEndSeconds...max(silence.leadingEndSeconds, silence.trailingStartSeconds)
        }
        let begin = LevelCurve.seconds(ofWindow: first.lowerBound) - Self.guardSeconds
        let end = LevelCurve.seconds(ofWindow: last.upperBound) + Self.guardSeconds
        return max(0, begin)...min(duration, end)
    }

    /// Returns runs of audible windows within half a second of a time, ignoring clicks.
    private func audibleRuns(near seconds: Double) -> [Range<Int>] {
        let low = max(0, Int((seconds - 0.5) * LevelCurve.windowsPerSecond))
        let high = min(levels.count, Int((seconds + 0.5) * LevelCurve.windowsPerSecond) + 1)
        var runs: [Range<Int>] = []
        var start: Int?
        for window in low..<max(low, high) {
            if levels[window] > audibleDB {
                if start == nil { start = window }
            } else if let begin = start {
                if window - begin >= clickWindows { runs.append(begin..<window) }
                start = nil
            }
        }
        if let begin = start, high - begin >= clickWindows || begin == low { runs.append(begin..<high) }
        return runs
    }

    /// Whether a run is a click with no other sound after it (at the start) or before it (at the end) for a while.
    private func isLoneClick(_ run: Range<Int>, isAtStart: Bool) -> Bool {
        guard clickWindows > 1, run.count <= Self.longestLoneClick else { return false }
        // The search window may have cut the run short.
        var low = run.lowerBound
        var high = run.upperBound
        while low > 0, high - low <= Self.longestLoneClick, levels[low - 1] > audibleDB { low -= 1 }
        while high < levels.count, high - low <= Self.longestLoneClick, levels[high] > audibleDB { high += 1 }
        guard high - low <= Self.longestLoneClick else { return false }
        let beside =
            isAtStart
            ? high..<min(levels.count, high + Self.loneClickDistance)
            : max(0, low - Self.loneClickDistance)..<low
        return beside.allSatisfy { levels[$0] <= audibleDB }
    }

    /// Returns the longest silence between two audible parts, if it is long enough to report.
    private func innerSilence(within audible: ClosedRange<Double>) -> CuePoints.InnerSilence? {
        let low = Int(audible.lowerBound * LevelCurve.windowsPerSecond)
        let high = min(levels.count, Int(audible.upperBound * LevelCurve.windowsPerSecond))
        var longest = 0..<0
        var start: Int?
        var loudRun = 0
        for window in low..<max(low, high) {
            if levels[window] <= audibleDB {
                if start == nil { start = window }
                loudRun = 0
            } else {
                loudRun += 1
                // A click does not end a silence.
                if loudRun >= clickWindows, let begin = start {
                    let end = window + 1 - loudRun
                    if end - begin > longest.count { longest = begin..<end }
                    start = nil
                }
            }
        }
        guard Double(longest.count) >= CuePoints.InnerSilence.minimumSeconds * LevelCurve.windowsPerSecond
        else {
            return nil
        }
        return CuePoints.InnerSilence(
            startSeconds: LevelCurve.seconds(ofWindow: longest.lowerBound),
            endSeconds: LevelCurve.seconds(ofWindow: longest.upperBound))
    }

    /// Returns the level step between two ranges as a confidence of 0…1: 40 dB is certain.
    ///
    /// Outside the file, sound is taken to be just inaudible: a file that begins or ends with noise instead of music gets a low
    /// confidence, since the level does not change much there.
    private func contrast(before: Range<Double>, after: Range<Double>) -> Double {
        max(0, min(1, (loudestLevel(in: after) - meanLevel(in: before)) / 40))
    }

    private func windows(in seconds: Range<Double>) -> Range<Int> {
        let low = max(0, Int(seconds.lowerBound * LevelCurve.windowsPerSecond))
        let high = min(levels.count, Int(seconds.upperBound * LevelCurve.windowsPerSecond))
        return low..<max(low, high)
    }

    private func meanLevel(in seconds: Range<Double>) -> Double {
        let windows = windows(in: seconds)
        guard !windows.isEmpty else { return audibleDB }
        return windows.reduce(0) { $0 + levels[$1] } / Double(windows.count)
    }

    private func loudestLevel(in seconds: Range<Double>) -> Double {
        windows(in: seconds).reduce(LevelCurve.floorDB) { max($0, levels[$1]) }
    }
}

// MARK: - The main part

extension CuePointFinder {
    /// Returns the last moment within the audible part at which the loudness exceeds the reference by an offset in LU.
    private func lastTime(aboveLU offset: Double, within audible: ClosedRange<Double>) -> Double {
        guard let last = loudness.values.lastIndex(where: { $0 > reference + offset }) else {
            return audible.upperBound
        }
        // Nothing follows the last window: the sound continues to the end.
        if last == loudness.values.count - 1 { return audible.upperBound }
        return max(audible.lowerBound, min(audible.upperBound, LoudnessCurve.seconds(of: last)))
    }

    private func startNext(within audible: ClosedRange<Double>) -> Double {
        var time = audible.upperBound
        for gate in Self.startNextLadderLU {
            time = lastTime(aboveLU: gate, within: audible)
            if audible.upperBound - time <= Self.longestOverlap { break }
        }
        return time
    }

    /// High if the gates agree, low if the result depends on the gate.
    private func startNextConfidence(within audible: ClosedRange<Double>, tail: Tail) -> Double {
        let spread = lastTime(aboveLU: -12, within: audible) - lastTime(aboveLU: -6, within: audible)
        let agreement = 1 / (1 + spread / 4)
        return tail.ending == .fade ? max(agreement, tail.straightness) : agreement
    }

    private func fadeInEnd(smoothed: [Double], within audible: ClosedRange<Double>) -> Double {
        let first = loudness.index(atSeconds: audible.lowerBound)
        let plateau = plateau(first..<min(smoothed.count, first + 300))
        guard
            let reached = (first..<smoothed.count).first(where: { smoothed[$0] >= plateau - Self.fadeStepLU })
        else { return audible.lowerBound }
        let time = LoudnessCurve.seconds(of: reached)
        // Smoothing alone spreads any start over half a second.
        guard time - audible.lowerBound >= 1 else { return audible.lowerBound }
        let quiet = smoothed[first...reached].lastIndex { $0 <= plateau - Self.fadeDepthLU } ?? first
        let lag = Self.fadeLead * (time - LoudnessCurve.seconds(of: quiet))
        return min(time + lag, audible.upperBound)
    }

    /// Whether a hard ending has no fade: the level stays normal until half a second before it.
    private func stopsAtOnce(_ tail: Tail, mainEnd: Double) -> Bool {
        guard tail.ending == .hard else { return false }
        let end = loudness.index(atSeconds: mainEnd)
        let before = loudness.values[loudness.index(atSeconds: mainEnd - 0.5)...end].max() ?? reference
        return before >= plateau(max(0, end - 300)..<(end + 1)) - Self.fadeStepLU
    }

    private func fadeOutStart(
        smoothed: [Double], mainEnd: Double, within audible: ClosedRange<Double>
    ) -> Double {
        let end = loudness.index(atSeconds: mainEnd)
        let plateau = plateau(max(0, end - 300)..<(end + 1))
        guard let left = smoothed.lastIndex(where: { $0 >= plateau - Self.fadeStepLU }) else {
            return audible.upperBound
        }
        let time = LoudnessCurve.seconds(of: left)
        guard audible.upperBound - time >= 1 else { return audible.upperBound }
        let quiet = smoothed[left...].firstIndex { $0 <= plateau - Self.fadeDepthLU } ?? smoothed.count - 1
        let lead = Self.fadeLead * (LoudnessCurve.seconds(of: quiet) - time)
        return max(time - lead, audible.lowerBound)
    }

    /// Returns the typical loudness of a range: the upper quartile, which neither a fade nor a pause within it moves much.
    private func plateau(_ range: Range<Int>) -> Double {
        let sorted = loudness.values[range].sorted()
        return sorted.isEmpty ? reference : sorted[(sorted.count - 1) * 3 / 4]
    }

    /// Returns when each level relative to the reference is first reached after the start, or last reached before the end.
    private func ramp(
        from cue: Double, within audible: ClosedRange<Double>, towardsEnd: Bool
    ) -> [CuePoints.RampPoint] {
        let levels = [-40.0, -30, -24, -21, -18, -15, -12, -9, -6, -3, 0, 3, 6]
        return levels.compactMap { level in
            let isReached: (Double) -> Bool = { $0 >= reference + level }
            let index =
                towardsEnd
                ? loudness.values.lastIndex(where: isReached) : loudness.values.firstIndex(where: isReached)
            guard let index else { return nil }
            let distance = abs(LoudnessCurve.seconds(of: index) - cue)
            let outside = !audible.contains(LoudnessCurve.seconds(of: index))
            return CuePoints.RampPoint(levelDB: level, seconds: outside ? 0 : distance)
        }
    }
}
