import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite("Spectrum and visualizer frames")
struct SpectrumTests {
    private static let layout = BandLayout()

    /// Computes frames like the pass, with `spectraPerFrame` spectra per frame.
    private func frames(_ signal: Signal, spectraPerFrame: Int = 3) -> VisualizerSpectra {
        let analyzer = SpectrumAnalyzer(
            sampleRate: signal.sampleRate, framesPerSecond: Double(30 * spectraPerFrame))
        let bands = BandLevels(layout: Self.layout, sampleRate: signal.sampleRate, fftSize: analyzer.fftSize)
        var levels: [UInt8] = []
        func take(_ index: Int, _ power: UnsafeBufferPointer<Float>) {
            if index % spectraPerFrame == 0 { bands.append(power: power, to: &levels) }
        }
        MeteredSignal.inBlocks([signal]) { analyzer.consume($0[0], take) }
        analyzer.finish(take)
        return VisualizerSpectra(levels: levels)
    }

    private func decibels(_ level: UInt8) -> Double { Double(level) / 255 * 90 - 90 }

    private func row(_ frames: VisualizerSpectra, _ index: Int) -> ArraySlice<UInt8> {
        frames.levels[index * frames.bandCount..<(index + 1) * frames.bandCount]
    }

    @Test("The frequency range is covered by bands with equal ratios")
    func layout() {
        let edges = Self.layout.edgesHz
        #expect(edges.count == 65)
        #expect(abs(edges[0] - 40) < 1e-9 && abs(edges[64] - 16_000) < 1e-6)
        for band in 0..<64 {
            #expect(abs(edges[band + 1] / edges[band] - pow(400, 1.0 / 64)) < 1e-9)
            #expect(Self.layout.band(atHz: Self.layout.centreHz(ofBand: band)) == band)
        }
        #expect(Self.layout.band(atHz: 39) == nil && Self.layout.band(atHz: 16_000) == nil)
    }

