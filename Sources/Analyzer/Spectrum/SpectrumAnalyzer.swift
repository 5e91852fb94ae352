internal import MusicalStructure
import Foundation

/// Computes power spectra of the mono mix at a constant rate with exact times: spectrum k is centred on the sample nearest to
/// `k / framesPerSecond` seconds. Beyond the track's ends the signal counts as silence.
///
/// Uses Hann windows of about 23 ms at every sample rate, so that spectra have the same resolution in time and frequency and files of
/// different rates can be compared.
final class SpectrumAnalyzer {
    /// Distance of the bins at 44.1 kHz, in Hz. At other rates it differs by at most 0.5 %.
    static let usualHzPerBin = 44_100.0 / 1024

    /// Returns the transform length for a sample rate in Hz: an even number whose duration is that of 1024 samples at 44.1 kHz within
    /// 0.5 % from 8 kHz on. Of those, one without prime factors above 7 if possible, which is fastest.
    static func fftSize(sampleRate: Double) -> Int {
        let ideal = sampleRate / usualHzPerBin
        let sizes = stride(
            from: 2 * Int((0.995 * ideal / 2).rounded(.up)), through: Int(1.005 * ideal), by: 2)
        let size = sizes.min {
            (slowness(of: $0), abs(Double($0) - ideal)) < (slowness(of: $1), abs(Double($1) - ideal))
        }
        return max(64, size ?? 2 * Int((ideal / 2).rounded()))
    }

    /// The largest prime factor of a size, or 7 if that is smaller.
    private static func slowness(of size: Int) -> Int {
        var (rest, factor) = (size, 2)
        while factor * factor <= rest {
            if rest.isMultiple(of: factor) { rest /= factor } else { factor += 1 }
        }
        return max(7, rest)
    }

    let framesPerSecond: Double
    let fftSize: Int

    private let sampleRate: Double
    private let fft: RealFFT
    private let window: [Float]
    /// Samples still needed by later windows; the first is sample `firstSample` of the track.
    private var pending: [Float]
    private var pendingCount: Int
    private var firstSample: Int
    private var frameIndex = 0
    private var sampleCount = 0
    private var power: [Float]

    init(sampleRate: Double, framesPerSecond: Double) {
        self.sampleRate = sampleRate
        self.framesPerSecond = framesPerSecond
        let size = Self.fftSize(sampleRate: sampleRate)
        fftSize = size
        fft = RealFFT(size: size)
        // Scaled so that a full-scale sine on a bin has an amplitude of 1: the window's sum is size / 2, and a real sine has
        // half its amplitude at the positive frequency.
        window = (0..<size).map {
            Float((0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size))) * 4 / Double(size))
        }
        pending = [Float](repeating: 0, count: 8 * size)
        pendingCount = size / 2
        firstSample = -size / 2
        power = [Float](repeating: 0, count: size / 2 + 1)
    }

    /// Consumes the next samples of the mono mix and passes on the spectra they complete.
    /// - Parameter body: receives the index of the spectrum and its `fftSize / 2 + 1` power bins, valid during the call.
    func consume(_ mono: UnsafeBufferPointer<Float>, _ body: (Int, UnsafeBufferPointer<Float>) -> Void) {
        append(mono)
        sampleCount += mono.count
        while true {
            let start = centre(ofFrame: frameIndex) - fftSize / 2 - firstSample
            guard start + fftSize <= pendingCount else { break }
            transform(at: start)
            power.withUnsafeBufferPointer { body(frameIndex, $0) }
            frameIndex += 1
        }
        discardPassed()
    }

    /// Ends the signal and passes on the last spectra.
    func finish(_ body: (Int, UnsafeBufferPointer<Float>) -> Void) {
        let total = Int((Double(sampleCount) / sampleRate * framesPerSecond).rounded(.up))
        let samples = sampleCount
        let silence = [Float](repeating: 0, count: fftSize)
        while frameIndex < total {
            silence.withUnsafeBufferPointer { silence in
                consume(silence) { index, power in if index < total { body(index, power) } }
            }
        }
        sampleCount = samples
    }

    private func centre(ofFrame frame: Int) -> Int {
        Int((Double(frame) * sampleRate / framesPerSecond).rounded())
    }

    private func append(_ mono: UnsafeBufferPointer<Float>) {
        let needed = pendingCount + mono.count
        if needed > pending.count {
            pending.append(contentsOf: repeatElement(0, count: needed - pending.count))
        }
        pending.withUnsafeMutableBufferPointer {
            _ = UnsafeMutableBufferPointer(rebasing: $0[pendingCount..<needed]).update(fromContentsOf: mono)
        }
        pendingCount = needed
    }

    private func discardPassed() {
        let passed = min(pendingCount, centre(ofFrame: frameIndex) - fftSize / 2 - firstSample)
        guard passed > 0 else { return }
        pending.withUnsafeMutableBufferPointer {
            guard let base = $0.baseAddress else { return }
            base.update(from: base + passed, count: pendingCount - passed)
        }
        pendingCount -= passed
        firstSample += passed
    }

    private func transform(at start: Int) {
        let size = fftSize
        pending.withUnsafeBufferPointer { pending in
            window.withUnsafeBufferPointer { window in
                for i in 0..<size { fft.input[i] = pending[start &+ i] * window[i] }
            }
        }
        fft.execute()
        let output = fft.output
        power.withUnsafeMutableBufferPointer { power in
            for bin in 0...size / 2 {
                let real = output[2 &* bin]
                let imaginary = output[2 &* bin &+ 1]
                power[bin] = real * real + imaginary * imaginary
            }
        }
    }
}
