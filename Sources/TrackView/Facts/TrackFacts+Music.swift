internal import MusicalStructure
internal import Analyzer
internal import LibraryStore
internal import MusicShared

extension TrackFacts {
    /// Loudness and peaks.
    var loudnessFacts: [Fact] {
        guard let loudness = analysis?.profile?.loudness else { return [] }
        return TrackField.loudness.compactMap { field in
            guard let label = field.label, case .number(let unit, _, _) = field.kind else { return nil }
            var number: Double?
            if case .number(let value)? = field.value(analysed) { number = value }
            return Fact(
                label,
                NumberText.fixed(number, 2, unit: unit.rawValue, signed: field.key == "replay_gain_db"),
                note: Self.note(on: field.key, loudness))
        }
    }

    /// An addition to the number of a level.
    private static func note(on key: String, _ loudness: LoudnessMeasurement) -> String? {
        switch key {
        case "integrated_lufs": loudness.integratedLUFS == nil ? "nothing above -70 LUFS" : nil
        case "max_momentary_lufs": "400 ms"
        case "max_short_term_lufs": "3 s"
        case "true_peak_dbtp": loudness.truePeak > 1 ? "over full scale" : nil
        case "replay_gain_db": loudness.replayGainDB == nil ? nil : "to -18 LUFS"
        default: nil
        }
    }

    /// Silence, cue points and fades.
    var cueFacts: [Fact] {
        guard let profile = analysis?.profile, let duration = analysis?.stream.durationSeconds else {
            return []
        }
        let cue = profile.cue
        func time(_ label: String, _ seconds: Double, confidence: Double? = nil) -> Fact {
            Fact(
                label, NumberText.clock(seconds),
                note: confidence.map { "confidence \(NumberText.percent($0))" })
        }
        var facts = [
            time("cue-in", cue.cueInSeconds, confidence: cue.cueInConfidence),
            time("fade-in end", cue.fadeInEndSeconds), time("fade-out start", cue.fadeOutStartSeconds),
            time("start next", cue.startNextSeconds, confidence: cue.startNextConfidence),
            time("cue-out", cue.cueOutSeconds, confidence: cue.cueOutConfidence),
            Fact("ending", Self.text(cue.ending)),
        ]
        if profile.silence.isSilent {
            facts.append(Fact("silence", "throughout"))
        } else {
            let leading = NumberText.fixed(profile.silence.leadingEndSeconds, 3, unit: "s")
            let trailing = NumberText.fixed(duration - profile.silence.trailingStartSeconds, 3, unit: "s")
            facts.append(Fact("silence", "\(leading) before · \(trailing) after"))
        }
        if let inner = cue.innerSilence {
            let length = NumberText.fixed(inner.endSeconds - inner.startSeconds, 1, unit: "s")
            facts.append(
                Fact(
                    "inner silence",
                    "\(NumberText.clock(inner.startSeconds)) – \(NumberText.clock(inner.endSeconds))",
                    note: length))
            facts.append(time("hidden track", inner.endSeconds))
        }
        if let text = Self.text(cue.startRamp) { facts.append(Fact("start ramp", text)) }
        if let text = Self.text(cue.endRamp) { facts.append(Fact("end ramp", text)) }
        return facts
    }

    /// Tempo, key and sound.
    var musicFacts: [Fact] {
        guard let profile = analysis?.profile else { return [] }
        var facts: [Fact] = []
        if let tempo = profile.tempo {
            facts.append(
                Fact(
                    "tempo", NumberText.fixed(tempo.bpm, 2, unit: "BPM"),
                    note: "confidence \(NumberText.percent(tempo.confidence))"))
            facts.append(
                Fact(
                    "first beat", NumberText.clock(tempo.firstBeatSeconds),
                    note: "\(NumberText.grouped(tempo.beatSeconds.count)) beats"
                        + (tempo.beatConfidence.map { ", confidence \(NumberText.percent($0))" } ?? "")))
            if let beats = tempo.beatsPerBar, let first = tempo.downbeatSeconds.first {
                facts.append(
                    Fact(
                        "metre", "\(beats) beats to the bar",
                        note: "first bar at \(NumberText.clock(first))"
                            + (tempo.barConfidence.map { ", confidence \(NumberText.percent($0))" } ?? "")))
            }
        } else {
            facts.append(Fact("tempo", "no steady pulse"))
        }
        if let fact = phraseFact { facts.append(fact) }
        if let key = Self.key(profile) {
            facts.append(
                Fact(
                    "key", Self.text(key),
                    note: "Camelot \(key.camelot), confidence \(NumberText.percent(key.confidence))")
            )
            if let cents = key.tuningCents {
                facts.append(Fact("tuning", NumberText.fixed(cents, 0, unit: "cents", signed: true)))
            }
        } else {
            facts.append(Fact("key", "none found"))
        }
        if let fact = keySectionFact { facts.append(fact) }
        return facts + soundFacts
    }

    /// The starts of phrases that are more likely than not.
    private var phraseFact: Fact? {
        guard let phrases = analysis?.profile?.phrases else { return nil }
        let likely = phrases.filter { $0.confidence >= 0.5 }
        guard !likely.isEmpty else { return Fact("phrases", "none found") }
        return Fact(
            "phrases", likely.map { NumberText.clock($0.seconds, decimals: 0) }.joined(separator: " · "))
    }

    /// The keys of the parts of a track that changes its key.
    private var keySectionFact: Fact? {
        guard let sections = analysis?.profile?.keySections, !sections.isEmpty else { return nil }
        let parts = sections.map {
            "\(NumberText.clock($0.seconds, decimals: 0)) \(Self.text($0.key))".replacing(" ", with: "\u{A0}")
        }
        return Fact("key changes", parts.joined(separator: " · "))
    }

    /// Energy, danceability and brightness.
    private var soundFacts: [Fact] {
        TrackField.sound.compactMap { field in
            guard let label = field.label, case .number(let unit, _, _) = field.kind,
                case .number(let value)? = field.value(analysed)
            else { return nil }
            return Fact(
                label,
                unit == .share ? NumberText.percent(value) : NumberText.fixed(value, 0, unit: unit.rawValue))
        }
    }

    /// The key; nil also for an invalid one in a damaged database.
    static func key(_ profile: TrackProfile) -> MusicalKey? {
        profile.key.flatMap { (0...11).contains($0.tonic) ? $0 : nil }
    }

    /// A key's name with the proper accidental, as "F♯ minor".
    static func text(_ key: MusicalKey) -> String { key.name.replacing("#", with: "♯") }

    /// A class of ending in words.
    static func text(_ ending: CuePoints.Ending) -> String {
        switch ending {
        case .hard: "hard"
        case .fade: "fade-out"
        case .sustained: "sustained"
        case .longTail: "long tail"
        }
    }

    /// A ramp: the times at which the levels are reached; levels reached at the same time are listed once. No line
    /// breaks within a point.
    private static func text(_ ramp: [CuePoints.RampPoint]) -> String? {
        var parts: [String] = []
        var lastTime: String?
        for point in ramp.sorted(by: { ($0.seconds, -$0.levelDB) < ($1.seconds, -$1.levelDB) }) {
            let time = NumberText.fixed(point.seconds, 2, unit: "s")
            if time != lastTime {
                parts.append(
                    "\(NumberText.fixed(point.levelDB, 0, unit: "dB")) \(time)".replacing(" ", with: "\u{A0}")
                )
            }
            lastTime = time
        }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }
}
