internal import Foundation

extension CrossfadePlan {
    /// Corner frequency of the bass shelves in Hz: below it are the kick and most notes of a bass.
    static let bassHertz = 120.0
    /// Gain of the bass of the track that does not carry it, in dB.
    static let bassCutDB = -24.0
    /// Longest equal-power crossfade of tracks that cannot be mixed, in seconds.
    static let plainSeconds = 4.0
    /// Largest silence at the end of a file, or at its start, that does not separate two movements, in seconds.
    static let segueSilence = 0.05

    /// Plans the transition between two tracks, as the mode in the options requires.
    public init(from: CrossfadeTrack, to: CrossfadeTrack, options: Options = Options()) {
        self.init(crossfadingFrom: from, to: to, options: options)
        switch options.mode {
        case .crossfade: break
        case .off: playWhole(from, "Transitions are off.")
        case .gapless: playWhole(from, "Gapless: the next file follows sample to sample.")
        case .mix: mix(from, to, options)
        }
    }

    /// Plays both files complete, one after the other.
    private mutating func playWhole(_ from: CrossfadeTrack, _ reason: String) {
        transition = .gapless
        startSeconds = from.durationSeconds
        endSeconds = from.durationSeconds
        cueInSeconds = 0
        overlapSeconds = 0
        outgoing.fade = nil
        incoming.fade = nil
        overlapPeakDBTP = nil
        self.reason = reason
    }

    /// Replaces a crossfade by a mix, or by the first fallback that is possible.
    private mutating func mix(_ from: CrossfadeTrack, _ to: CrossfadeTrack, _ options: Options) {
        guard transition != .gapless else { return }
        guard !Self.isSegue(from, to) else {
            return playWhole(from, "Gapless: the album continues on its next disc without silence.")
        }
        do throws(MixPlanner.Refusal) {
            let planner = try MixPlanner(from: from, to: to, plan: self, maximumBeats: options.maximumBeats)
            apply(try planner.choose(), from, to)
        } catch {
            fallBack(from, to, options, because: error.text)
        }
    }

    /// Whether the first track of a disc continues the last one of the disc before without silence at the join.
    private static func isSegue(_ from: CrossfadeTrack, _ to: CrossfadeTrack) -> Bool {
        guard let one = from.place, let next = to.place else { return false }
        return one.albumID == next.albumID && next.disc == one.disc + 1 && next.track == 1
            && from.durationSeconds - from.cueOutSeconds <= segueSilence && to.cueInSeconds <= segueSilence
    }

    private mutating func apply(_ choice: MixPlanner.Choice, _ from: CrossfadeTrack, _ to: CrossfadeTrack) {
        transition = .mix
        startSeconds = choice.start
        endSeconds = choice.end
        cueInSeconds = choice.entry
        overlapSeconds = choice.end - choice.start
        let incomingSeconds = choice.incomingEnd - choice.entry
        let steepness = steepness(from, to)
        fade(
            from: choice.start, overlapSeconds, into: choice.entry, incomingSeconds,
            exponent: steepness?.value ?? 2)
        // The bass of the incoming track comes in within half a beat before half the overlap, that of the outgoing track goes
        // within half a beat after it, so that there is no moment without bass.
        let halfBeat = overlapSeconds / Double(choice.beats) / 2
        outgoing.bass = BassShelf(
            hertz: Self.bassHertz, startSeconds: choice.start + overlapSeconds / 2, durationSeconds: halfBeat,
            startGainDB: 0, endGainDB: Self.bassCutDB)
        incoming.bass = BassShelf(
            hertz: Self.bassHertz, startSeconds: choice.entry + incomingSeconds / 2 - halfBeat * choice.ratio,
            durationSeconds: halfBeat * choice.ratio, startGainDB: Self.bassCutDB, endGainDB: 0)
        overlapPeakDBTP = steepness?.peakDBTP
        tempo?.outgoingBeatSeconds = choice.start
        tempo?.incomingBeatSeconds = choice.entry
        tempo?.shiftSeconds = 0
        tempo?.driftSeconds = abs(choice.ratio - 1) * overlapSeconds
        mix = Mix(
            beats: choice.beats, beatsPerBar: choice.beatsPerBar, ratio: choice.ratio,
            returnStartSeconds: choice.incomingEnd,
            returnEndSeconds: max(choice.incomingEnd, choice.returnEnd),
            leavesAtPhrase: choice.leavesAtPhrase, largestOffsetSeconds: choice.offset,
            score: TransitionScore(
                keys: (from.endKey, to.startKey), bpm: (from.tempo?.bpm, to.tempo?.bpm),
                lufs: (from.loudness?.integratedLUFS, to.loudness?.integratedLUFS)))
        reason =
            Self.reason(choice, overlapSeconds)
            + "\(TransitionText.keys(key)); the bass changes over at half."
    }

