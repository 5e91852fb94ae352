import Foundation

@testable import Analyzer
@testable import MusicalStructure

/// A synthesised song of known sections: a drum on each beat, a bass drum on each downbeat; chords, bass, hi-hat and level depend on the
/// section.
struct SectionedSignal {
    /// A kind of section.
    struct Section {
        /// Bars.
        var length: Int
        /// Frequencies of the chords in Hz, one chord per bar, repeated.
        var chords: [[Double]]
        var hasHat = false
        /// Frequency in Hz of a bass on each beat.
        var bass: Double?
        var level: Float = 1
    }

    private(set) var signal: TempoSignal
    /// Times of the starts of all sections but the first.
    private(set) var boundaries: [Double] = []

    init(bpm: Double, beatsPerBar: Int, sections: [Section], firstBeat: Double = 0.3) {
        let bars = sections.reduce(0) { $0 + $1.length }
        let beat = 60 / bpm
        signal = TempoSignal(seconds: firstBeat + Double(bars * beatsPerBar) * beat + 0.5)
        var time = firstBeat
        for section in sections {
            if time > firstBeat { boundaries.append(time) }
            for bar in 0..<section.length {
                addBar(section, bar, at: time, beat: beat, beatsPerBar: beatsPerBar)
                time += Double(beatsPerBar) * beat
            }
        }
    }

    private mutating func addBar(
        _ section: Section, _ bar: Int, at time: Double, beat: Double, beatsPerBar: Int
    ) {
        for number in 0..<beatsPerBar {
            let start = time + Double(number) * beat
            if number == 0 {
                signal.addTone(
                    at: start, frequency: 60, amplitude: 0.6 * section.level, decaySeconds: 0.08)
            } else {
                signal.addTone(
                    at: start, frequency: 190, amplitude: 0.25 * section.level, decaySeconds: 0.04)
                signal.addHat(at: start, amplitude: 0.1 * section.level, decaySeconds: 0.03)
            }
            if let bass = section.bass {
                signal.addTone(
                    at: start, frequency: bass, amplitude: 0.2 * section.level, decaySeconds: beat / 2)
            }
            if section.hasHat {
                for part in 0..<2 {
                    signal.addHat(at: start + Double(part) * beat / 2, amplitude: 0.15 * section.level)
                }
            }
        }
        for frequency in section.chords[bar % section.chords.count] {
            signal.addTone(
                at: time, frequency: frequency, amplitude: 0.08 * section.level,
                decaySeconds: Double(beatsPerBar) * beat / 3)
        }
    }

    /// The pitch classes of the signal over time.
    func chroma() -> ChromaCurve {
        let detector = KeyDetector(sampleRate: TempoSignal.sampleRate)
        signal.samples.withUnsafeBufferPointer { detector.consume($0) }
        return detector.chroma
    }
}
