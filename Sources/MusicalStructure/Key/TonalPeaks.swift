import Foundation

/// A tone in one frame.
struct Tone {
    /// MIDI number with fractions, relative to A = 440 Hz.
    let pitch: Float
    /// Square root of its share of the frame's magnitudes.
    let weight: Float
}

/// Finds tones in spectra of a low sample rate: peaks that stand out from their surroundings.
struct TonalPeaks {
    /// Range of tones in Hz: about B1 to B6. Below, neighbouring semitones cannot be distinguished; above, there is little but
    /// overtones.
    static let lowest = 60.0
    static let highest = 2000.0
    /// Minimum ratio of a peak to the mean magnitude of its surroundings. Peaks of noise rarely reach it.
    private static let prominence: Float = 3
    /// Number of bins on either side that count as surroundings.
    private static let reach = 16
    /// Overtone 5 is the major third, which would make every minor key sound major. The part of a tone that may be overtone 5
    /// of a lower one is therefore subtracted: a fifth of the lower tone's magnitude, as in a sawtooth.
    private static let thirdOvertone: Float = 5
    /// Maximum deviation of an overtone from its multiple, as a ratio: half a semitone.
    private static let overtoneTolerance: Float = 1.03
    /// The bass is the lowest tone below this frequency in Hz, middle C, that reaches this part of the strongest one.
    private static let highestBass: Float = 262
    private static let bassShare: Float = 0.2
    /// Maximum number of tones per frame.
    private static let mostPeaks = 256

    private let sampleRate: Double
    private let fft: RealFFT
    private let window: [Float]
    private let firstBin: Int
    private let lastBin: Int
    /// The bins examined, followed by zeros.
    private var magnitudes: [Float]
    private let spectrumCount: Int
    /// Tones of the frame in ascending order of frequency.
    private var frequencies = [Float](repeating: 0, count: mostPeaks)
    private var strengths = [Float](repeating: 0, count: mostPeaks)
    private var peakCount = 0
    private var tones: [Tone] = []

    /// Samples per spectrum.
    var frameLength: Int { fft.size }

