extension CrossfadePlan {
    /// Level in LU relative to the other track below which a track goes unheard beside it: where the main part of a track
    /// is over for Liquidsoap's autocue too.
    static let maskingLU = -8.0
    /// The same for endings whose quiet sound is meant to be heard: a held chord, a long tail.
    static let quietEndingLU = -20.0
    /// Bounds of the masking level once it is corrected for tracks of unlike loudness, in LU.
    static let maskingRange = -30.0 ... -3.0
    /// A track of which less is heard, in seconds, is played alone.
    static let shortestOverlapped = 20.0
    /// An overlap that is shorter, in seconds, is none.
    static let shortestOverlap = 0.02
    /// A hard ending is faded where the overlap is no longer than this many seconds.
    static let longestHardFade = 1.0

    /// Plans how one track goes over into another.
    ///
    /// 1. Each track's gain is `min(target − loudness, −1 dBTP − true peak)`: of the track alone, whatever its neighbour.
    /// 2. A track that follows on its album starts where the other's file ends: `gapless`.
    /// 3. Otherwise the incoming track starts so that it comes up through the masking level at the moment at which the
    ///    outgoing one sinks below it: `overlap = fall + rise`, where `fall` is how long before its cue-out the outgoing
    ///    track is last above that level, and `rise` how long after its cue-in the incoming one first is (the principle of
    ///    MixRamp, with levels compared after the gains).
    /// 4. The overlap is at most half of what is heard of either track, and at most what the listener allows: a longer one
    ///    is made shorter by starting later. Tracks of which under 20 s are heard do not overlap.
    /// 5. Where beats can align, the start moves by no more than a beat so that the incoming track's first beat falls on one
    ///    of the outgoing.
    /// 6. Where the peaks of both might add up to more than full scale, both are faded just as far as it takes.
    public init(from: CrossfadeTrack, to: CrossfadeTrack, options: Options = Options()) {
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
        key = KeyMatch(from.key, to.key)
        if let next = to.place, let previous = from.place, next.follows(previous) {
            transition = .gapless
            startSeconds = from.durationSeconds
            endSeconds = from.durationSeconds
            cueInSeconds = 0
            overlapSeconds = 0
            tempo = BeatAlignment(from: from.tempo, to: to.tempo)?.match(shift: 0, overlap: 0)
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

    /// The longest overlap that both tracks and the listener allow.
    private static func longestOverlap(
        _ from: CrossfadeTrack, _ to: CrossfadeTrack, _ options: Options
    ) -> Double {
        guard min(from.audibleSeconds, to.audibleSeconds) >= shortestOverlapped, from.loudness != nil,
            to.loudness != nil
        else { return 0 }
        return max(0, min(options.maximumSeconds, from.audibleSeconds / 2, to.audibleSeconds / 2))
    }

    /// Loudness at which a track is heard.
    private static func playedLUFS(_ track: CrossfadeTrack, _ gainDB: Double) -> Double {
        (track.loudness?.integratedLUFS ?? 0) + gainDB
    }

    /// How long both tracks play if each is below the masking level, relative to the other, for as long as the other is
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

/// How a gain follows from loudness and peak.
enum GainRule {
    /// The highest true peak that a track is brought to, in dBTP (EBU R 128 asks for it).
    static let ceilingDBTP = -1.0

    /// The gain in dB that brings a track to a loudness without going over the ceiling; 0 where its loudness is not known.
    static func gainDB(_ loudness: CrossfadeTrack.Loudness?, target: Double) -> Double {
        guard let loudness else { return 0 }
        return min(target - loudness.integratedLUFS, ceilingDBTP - loudness.truePeakDBTP)
    }
}

extension CrossfadePlan.KeyMatch {
    fileprivate init?(_ outgoing: CamelotKey?, _ incoming: CamelotKey?) {
        guard let outgoing, let incoming else { return nil }
        self.outgoing = outgoing.description
        self.incoming = incoming.description
        relation = outgoing.relation(to: incoming)
        steps = outgoing.steps(to: incoming)
        isCompatible = relation != .distant
    }
}
