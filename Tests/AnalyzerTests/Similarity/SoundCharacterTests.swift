import Foundation
import TestSupport
import Testing

@testable import Analyzer

/// Energy, danceability and brightness of signals for which they are known.
@Suite("Sound character") struct SoundCharacterTests {
    private func character(_ signal: Signal) -> SoundCharacter {
        let analyzer = SpectrumAnalyzer(sampleRate: signal.sampleRate, framesPerSecond: 30)
        let bands = BandLevels(
            layout: BandLayout(), sampleRate: signal.sampleRate, fftSize: analyzer.fftSize)
        var features = SonicFeatures()
        func take(_ power: UnsafeBufferPointer<Float>) {
            var row: [UInt8] = []
            bands.append(power: power, to: &row)
            row.withUnsafeBufferPointer { features.consume($0) }
        }
        signal.samples.withUnsafeBufferPointer { analyzer.consume($0) { take($1) } }
        analyzer.finish { take($1) }
        return SoundCharacter(features)
    }

    @Test(
        "The brightness of a sine is its frequency",
        arguments: [440.0, 1000, 2500, 8000], [22_050.0, 44_100, 48_000])
    func sines(_ hertz: Double, _ rate: Double) throws {
        guard hertz < rate / 2.5 else { return }
        let brightness = try #require(
            character(Signal(sampleRate: rate).sine(hertz, peakDB: -12, 3)).brightnessHz)
        // A band is 14 % wide.
        #expect(abs(log2(brightness / hertz)) < log2(1.07), "\(brightness)")
    }

    @Test("The brightness of two equal sines is their geometric mean, at any level")
    func twoSines() throws {
        for level in [-6.0, -30] {
            let amplitude = pow(10, level / 20) / 2
            let both = Signal(sampleRate: 44_100).appending(3) {
                let time = Double($0) / 44_100
                return amplitude * (sin(2 * .pi * 1000 * time) + sin(2 * .pi * 4000 * time))
            }
            let brightness = try #require(character(both).brightnessHz)
            // The lower sine leaks into more bands, which are narrower there.
            #expect(brightness > 1300 && brightness < 2140, "\(brightness)")
        }
    }

    @Test("Energy follows from the rises of the levels: bursts of 40 dB")
    func bursts() throws {
        // Every band rises by 40 dB once in a number of rows; quieter rows are no silence.
        for period in [5, 10, 30] {
            var rows = SonicRows()
            for _ in 0..<(6_000 / period) { rows = rows.level(230, 1).level(100, period - 1) }
            let perSecond = 40 * 30 / Double(period)
            let expected = 1 - pow(2, -perSecond / SoundCharacter.averageActivity)
            // The first burst is no rise, one of 200 or more.
            #expect(abs(try #require(rows.character.energy) - expected) < 0.01)
        }
    }

    @Test("A held tone has no energy, noise has more than a slow beat")
    func ordered() throws {
        let held = try #require(
            character(Signal(sampleRate: 44_100).sine(441, peakDB: -12, 10)).energy)
        let slow = Signal(sampleRate: 44_100).sine(441, peakDB: -12, 10)
            .shaped { 0.1 + exp(-4 * $0.truncatingRemainder(dividingBy: 1)) }
        let beaten = try #require(character(slow).energy)
        let noise = try #require(character(Signal(sampleRate: 44_100).noise(peakDB: -12, 10)).energy)
        #expect(held < 0.1 && held < beaten && beaten < noise, "\(held) \(beaten) \(noise)")
    }

    @Test("A steady pulse is danceable, whatever its tempo", arguments: [9, 12, 15, 20, 27])
    func pulses(_ period: Int) throws {
        var rows = SonicRows()
        for _ in 0..<(900 / period) { rows = rows.level(230, 1).level(120, period - 1) }
        #expect(try #require(rows.character.danceability) > 0.97)
    }

    @Test("Onsets without a pulse are not danceable")
    func irregular() throws {
        var random = SeededGenerator(seed: 3)
        var rows = SonicRows()
        for _ in 0..<120 { rows = rows.level(230, 1).level(120, Int.random(in: 3...30, using: &random)) }
        #expect(try #require(rows.character.danceability) < 0.2)
    }

    @Test("A held chord and less than 9 s have no danceability")
    func none() {
        #expect(SonicRows().level(200, 900).character.danceability == nil)
        #expect(SonicRows().level(200, 100).level(150, 155).character.danceability == nil)
    }
}
