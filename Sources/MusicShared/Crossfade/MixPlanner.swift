internal import Foundation

/// Chooses where and how long two tracks are mixed in time with the beat.
///
/// The numbers of the rules are those of `docs/transitions.md`.
struct MixPlanner {
    /// Largest change of speed.
    static let longestStretch = 0.05
    /// Level below its own loudness at which a track counts as faded, in LU.
    static let fadedLU = -3.0
    /// Longest fade-in or fade-out, in seconds, that a mix may skip; longer ones are part of the music.
    static let longestSkippedFade = 8.0
    /// Level below its own loudness, in LU, at which a soft first or last section is mixed.
    static let softLU = -6.0
    /// Longest way to ``softLU`` in seconds. A fade that gets there as fast is shorter than ``longestSkippedFade``, so what follows is
    /// a section, not a fade.
    static let longestWayToSoft = 3.0
    /// Most beats that are left out at the end of the outgoing track.
    static let mostSkippedBeats = 32.0
    /// Largest share of the audible part that is left out at the end of the outgoing track.
    static let largestSkippedShare = 0.1
    /// How many beats earlier the end of a mix may be so that it starts at a phrase.
    private static let phraseWorth = 24.0
    /// Largest distance of beats that should coincide, in seconds. Two strokes closer than about 20 ms are heard as one.
    static let largestOffset = 0.02
    /// Beats of a mix of tracks whose levels differ by more than ``levelStep``, or whose keys are distant.
    private static let shortBeats = 8
    /// Beats of a mix without known phrases at both ends.
    private static let plainBeats = 16
    /// Difference in level, in LU, above which the mix is short.
    private static let levelStep = 4.0

    /// Why two tracks cannot be mixed, as a clause for people.
    struct Refusal: Error { let text: String }

    /// A mix.
    struct Choice {
        /// Positions in the outgoing track.
        let start: Double
        let end: Double
        /// Positions in the incoming track.
        let entry: Double
        let incomingEnd: Double
        /// End of the return to the incoming track's own speed.
        let returnEnd: Double
        let beats: Int
        let beatsPerBar: Int
        let ratio: Double
        let offset: Double
        let leavesAtPhrase: Bool
        let hasCertainBars: Bool
        /// The beats of the outgoing track in the mix, including the one at its end.
        let outgoingBeats: ArraySlice<Double>
    }

    private let from: CrossfadeTrack
    private let to: CrossfadeTrack
    private let outgoing: MixGrid
    private let incoming: MixGrid
    /// Incoming beats for each outgoing one.
    private let multiple: Double
    private let maximumBeats: Int
    /// Difference in level of the tracks as played, in LU.
    private let levelDifference: Double

    /// Checks what does not depend on the place of the mix (rules 3, 4 and 9).
    init(
        from: CrossfadeTrack, to: CrossfadeTrack, plan: CrossfadePlan, maximumBeats: Int
    ) throws(Refusal) {
        guard min(from.audibleSeconds, to.audibleSeconds) >= CrossfadePlan.shortestOverlapped else {
            throw Refusal(text: "a track is shorter than 20 s")
        }
        guard let loudness = from.loudness, let nextLoudness = to.loudness else {
            throw Refusal(text: "the loudness of a track is unknown")
        }
        guard from.ending != .sustained, from.ending != .longTail else {
            throw Refusal(text: "the outgoing track has a quiet ending")
        }
        let grids = try Self.grids(from, to)
        (outgoing, incoming) = grids
        guard let match = BeatAlignment(from: from.tempo, to: to.tempo)?.match(shift: 0, overlap: 0),
            abs(match.ratio - 1) <= Self.longestStretch + 0.005
        else { throw Refusal(text: "the tempi differ too much") }
        self.from = from
        self.to = to
        multiple = match.multiple
        self.maximumBeats = maximumBeats
        levelDifference = abs(
            loudness.integratedLUFS + plan.outgoing.gainDB - nextLoudness.integratedLUFS
                - plan.incoming.gainDB)
    }