    @Test("A tone appears in its band at its level", arguments: [44_100.0, 48_000])
    func toneInBand(rate: Double) {
        for band in 0..<64 {
            let level = -10 - Double(band % 7) * 5
            let signal = Signal(sampleRate: rate).sine(Self.layout.centreHz(ofBand: band), peakDB: level, 0.5)
            let row = Array(row(frames(signal), 7))
            let loudest = row.indices.max { row[$0] < row[$1] } ?? -1
            // A transform can resolve half a bin; within two bins of 0 Hz a tone also overlaps its own mirror image.
            let bin = rate / Double(SpectrumAnalyzer.fftSize(sampleRate: rate))
            let centre = Self.layout.centreHz(ofBand: band)
            let isNearMirror = centre < 2 * bin
            let error = abs(Self.layout.centreHz(ofBand: loudest) - centre)
            #expect(
                loudest == band || error <= (isNearMirror ? bin : bin / 2), "band \(band) is in \(loudest)"
            )
            #expect(
                abs(decibels(row[band]) - level) <= (isNearMirror ? 2.5 : 0.6),
                "band \(band): \(decibels(row[band]))")
        }
    }

    @Test(
        "Windows last as long as 1024 samples at 44.1 kHz, within half a per cent",
        arguments: [
            8_000.0, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 48_000, 88_200, 96_000, 176_400, 192_000,
        ]
    )
    func windowLength(rate: Double) {
        let size = SpectrumAnalyzer.fftSize(sampleRate: rate)
        #expect(size % 2 == 0 && abs(Double(size) / rate / (1024.0 / 44_100) - 1) <= 0.005, "\(size)")
    }

    @Test("The usual rates have transforms without large prime factors")
    func fastTransforms() {
        #expect(
            [44_100, 48_000, 88_200, 96_000, 192_000].map(SpectrumAnalyzer.fftSize)
                == [1024, 1120, 2048, 2240, 4480])
    }

    /// Notes of a plucked string, one every 0.3 s, as a function of time: the same sound at every sample rate.
    private func pluckedNotes(rate: Double) -> Signal {
        var signal = Signal(sampleRate: rate)
        let pitches = [45.0, 57, 64, 48, 60, 67, 41, 53, 69, 50, 62, 77, 40, 55, 71, 81]
        signal.samples = (0..<Int(rate * 4.8)).map { index in
            let time = Double(index) / rate
            let note = min(pitches.count - 1, Int(time / 0.3))
            let since = time - 0.3 * Double(note)
            let hertz = 440 * exp2((pitches[note] - 69) / 12)
            let sum = (1...4).reduce(0.0) { $0 + sin(2 * .pi * hertz * Double($1) * since) / Double($1) }
            return Float(0.2 * sum * exp(-4 * since) * min(1, since / 0.01))
        }
        return signal
    }

    @Test(
        "A sound has the same spectra at every sample rate",
        arguments: [16_000.0, 22_050, 32_000, 48_000, 96_000])
    func sampleRates(rate: Double) throws {
        let usual = frames(pluckedNotes(rate: 44_100))
        let difference = try #require(
            SpectraDifference.between(usual, frames(pluckedNotes(rate: rate)), offset: 0))
        #expect(
            difference.mean <= 0.3 && difference.high <= 2 && difference.highest <= 4, "\(difference)")
    }

    @Test("Tones between bins keep their level", arguments: (0...10).map { 2000 + 4.3 * Double($0) })
    func noScalloping(frequency: Double) throws {
        let row = row(frames(Signal(sampleRate: 44_100).sine(frequency, peakDB: -20, 0.5)), 7)
        #expect(abs(decibels(try #require(row.max())) + 20) <= 0.4)
    }

    @Test("Low sample rates have no content above half their rate", arguments: [8000.0, 11_025, 22_050])
    func lowRates(rate: Double) {
        let made = frames(Signal(sampleRate: rate).sine(1000, peakDB: -10, 0.5).noise(peakDB: -20, 0.5))
        for band in 0..<64 where Self.layout.centreHz(ofBand: band) >= rate / 2 {
            #expect(row(made, 20)[20 * 64 + band] == 0)
        }
        let tone = Array(row(made, 7))
        let expected = Self.layout.band(atHz: 1000) ?? -1
        #expect(tone.indices.max { tone[$0] < tone[$1] } == expected)
        #expect(abs(decibels(tone[expected]) + 10) <= 1)
    }

    @Test(
        "There are ceil(duration × 30) frames",
        arguments: [44_100.0, 48_000, 22_050, 11_025],
        [0.0, 0.00002, 0.01, 1.0 / 30, 0.0334, 1, 1.0001, 2.3456])
    func frameCount(rate: Double, seconds: Double) {
        let signal = Signal(sampleRate: rate).sine(440, peakDB: -10, seconds)
        let expected = Int((Double(signal.samples.count) * 30 / rate).rounded(.up))
        #expect(frames(signal).frameCount == expected)
        #expect(frames(signal, spectraPerFrame: 1).frameCount == expected)
    }

    @Test("Frame k describes the music at k / 30 s", arguments: [44_100.0, 48_000, 22_050])
    func frameTimes(rate: Double) {
        // An impulse at the middle of frame 15's window is loudest there and equal on both sides.
        for frame in [0, 1, 15, 29] {
            var signal = Signal(sampleRate: rate).silence(1)
            signal.samples[Int((Double(frame) / 30 * rate).rounded())] = 1
            let made = frames(signal)
            let energy = (0..<30).map { row(made, $0).reduce(0) { $0 + Int($1) } }
            #expect(energy.indices.max { energy[$0] < energy[$1] } == frame)
            #expect(energy[frame] > 0)
        }
    }

    @Test("Silence is 0, full scale is 255")
    func extremes() throws {
        #expect(frames(Signal(sampleRate: 44_100).silence(0.5)).levels.allSatisfy { $0 == 0 })
        let loud = frames(Signal(sampleRate: 44_100).sine(1000, peakDB: 0, 0.5))
        #expect(try #require(row(loud, 7).max()) >= 253)
    }
}
