extension CrossfadePlan {
    /// Level in LU relative to the other track below which a track is masked. Liquidsoap's autocue uses the same level for the
    /// end of a track's main part.
    static let maskingLU = -8.0
    /// Masking level for endings whose quiet sound should be heard: a held chord, a long tail.
    static let quietEndingLU = -20.0
    /// Bounds of the masking level after correcting for the loudness difference of the tracks, in LU.
    static let maskingRange = -30.0 ... -3.0
    /// Minimum audible duration in seconds for a track to be overlapped.
    static let shortestOverlapped = 20.0
    /// Minimum overlap in seconds; shorter overlaps become cuts.
    static let shortestOverlap = 0.02
    /// Maximum overlap in seconds at which a hard ending is faded out.
    static let longestHardFade = 1.0

    /// Plans a crossfade between two tracks.
    ///
    /// 1. Each track's gain is `min(target − loudness, −1 dBTP − true peak)`; it depends on that track alone.
    /// 2. If the incoming track follows the outgoing one on the same album, it starts at the end of the file: `gapless`.
    /// 3. Otherwise the incoming track rises through the masking level at the moment the outgoing one falls below it:
    ///   `overlap = fall + rise`, where `fall` is the time between the outgoing track's last moment above that level and its
    ///   cue-out, and `rise` is the time from the incoming track's cue-in to its first moment above that level (the MixRamp
    ///   principle, with levels compared after applying the gains).
    /// 4. The overlap is at most half the audible part of either track and at most the user's maximum; longer overlaps are
    ///   shortened by starting later. Tracks with less than 20 s of audible sound do not overlap.
    /// 5. If beats can be aligned, the start moves by at most one beat so that the incoming track's first beat coincides with
    ///   one of the outgoing track's.
    /// 6. If the peaks of both tracks could add up to more than full scale, both are faded just enough to prevent it.
    init(crossfadingFrom from: CrossfadeTrack, to: CrossfadeTrack, options: Options) {
        let outgoingGain = GainRule.gainDB(from.loudness, target: options.targetLUFS)
        let incomingGain = GainRule.gainDB(to.loudness, target: options.targetLUFS)
        fromID = from.id
        toID = to.id
        targetLUFS = options.targetLUFS
        outgoing = Side(
            gainDB: outgoingGain,
            albumGainDB: from.albumLoudness.map { GainRule.gainDB($0, target: options.targetLUFS) })
        incoming = Side(
            gainDB: incomingGain,
            albumGainDB: to.albumLoudness.map { GainRule.gainDB($0, target: options.targetLUFS) })
        key = KeyMatch(from.endKey, to.startKey)
        if let next = to.place, let previous = from.place, next.follows(previous) {
            transition = .gapless
            startSeconds = from.durationSeconds
            endSeconds = from.durationSeconds
            cueInSeconds = 0
            overlapSeconds = 0
            tempo = BeatAlignment(from: from.tempo, to: to.tempo)?.match(shift: 0, overlap: 0)
            reason = "Gapless: the tracks follow each other on the album."
            return
        }
        cueInSeconds = to.cueInSeconds
        endSeconds = from.cueOutSeconds
        let limit = Self.longestOverlap(from, to, options)
        let louder = Self.playedLUFS(to, incomingGain) - Self.playedLUFS(from, outgoingGain)
        var overlap = min(limit, Self.maskedSeconds(from, to, incomingIsLouderByLU: louder))
        if overlap < Self.shortestOverlap { overlap = 0 }
        if let alignment = BeatAlignment(from: from.tempo, to: to.tempo) {
            let pair =
                overlap > 0
                ? alignment.pair(
                    near: from.cueOutSeconds - overlap, cueIn: to.cueInSeconds,
                    within: from.cueOutSeconds - limit...from.cueOutSeconds - Self.shortestOverlap) : nil
            let shift = pair.map { $0.start - (from.cueOutSeconds - overlap) } ?? 0
            overlap -= shift
            tempo = alignment.match(pair, shift: shift, overlap: overlap)
        }
        overlapSeconds = overlap
        startSeconds = from.cueOutSeconds - overlap
        transition = overlap > 0 ? .overlap : .cut
        reason =
            overlap > 0
            ? "Overlap of \(TransitionText.seconds(overlap)): the incoming track rises above the fading end."
            : "No overlap: one track ends as the other begins."
        guard overlap > 0 else { return }
        let guarded = PeakGuard(
            from: from, to: to, outgoingGainDB: outgoingGain, incomingGainDB: incomingGain, overlap: overlap)
        overlapPeakDBTP = guarded.peakDBTP
        outgoing.fade = Fade(
            curve: .none, startSeconds: startSeconds, durationSeconds: overlap, startGain: 1, endGain: 1)
        incoming.fade = Fade(
            curve: .none, startSeconds: cueInSeconds, durationSeconds: overlap, startGain: 1, endGain: 1)
        if guarded.depth > 0 {
            outgoing.fade?.curve = .linear
            outgoing.fade?.endGain = 1 - guarded.depth
            incoming.fade?.curve = .linear
            incoming.fade?.startGain = 1 - guarded.depth
        } else if from.ending == .hard, overlap <= Self.longestHardFade {
            outgoing.fade?.curve = .equalPower
            outgoing.fade?.endGain = 0
        }
    }

