import Foundation
import TestSupport
import Testing

@testable import Analyzer

@Suite("Waveform overview")
struct WaveformBuilderTests {
    private func overview(_ signal: Signal) -> WaveformOverview {
        var builder = WaveformBuilder(sampleRateHz: Int(signal.sampleRate))
        MeteredSignal.inBlocks([signal]) { builder.consume($0[0]) }
        return builder.finish()
    }

    @Test(
        "Each pixel contains the extremes of its samples",
        arguments: [0, 1, 127, 128, 129, 4096 * 128, 4096 * 128 + 1, 4096 * 256 + 77, 700_001, 2_500_000])
    func extremes(count: Int) {
        var signal = Signal(sampleRate: 44_100)
        var generator = SeededGenerator(seed: UInt64(count))
        signal.samples = (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
        let made = overview(signal)
        let width = made.samplesPerPixel
        #expect(made.pixelCount == (count + width - 1) / width)
        #expect(made.pixelCount <= WaveformOverview.maximumPixelCount)
        if count > 4096 * 128 { #expect(made.pixelCount > 2000) }
        for pixel in 0..<made.pixelCount {
            let samples = signal.samples[pixel * width..<min(count, (pixel + 1) * width)]
            let low = max(-128, ((samples.min() ?? 0) * 128).rounded())
            let high = min(127, ((samples.max() ?? 0) * 128).rounded())
            #expect(Float(made.extremes[2 * pixel]) == low && Float(made.extremes[2 * pixel + 1]) == high)
        }
    }

    @Test("A two-hour track has no more pixels than the maximum")
    func isBounded() {
        var builder = WaveformBuilder(sampleRateHz: 44_100)
        let second = [Float](repeating: 0.5, count: 44_100)
        for _ in 0..<7200 { second.withUnsafeBufferPointer { builder.consume($0) } }
        let made = builder.finish()
        #expect(made.pixelCount <= 4096 && made.pixelCount >= 2048)
        #expect(made.samplesPerPixel * made.pixelCount >= 7200 * 44_100)
    }
}
