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
            // A 1024-point transform can resolve half a bin; within two bins of 0 Hz a tone also overlaps its own mirror image.
            let bin = rate / 1024
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