    /// Returns the longest overlap permitted by both tracks and the options.
    private static func longestOverlap(
        _ from: CrossfadeTrack, _ to: CrossfadeTrack, _ options: Options
    ) -> Double {
        guard min(from.audibleSeconds, to.audibleSeconds) >= shortestOverlapped, from.loudness != nil,
            to.loudness != nil
        else { return 0 }
        return max(0, min(options.maximumSeconds, from.audibleSeconds / 2, to.audibleSeconds / 2))
    }

    /// Returns the loudness of a track after its gain, in LUFS.
    private static func playedLUFS(_ track: CrossfadeTrack, _ gainDB: Double) -> Double {
        (track.loudness?.integratedLUFS ?? 0) + gainDB
    }

    /// Returns the overlap at which each track is below the masking level, relative to the other, for as long as the other is
    /// above it.
    private static func maskedSeconds(
        _ from: CrossfadeTrack, _ to: CrossfadeTrack, incomingIsLouderByLU louder: Double
    ) -> Double {
        let isQuietEnding = from.ending == .sustained || from.ending == .longTail
        func within(_ level: Double) -> Double {
            min(maskingRange.upperBound, max(maskingRange.lowerBound, level))
        }
        let fall = LevelRamp.end(of: from).seconds(
            belowDB: within((isQuietEnding ? quietEndingLU : maskingLU) + louder))
        let rise = LevelRamp.start(of: to).seconds(belowDB: within(maskingLU - louder))
        return fall + rise
    }
}

/// Derives a gain from loudness and peak.
enum GainRule {
    /// Maximum true peak after the gain in dBTP (EBU R 128 recommends −1).
    static let ceilingDBTP = -1.0

    /// Returns the gain in dB that brings a track to the target loudness without exceeding the ceiling; 0 if its loudness is
    /// unknown.
    static func gainDB(_ loudness: CrossfadeTrack.Loudness?, target: Double) -> Double {
        guard let loudness else { return 0 }
        return min(target - loudness.integratedLUFS, ceilingDBTP - loudness.truePeakDBTP)
    }
}

extension CrossfadePlan.KeyMatch {
    /// Compares two keys; nil if either is unknown.
    init?(_ outgoing: CamelotKey?, _ incoming: CamelotKey?) {
        guard let outgoing, let incoming else { return nil }
        self.outgoing = outgoing.description
        self.incoming = incoming.description
        relation = outgoing.relation(to: incoming)
        steps = outgoing.steps(to: incoming)
        isCompatible = relation != .distant
    }
}