    /// Returns the grids of both tracks if their tempo and beats are more probably right than not.
    private static func grids(
        _ from: CrossfadeTrack, _ to: CrossfadeTrack
    ) throws(Refusal) -> (MixGrid, MixGrid) {
        guard let one = from.tempo, let next = to.tempo,
            min(one.confidence, next.confidence) >= BeatAlignment.leastConfidence,
            min(one.beatConfidence, next.beatConfidence) >= BeatAlignment.leastBeatConfidence
        else { throw Refusal(text: "the beats of a track are not certain") }
        guard let outgoing = MixGrid(one, phrases: from.phrases),
            let incoming = MixGrid(next, phrases: to.phrases)
        else { throw Refusal(text: "the bars of a track are not known") }
        return (outgoing, incoming)
    }

    /// Chooses the longest mix that all rules permit (rules 4 and 6 to 11).
    func choose() throws(Refusal) -> Choice {
        guard let fall = Self.skippedSeconds(of: .end(of: from)) else {
            throw Refusal(text: "the outgoing track is quiet for a long time before its end")
        }
        guard let rise = Self.skippedSeconds(of: .start(of: to)) else {
            throw Refusal(text: "the incoming track is quiet for a long time at its start")
        }
        let first = to.cueInSeconds + rise - MixGrid.sameBeat
        guard let entry = incoming.downbeats.first(where: { incoming.beats[$0] >= first }),
            incoming.beats[entry] - to.cueInSeconds <= Self.longestSkippedFade * 2
        else { throw Refusal(text: "the incoming track has no start of a bar near its beginning") }
        for beats in lengths(entry: entry) {
            if let choice = best(beats: beats, entry: entry, latestEnd: from.cueOutSeconds - fall) {
                return choice
            }
        }
        throw Refusal(text: "no bars near the end of the outgoing track keep in time with the incoming one")
    }

    /// Returns how much of a track's start or end a mix leaves out because it is faded; nil if that is too much.
    private static func skippedSeconds(of ramp: LevelRamp) -> Double? {
        let faded = ramp.seconds(belowDB: fadedLU)
        if faded <= longestSkippedFade { return faded }
        let soft = ramp.seconds(belowDB: softLU)
        return soft <= longestWayToSoft ? soft : nil
    }

    /// Returns the permitted lengths in beats of the outgoing track, longest first: whole bars, doubled.
    private func lengths(entry: Int) -> [Int] {
        let bar = outgoing.beatsPerBar
        // One bar of the longer metre is the most that bars of different lengths can share.
        let bars = barsFit ? [16, 8, 4, 2, 1] : [1]
        let lengths = bars.map { $0 * bar }
            .filter { $0 <= maximumBeats && CrossfadePlan.Options.beatRange.contains($0) }
        let room = beatsToPhrase(after: entry)
        let wanted =
            isContrast || !hasCertainBars
            ? Self.shortBeats : room == nil || !hasLatePhrase ? Self.plainBeats : Int.max
        let cap = min(wanted, room ?? .max)
        let fitting = lengths.filter { $0 <= cap }
        return fitting.isEmpty ? lengths.suffix(1) : fitting
    }

    /// Whether bars that start together start together again.
    private var barsFit: Bool {
        let (one, next) = (Double(outgoing.beatsPerBar) * multiple, Double(incoming.beatsPerBar))
        return one.truncatingRemainder(dividingBy: next) == 0
            || next.truncatingRemainder(dividingBy: one) == 0
    }

    /// Whether the starts of bars of both tracks are more probably right than not.
    private var hasCertainBars: Bool {
        [from, to].allSatisfy { ($0.tempo?.barConfidence ?? 0) >= BeatAlignment.leastBarConfidence }
    }

