import Foundation
import TestSupport

@testable import MusicShared

/// A song of drums, bass and chords whose beats, bars and phrases are known exactly. Mono, 48 kHz.
struct SyntheticSong {
    static let sampleRate = 48_000

    var bpm: Double
    var beatsPerBar = 4
    /// Position of the root on the Camelot wheel.
    var key = CamelotKey(number: 8, isMajor: false)
    var seconds = 60.0
    /// Time of the first beat in seconds, a start of a bar.
    var firstBeat = 0.2
    var seed: UInt64 = 1
    /// Whether there are drums; without them all onsets are soft, and the sound has nothing above 2 kHz.
    var hasDrums = true

    var beats: [Double] { Array(stride(from: firstBeat, to: seconds - 0.1, by: 60 / bpm)) }

    var downbeats: [Double] { stride(from: 0, to: beats.count, by: beatsPerBar).map { beats[$0] } }

    /// Phrases of eight bars.
    var phrases: [Double] { stride(from: 0, to: downbeats.count, by: 8).map { downbeats[$0] } }

    /// The track as an analysis without errors has it.
    func track(id: Int, samples: [Float]) -> CrossfadeTrack {
        var track = CrossfadeTrack(id: id, durationSeconds: seconds)
        track.cueInSeconds = firstBeat
        var tempo = CrossfadeTrack.Tempo(bpm: bpm, confidence: 1, beatSeconds: beats)
        tempo.downbeatSeconds = downbeats
        tempo.barConfidence = 1
        track.tempo = tempo
        track.startKey = key
        track.endKey = track.startKey
        track.phrases = phrases.map { .init(seconds: $0, confidence: 0.9) }
        let peak = samples.map(abs).max() ?? 1
        track.loudness = .init(
            integratedLUFS: MixMeter.loudness(samples), truePeakDBTP: 20 * log10(Double(peak)) + 0.3)
        return track
    }

    /// Renders the song.
    func samples() -> [Float] {
        var output = [Float](repeating: 0, count: Int(seconds * Double(Self.sampleRate)))
        var random = SeededGenerator(seed: seed)
        // A fifth up on the wheel is seven semitones; 8A is A minor, 8B is C major.
        let fifths = Double(key.number - 8) * 7 + (key.isMajor ? 3 : 0)
        let root = 55 * exp2(fifths.truncatingRemainder(dividingBy: 12) / 12)
        let third = key.isMajor ? 4.0 : 3.0
        let beat = 60 / bpm
        for (index, start) in beats.enumerated() {
            let isDownbeat = index % beatsPerBar == 0
            if hasDrums {
                add(&output, at: start, seconds: 0.2, Self.kick)
                for half in [0.0, beat / 2] {
                    add(&output, at: start + half, seconds: 0.05) { (time: Double) -> Double in
                        let noise = Double.random(in: -1...1, using: &random)
                        return 0.12 * exp(-time * 90.0) * noise
                    }
                }
            }
            let bass: Double = isDownbeat ? root : root * exp2(7.0 / 12.0)
            add(&output, at: start, seconds: beat) { (time: Double) -> Double in
                0.2 * Self.soft(time, beat) * Self.sine(bass, time)
            }
            for note in [0.0, third, 7.0, 12.0] {
                let hertz: Double = 4.0 * root * exp2(note / 12.0)
                add(&output, at: start, seconds: beat) { (time: Double) -> Double in
                    let tone = Self.sine(hertz, time) + 0.5 * Self.sine(2 * hertz, time)
                    return 0.05 * Self.soft(time, beat) * tone
                }
            }
        }
        return output
    }

    private static func sine(_ hertz: Double, _ time: Double) -> Double { sin(2 * Double.pi * hertz * time) }

    private static func kick(_ time: Double) -> Double {
        let turns: Double = 50.0 * time + 3.0 * (1.0 - exp(-time * 40.0))
        return 0.5 * exp(-time * 18.0) * sin(2 * Double.pi * turns)
    }

    /// An envelope that rises and falls within 20 ms like a raised cosine.
    private static func soft(_ time: Double, _ length: Double) -> Double {
        let edge = min(1, min(time, length - time) / 0.02)
        return 0.5 - 0.5 * cos(.pi * max(0, edge))
    }

    private func add(_ output: inout [Float], at start: Double, seconds: Double, _ value: (Double) -> Double)
    {
        let rate = Double(Self.sampleRate)
        let first = Int((start * rate).rounded())
        for index in 0..<Int(seconds * rate) where first + index < output.count {
            output[first + index] += Float(value(Double(index) / rate))
        }
    }
}
