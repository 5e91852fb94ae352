import Foundation
import Testing

@testable import Analyzer
@testable import MusicalStructure

@Suite struct OnsetEnvelopeTests {
    private func consume(_ envelope: inout OnsetEnvelope, power: Float, bins: Int = 513) {
        [Float](repeating: power, count: bins).withUnsafeBufferPointer { envelope.consume(power: $0) }
    }

    @Test func approximateLogarithmIsWithinAThousandth() {
        var x = 1.0
        while x < 1e9 {
            let approximate = OnsetEnvelope.approximateLog2(SIMD4(repeating: Float(x)))[0]
            #expect(abs(Double(approximate) - log2(Double(Float(x)))) <= 0.001, "at \(x)")
            x *= 1.0007
        }
    }

    @Test func steadySoundHasNoOnsetAfterItsFirstFrame() {
        var envelope = OnsetEnvelope(sampleRate: 44_100, fftSize: 1024, framesPerSecond: 60)
        for _ in 0..<5 { consume(&envelope, power: 0.01) }
        #expect(envelope.strengths[0].wrappedSum() > 0)
        #expect(envelope.strengths[1...].allSatisfy { $0 == .zero })
    }

    /// Far above the knee of the compression, twice the power is one octave in every bin; a band of n bins that all rise by one
    /// octave has a flux of n / √n.
    @Test func doublingThePowerIsAnOctaveInEveryBin() {
        var envelope = OnsetEnvelope(sampleRate: 44_100, fftSize: 1024, framesPerSecond: 60)
        consume(&envelope, power: 0.01)
        consume(&envelope, power: 0.02)
        let bins = [4.0, 12, 64, 268]
        for (band, count) in bins.enumerated() {
            let flux = Double(envelope.strengths[1][band]) / Double(OnsetEnvelope.unitsPerOctave)
            #expect(abs(flux / count.squareRoot() - 1) <= 0.01, "band \(band)")
        }
    }

    @Test func fallingPowerIsNoOnset() {
        var envelope = OnsetEnvelope(sampleRate: 48_000, fftSize: 1024, framesPerSecond: 60)
        consume(&envelope, power: 0.5)
        consume(&envelope, power: 0.1)
        #expect(envelope.strengths[1] == .zero)
    }

    @Test(arguments: [(8_000.0, 512), (22_050, 512), (32_000, 1024), (96_000, 1024)])
    func anySampleRateHasFourBands(sampleRate: Double, fftSize: Int) {
        var envelope = OnsetEnvelope(sampleRate: sampleRate, fftSize: fftSize, framesPerSecond: 60)
        consume(&envelope, power: 0.5, bins: fftSize / 2 + 1)
        for band in 0..<4 { #expect(envelope.strengths[0][band] > 0) }
    }

    @Test func shortSpectraAndValuesOutOfRangeAreHarmless() {
        var envelope = OnsetEnvelope(sampleRate: 44_100, fftSize: 1024, framesPerSecond: 60)
        for power: Float in [1e30, .infinity, .nan, -.nan, -1] { consume(&envelope, power: power) }
        consume(&envelope, power: 0.5, bins: 3)
        consume(&envelope, power: 0.5, bins: 0)
        #expect(envelope.frameCount == 7)
    }

    /// One hour at 60 frames per second stays below 2 MB.
    @Test func anHourFitsInSixMegabytes() {
        var envelope = OnsetEnvelope(sampleRate: 44_100, fftSize: 1024, framesPerSecond: 60)
        for _ in 0..<600 { consume(&envelope, power: 0.5, bins: 9) }
        let bytes =
            envelope.strengths.withUnsafeBytes { $0.count }
            + envelope.features.frames.withUnsafeBytes { $0.count }
        #expect(bytes * 360 <= 6_000_000)
        #expect(envelope.frameCount == 600)
    }
}
