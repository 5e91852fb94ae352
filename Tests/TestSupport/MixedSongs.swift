import Foundation
public import MusicShared

/// Two songs whose beats and bars are known, and the host's plan to mix them.
public enum MixedSongs {
    /// Samples per second of both songs.
    public static let rate = 44_100
    /// Duration of both songs.
    public static let seconds = 30
    /// Beats per minute of both songs.
    public static let tempi = (170.0, 174.0)
    private static let firstBeats = (0.21, 0.37)

    /// Strokes on the beats, a bass and chords, different on both channels.
    private static func sound(bpm: Double, first: Double, hertz: Double, seed: UInt64) -> IntegerSound {
        var random = SeededGenerator(seed: seed)
        var channels = [[Int32]](repeating: [], count: 2)
        for index in 0..<seconds * rate {
            let time = Double(index) / Double(rate)
            let beat = (time - first) * bpm / 60
            let phase = beat - beat.rounded(.down)
            let noise = Double.random(in: -1...1, using: &random)
            let stroke = beat < 0 ? 0 : exp(-phase * 12)
            let bass = 0.12 * sin(2 * .pi * hertz * time) * (0.6 + 0.4 * stroke)
            for channel in 0..<2 {
                let chord = [4.0, 5, 6 + Double(channel)].map { sin(2 * .pi * hertz * $0 * time) }.reduce(
                    0, +)
                let value = bass + 0.04 * chord * (1 - 0.5 * phase) + 0.08 * stroke * noise
                channels[channel].append(Int32((value * 32_767).rounded()))
            }
        }
        return IntegerSound(sampleRate: rate, channels: channels, bitDepth: 16)
    }

    /// The outgoing song.
    public static let outgoing = sound(bpm: tempi.0, first: firstBeats.0, hertz: 55, seed: 1)
    /// The incoming song.
    public static let incoming = sound(bpm: tempi.1, first: firstBeats.1, hertz: 61.7, seed: 2)

    /// Both songs and a third one that may follow.
    public static func files() throws -> [(name: String, bytes: [UInt8])] {
        try [("mixOut", outgoing), ("mixIn", incoming), ("after", outgoing)].map { name, sound in
            ("\(name).flac", try sound.flac(["-T", "TITLE=\(name)"]))
        }
    }

    /// Returns the properties of both songs, if they had other tempi than they have.
    public static func tracks(tempi: (Double, Double) = tempi) -> (CrossfadeTrack, CrossfadeTrack) {
        func track(_ id: Int, _ bpm: Double, _ first: Double) -> CrossfadeTrack {
            var track = CrossfadeTrack(id: id, durationSeconds: Double(seconds))
            track.cueInSeconds = first
            let beats = Array(stride(from: first, to: Double(seconds) - 0.1, by: 60 / bpm))
            var tempo = CrossfadeTrack.Tempo(bpm: bpm, confidence: 1, beatSeconds: beats)
            tempo.downbeatSeconds = stride(from: 0, to: beats.count, by: 4).map { beats[$0] }
            tempo.barConfidence = 1
            track.tempo = tempo
            track.loudness = .init(integratedLUFS: -18, truePeakDBTP: -9)
            return track
        }
        return (track(1, tempi.0, firstBeats.0), track(2, tempi.1, firstBeats.1))
    }

    /// Returns the plan of 16 beats, with gains of 0 dB, as players have them without normalization.
    public static func plan(tempi: (Double, Double) = tempi) -> CrossfadePlan {
        let (from, to) = tracks(tempi: tempi)
        var plan = CrossfadePlan(from: from, to: to, options: .init(mode: .mix))
        plan.outgoing.gainDB = 0
        plan.incoming.gainDB = 0
        return plan
    }

    /// Returns the host's rendering of a plan, one array per channel.
    public static func rendered(_ plan: CrossfadePlan, leadSeconds: Double, tailSeconds: Double) -> [[Float]]
    {
        func interleaved(_ sound: IntegerSound) -> [Float] {
            (0..<sound.frameCount).flatMap { index in sound.channels.map { Float($0[index]) / 32_768 } }
        }
        let samples = MixRenderer(plan: plan, sampleRate: rate, channelCount: 2).render(
            outgoing: .init(startSeconds: 0, samples: interleaved(outgoing)),
            incoming: .init(startSeconds: 0, samples: interleaved(incoming)),
            leadSeconds: leadSeconds, tailSeconds: tailSeconds)
        return (0..<2).map { channel in stride(from: channel, to: samples.count, by: 2).map { samples[$0] } }
    }
}