    init(sampleRate: Double, frameLength: Int) {
        self.sampleRate = sampleRate
        fft = RealFFT(size: frameLength)
        window = (0..<frameLength).map {
            Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(frameLength))) * 4 / Float(frameLength)
        }
        let bins = Double(frameLength) / sampleRate
        firstBin = Int(Self.lowest * bins)
        lastBin = min(Int(Self.highest * bins), frameLength / 2 - 1)
        spectrumCount = min(lastBin + Self.reach + 2, frameLength / 2 + 1)
        // Padding so that whole vectors can be read after the last bin.
        magnitudes = [Float](repeating: 0, count: max(spectrumCount, lastBin + 6))
        tones.reserveCapacity(Self.mostPeaks)
    }

    /// Finds the tones of a frame of ``frameLength`` samples and adds them to `evidence`, unless the frame is silent.
    mutating func add(_ frame: UnsafeBufferPointer<Float>, to evidence: inout KeyEvidence) {
        let energy = transform(frame)
        // Corresponds to −90 dBFS for a single sine.
        guard energy > 3e-5 else { return }
        findPeaks()
        tones.removeAll(keepingCapacity: true)
        var strongest: Float = 0
        for i in 0..<peakCount {
            let own = strengths[i] - overtoneShare(of: i)
            guard own > 0 else { continue }
            strongest = max(strongest, own)
            // MIDI numbers: 69 is A at 440 Hz, and multiples of 12 are Cs. The square root keeps loud passages and loud
            // partials from dominating.
            tones.append(
                Tone(pitch: 69 + 12 * log2(frequencies[i] / 440), weight: (own / energy).squareRoot()))
        }
        let leastBass = (Self.bassShare * strongest / energy).squareRoot()
        let highest = 69 + 12 * log2(Self.highestBass / 440)
        let bass = tones.first { $0.weight > leastBass }.flatMap { $0.pitch < highest ? $0.pitch : nil }
        evidence.add(tones, bass: bass)
    }

    /// Fills `magnitudes` and returns their sum over the range in which tones are detected.
    private mutating func transform(_ frame: UnsafeBufferPointer<Float>) -> Float {
        let input = fft.input
        window.withUnsafeBufferPointer { window in
            for i in 0..<window.count { input[i] = frame[i] * window[i] }
        }
        fft.execute()
        let output = fft.output
        return magnitudes.withUnsafeMutableBufferPointer { magnitudes in
            for k in 0..<spectrumCount {
                let real = output[2 * k]
                let imaginary = output[2 * k + 1]
                magnitudes[k] = (real * real + imaginary * imaginary).squareRoot()
            }
            var energy: Float = 0
            for k in firstBin...lastBin { energy += magnitudes[k] }
            return energy
        }
    }

    private mutating func findPeaks() {
        peakCount = 0
        let scale = Float(sampleRate) / Float(fft.size)
        magnitudes.withUnsafeBufferPointer { magnitudes in
            prominentPeaks(of: magnitudes) { k in
                guard peakCount < Self.mostPeaks else { return }
                let shift = Self.vertex(magnitudes[k - 1], magnitudes[k], magnitudes[k + 1])
                frequencies[peakCount] = (Float(k) + shift) * scale
                strengths[peakCount] = magnitudes[k]
                peakCount += 1
            }
        }
    }

    /// Calls a closure, in order, with the bins that exceed their neighbours and stand out from their surroundings.
    private func prominentPeaks(of magnitudes: UnsafeBufferPointer<Float>, _ body: (Int) -> Void) {
        let raw = UnsafeRawBufferPointer(magnitudes)
        func four(_ bin: Int) -> SIMD4<Float> {
            raw.loadUnaligned(fromByteOffset: bin &* 4, as: SIMD4<Float>.self)
        }
        // Sum over `reach` bins on either side, where they exist.
        var sum: Float = 0
        for k in max(0, firstBin - Self.reach)..<firstBin + Self.reach { sum += magnitudes[k] }
        func surroundings(of k: Int) -> Float {
            if k + Self.reach < spectrumCount { sum += magnitudes[k + Self.reach] }
            let passed = k - Self.reach - 1
            if passed >= 0, k > firstBin { sum -= magnitudes[passed] }
            return sum
        }
        var k = firstBin
        while k <= lastBin {
            // Four bins per branch, which is rarely taken: branch prediction fails on the slopes of a spectrum.
            let limits =
                Self.prominence
                * SIMD4(
                    surroundings(of: k), surroundings(of: k + 1), surroundings(of: k + 2),
                    surroundings(of: k + 3))
            let peaks = four(k)
            let found =
                (peaks .> four(k - 1)) .& (peaks .>= four(k + 1))
                .& (peaks * Float(2 * Self.reach + 1) .> limits)
            if any(found) {
                for lane in 0..<4 where found[lane] && k + lane <= lastBin { body(k + lane) }
            }
            k += 4
        }
    }

    /// Returns the vertex of a parabola through the logarithms of three magnitudes, in bins from the middle one.
    private static func vertex(_ before: Float, _ peak: Float, _ after: Float) -> Float {
        let a = log(max(before, 1e-12))
        let b = log(max(peak, 1e-12))
        let c = log(max(after, 1e-12))
        let curvature = a - 2 * b + c
        return curvature < 0 ? 0.5 * (a - c) / curvature : 0
    }

    /// Returns the magnitude of tone `i` that may be overtone 5 of a lower tone.
    private func overtoneShare(of i: Int) -> Float {
        let fundamental = frequencies[i] / Self.thirdOvertone
        var strongest: Float = 0
        var j = lowerBound(fundamental / Self.overtoneTolerance)
        while j < i, frequencies[j] < fundamental * Self.overtoneTolerance {
            strongest = max(strongest, strengths[j])
            j += 1
        }
        return strongest / Self.thirdOvertone
    }

    /// Returns the index of the first tone of at least `hertz`.
    private func lowerBound(_ hertz: Float) -> Int {
        var low = 0
        var high = peakCount
        while low < high {
            let middle = (low + high) / 2
            if frequencies[middle] < hertz { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