    private var isContrast: Bool {
        if levelDifference > Self.levelStep { return true }
        guard let one = from.endKey, let next = to.startKey else { return false }
        return one.relation(to: next) == .distant
    }

    /// Whether a phrase starts in the last minute of the outgoing track.
    private var hasLatePhrase: Bool {
        outgoing.phrases.contains { outgoing.beats[$0] >= from.cueOutSeconds - 60 }
    }

    /// Outgoing beats from the entry to the next phrase of the incoming track; nil if none is known.
    private func beatsToPhrase(after entry: Int) -> Int? {
        incoming.phrases.filter { $0 > entry + 1 }.min().map { max(2, Int(Double($0 - entry) / multiple)) }
    }

    /// Returns the best mix of a length: it ends as late as possible, but rather starts at a phrase.
    private func best(beats: Int, entry: Int, latestEnd: Double) -> Choice? {
        let period = 60 / (from.tempo?.bpm ?? 120)
        let mostSkipped = min(Self.mostSkippedBeats * period, Self.largestSkippedShare * from.audibleSeconds)
        let candidates = outgoing.downbeats.reversed().lazy
            .compactMap { start -> (start: Int, cost: Double)? in
                guard start + beats < outgoing.beats.count, outgoing.beats[start] >= from.cueInSeconds else {
                    return nil
                }
                let skipped = latestEnd - outgoing.beats[start + beats]
                guard skipped >= -MixGrid.sameBeat, skipped <= mostSkipped else { return nil }
                return (start, skipped / period - (outgoing.phrases.contains(start) ? Self.phraseWorth : 0))
            }
            .sorted { $0.cost < $1.cost }
        for candidate in candidates {
            if let choice = choice(start: candidate.start, beats: beats, entry: entry) { return choice }
        }
        return nil
    }

    /// Returns the mix at a place; nil if its beats do not keep together.
    private func choice(start: Int, beats: Int, entry: Int) -> Choice? {
        let span = Double(beats) * multiple
        let end = entry + Int(span)
        guard span == span.rounded(), span >= 1, end < incoming.beats.count else { return nil }
        let (out, into) = (outgoing.line(through: start...start + beats), incoming.line(through: entry...end))
        let (a, b) = (max(0, out.start), min(out.end, from.durationSeconds))
        let (c, d) = (max(0, into.start), into.end)
        guard b > a, d > c, b - a <= from.audibleSeconds / 2, d - c <= to.audibleSeconds / 2 else {
            return nil
        }
        let ratio = (d - c) / (b - a)
        guard abs(ratio - 1) <= Self.longestStretch else { return nil }
        // Outgoing and incoming beats that coincide: every one of the sparser track.
        let step = multiple < 1 ? Int(1 / multiple) : 1
        let offset = stride(from: 0, through: beats, by: step).map { beat in
            abs(
                (incoming.beats[entry + Int(Double(beat) * multiple)] - c) / ratio
                    - (outgoing.beats[start + beat] - a))
        }.max()
        guard let offset, offset <= Self.largestOffset else { return nil }
        return Choice(
            start: a, end: b, entry: c, incomingEnd: d, returnEnd: returnEnd(after: end, beats: Int(span)),
            beats: beats, beatsPerBar: outgoing.beatsPerBar, ratio: ratio, offset: offset,
            leavesAtPhrase: outgoing.phrases.contains(start), hasCertainBars: hasCertainBars,
            outgoingBeats: outgoing.beats[start...start + beats])
    }

    /// Returns where the incoming track has its own speed again: at the next start of a phrase that is at least four beats away, or
    /// after as many beats as the mix has, but no more than 32.
    private func returnEnd(after end: Int, beats: Int) -> Double {
        let farthest = min(incoming.beats.count - 1, end + 32)
        let phrase = incoming.phrases.filter { $0 >= end + 4 && $0 <= farthest }.min()
        return min(incoming.beats[phrase ?? min(farthest, end + max(4, beats))], to.cueOutSeconds)
    }
}
