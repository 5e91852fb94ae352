internal import MusicalStructure
internal import Analyzer
internal import Companion
internal import LibraryStore
internal import Tagging

extension TrackFacts {
    /// The most important numbers.
    var headlines: [Fact] {
        guard let analysis else { return [] }
        let stream = analysis.stream
        var facts = [Fact("duration", NumberText.clock(stream.durationSeconds, decimals: 1))]
        if let profile = analysis.profile {
            facts.append(
                Fact("integrated", NumberText.fixed(profile.loudness.integratedLUFS, 1, unit: "LUFS")))
            facts.append(Fact("range", NumberText.fixed(profile.loudness.loudnessRangeLU, 1, unit: "LU")))
            facts.append(Fact("true peak", NumberText.fixed(profile.loudness.truePeakDBTP, 1, unit: "dBTP")))
            if let tempo = profile.tempo {
                facts.append(Fact("tempo", NumberText.fixed(tempo.bpm, 1, unit: "BPM")))
            }
            if let key = Self.key(profile) {
                facts.append(Fact("key", "\(Self.text(key)) (\(key.camelot))"))
            }
            facts.append(Fact("ending", Self.text(profile.cue.ending) + " ending"))
        }
        return facts
    }
}

extension TrackFacts {
    /// All key numbers of a picture, in a fixed order.
    var tiles: [Fact] {
        guard let analysis else { return [] }
        let stream = analysis.stream
        var facts = [Fact("duration", NumberText.clock(stream.durationSeconds))]
        if let profile = analysis.profile {
            let loudness = profile.loudness
            facts += [
                Fact("integrated", NumberText.fixed(loudness.integratedLUFS, 1, unit: "LUFS")),
                Fact("loudness range", NumberText.fixed(loudness.loudnessRangeLU, 1, unit: "LU")),
                Fact("true peak", NumberText.fixed(loudness.truePeakDBTP, 1, unit: "dBTP")),
                Fact("ReplayGain", NumberText.fixed(loudness.replayGainDB, 1, unit: "dB", signed: true)),
                Fact("tempo", profile.tempo.map { NumberText.fixed($0.bpm, 1, unit: "BPM") } ?? "–"),
                Fact(
                    Self.key(profile).map { "key · \($0.camelot)" } ?? "key",
                    Self.key(profile).map(Self.text) ?? "–"),
                Fact("ending", Self.text(profile.cue.ending)),
            ]
        }
        let hertz = NumberText.fixed(Double(stream.sampleRateHz) / 1000, 1, unit: "kHz")
        facts.append(
            Fact(
                "\(hertz) · \(stream.bitRateMode)",
                NumberText.fixed(Double(stream.averageBitRate) / 1000, 0, unit: "kbit/s")))
        return facts
    }

    /// The identity of this analysis: the audio's hash and the analyzer's version.
    var identity: String {
        let version = analysis.map { "  ·  analyzer version \($0.version)" } ?? ""
        return "audio \(track.audioHash)\(version)"
    }
}
