import Foundation

/// Finds where a track audibly begins and ends, and where the next may start, from its loudness relative to its own.
///
/// The rules start from those of Liquidsoap's autocue (gates relative to the integrated loudness) and mend what it gets
/// wrong: windows are dated by their middle, points are refined to 10 ms, levels are compared in LU and never as
/// percentages, each end is judged by its own side of the curve, and no audible tail is cut to keep an overlap short.
struct CuePointFinder {
    /// Loudness below the track's own at which it becomes audible.
    static let audibleGateLU = -42.0
    /// Gates at which the main part of a track may be over, tried in turn while the overlap is too long.
    static let startNextLadderLU = [-8.0, -12, -16, -20]
    /// Longest overlap in seconds before the next gate is tried.
    static let longestOverlap = 8.0
    /// Tracks shorter than this many seconds are played to their end before the next one starts.
    static let shortestOverlapped = 20.0
    /// Sound shorter than this many 10 ms windows is a click, unless the track is made of such.
    static let longestClick = 3
    /// Seconds left before and after the audible part.
    static let guardSeconds = 0.05
    /// A fade is noticed where it has taken this many LU.
    static let fadeStepLU = 2.0
    /// From there a fade began earlier by this share of the time it then takes to 8 LU: 0.52 where it falls straight
    /// in amplitude, 0.33 where it falls straight in dB, so that either is dated within a tenth of its length.
    static let fadeLead = 0.42
    /// LU of a fade that the lead is measured by.
    static let fadeDepthLU = 8.0

    private let loudness: LoudnessCurve
    private let levels: LevelCurve
    private let silence: SilenceBounds
    private let duration: Double
    /// The track's own loudness in LUFS.
    private let reference: Double
    /// Level in dBFS (RMS) of a 10 ms window that is heard.
    private let audibleDB: Double
    /// Windows that a sound lasts at least to be more than a click.
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

    /// Whether most of what is heard comes in sounds too short to be told from clicks: a metronome, a drum machine.
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
        let fadeOutStart = max(fadeInEnd, fadeOutStart(smoothed: smoothed, mainEnd: mainEnd, within: audible))
        let tail = Tail(curve: loudness, reference: reference, mainEnd: mainEnd, cueOut: cueOut)
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

    /// The cue points of a track that has no loudness to go by.
    private func whole(cueIn: Double, cueOut: Double) -> CuePoints {
        CuePoints(
            cueInSeconds: cueIn, cueOutSeconds: cueOut, fadeInEndSeconds: cueIn, fadeOutStartSeconds: cueOut,
            startNextSeconds: cueOut, ending: .hard, cueInConfidence: 0, cueOutConfidence: 0,
            startNextConfidence: 0, innerSilence: nil, startRamp: [], endRamp: [])
    }
}

// MARK: - The audible part

extension CuePointFinder {
    /// From the first to the last audible moment, with the guard.
    private func audibleRange() -> ClosedRange<Double> {
        let gate = max(reference + Self.audibleGateLU, Loudness.absoluteGateLUFS)
        let loud = loudness.values.indices.lazy.filter { loudness.values[$0] > gate }
        let first = loud.compactMap { audibleRuns(near: LoudnessCurve.seconds(of: $0)).first }.first
        let last = loud.reversed().compactMap { audibleRuns(near: LoudnessCurve.seconds(of: $0)).last }
            .first
        guard let first, let last, first.lowerBound < last.upperBound else {
            return silence.leadingEndSeconds...max(silence.leadingEndSeconds, silence.trailingStartSeconds)
        }
        let begin = LevelCurve.seconds(ofWindow: first.lowerBound) - Self.guardSeconds
        let end = LevelCurve.seconds(ofWindow: last.upperBound) + Self.guardSeconds
        return max(0, begin)...min(duration, end)
    }

    /// Runs of audible windows, clicks left out, within half a second of a time.
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

    /// The longest silence between two audible parts, if it is long enough to tell of.
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

    /// How far the level steps from one stretch to the next, as a trust of 0…1: 40 dB is certain.
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
        guard !windows.isEmpty else { return LevelCurve.floorDB }
        return windows.reduce(0) { $0 + levels[$1] } / Double(windows.count)
    }

    private func loudestLevel(in seconds: Range<Double>) -> Double {
        windows(in: seconds).reduce(LevelCurve.floorDB) { max($0, levels[$1]) }
    }
}

// MARK: - The main part

extension CuePointFinder {
    /// Last moment within the audible part at which the loudness is above the reference plus some LU.
    private func lastTime(aboveLU offset: Double, within audible: ClosedRange<Double>) -> Double {
        guard let last = loudness.values.lastIndex(where: { $0 > reference + offset }) else {
            return audible.upperBound
        }
        // The last window has nothing behind it: the sound goes on to the end.
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

    /// Certain where the gates agree, doubtful where the answer hangs on the gate.
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
        // The smoothing alone makes half a second of any start.
        guard time - audible.lowerBound >= 1 else { return audible.lowerBound }
        let quiet = smoothed[first...reached].lastIndex { $0 <= plateau - Self.fadeDepthLU } ?? first
        let lag = Self.fadeLead * (time - LoudnessCurve.seconds(of: quiet))
        return min(time + lag, audible.upperBound)
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

    /// The usual loudness of a stretch: the upper quartile, which neither a fade nor a pause in it moves much.
    private func plateau(_ range: Range<Int>) -> Double {
        let sorted = loudness.values[range].sorted()
        return sorted.isEmpty ? reference : sorted[(sorted.count - 1) * 3 / 4]
    }

    /// When each level relative to the reference is first reached after the start, or last before the end.
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