    private static func reason(_ choice: MixPlanner.Choice, _ overlap: Double) -> String {
        let (leave, enter) = (TransitionText.clock(choice.start), TransitionText.clock(choice.entry))
        let places =
            choice.hasCertainBars
            ? "leaves at \(leave), the start of a \(choice.leavesAtPhrase ? "phrase" : "bar"), enters on a downbeat at \(enter)"
            : "leaves at \(leave), enters at \(enter), beat on beat, as the bars of a track are not certain"
        return
            "Beat-matched mix of \(choice.beats) beats (\(TransitionText.seconds(overlap))): \(places), played "
            + "\(TransitionText.speed(choice.ratio)); "
    }

    /// Fades both tracks through an overlap.
    private mutating func fade(
        from start: Double, _ duration: Double, into entry: Double, _ incomingDuration: Double,
        exponent: Double
    ) {
        let exponent = exponent == 1 ? nil : exponent
        outgoing.fade = Fade(
            curve: .equalPower, startSeconds: start, durationSeconds: duration, startGain: 1, endGain: 0,
            exponent: exponent)
        incoming.fade = Fade(
            curve: .equalPowerRise, startSeconds: entry, durationSeconds: incomingDuration, startGain: 0,
            endGain: 1, exponent: exponent)
    }

    /// How steep the fades of an overlap at full level must be; nil if a peak is unknown.
    private func steepness(_ from: CrossfadeTrack, _ to: CrossfadeTrack) -> PeakExponent? {
        guard let one = from.loudness, let next = to.loudness else { return nil }
        return PeakExponent(one.truePeakDBTP + outgoing.gainDB, next.truePeakDBTP + incoming.gainDB)
    }

    /// Crossfades at the cue points with equal power; keeps the planned crossfade if that fits better.
    private mutating func fallBack(
        _ from: CrossfadeTrack, _ to: CrossfadeTrack, _ options: Options, because text: String
    ) {
        let seconds = min(
            Self.plainSeconds, options.maximumSeconds, from.audibleSeconds / 2, to.audibleSeconds / 2)
        // The level of a long fade falls by itself.
        guard !options.onlyWhenItFits, transition == .cut || overlapSeconds < seconds,
            let steepness = steepness(from, to),
            min(from.audibleSeconds, to.audibleSeconds) >= Self.shortestOverlapped,
            seconds >= Self.shortestOverlap
        else {
            reason = "No beat-matched mix, as \(text). " + (reason ?? "")
            return
        }
        transition = .overlap
        overlapSeconds = seconds
        startSeconds = from.cueOutSeconds - seconds
        endSeconds = from.cueOutSeconds
        cueInSeconds = to.cueInSeconds
        fade(from: startSeconds, seconds, into: cueInSeconds, seconds, exponent: steepness.value)
        overlapPeakDBTP = steepness.peakDBTP
        tempo = BeatAlignment(from: from.tempo, to: to.tempo)?.match(shift: 0, overlap: seconds)
        reason =
            "Crossfade of \(TransitionText.seconds(seconds)) at the cue points; no beat-matched mix, as \(text)."
    }
}
