/// The strength of onsets, frame by frame and in four bands: the input of the tempo estimation.
///
/// Each frame's power spectrum is compressed to log₂(1 + γ·power) per bin; the positive differences from the previous frame
/// (the spectral flux of Percival & Tzanetakis 2014, section III.A) are summed within each band. The compression lets the onset
/// of a soft note count next to that of a loud one. Values are stored as 16-bit fixed point, eight bytes per frame, and the
/// features for the beat and bar as ``BeatFeatures``, 16 bytes per frame: 5.2 MB per hour at 60 frames per second. With the samples
/// that date the attacks (``AttackCurve``), it is 10.1 MB.
public struct OnsetEnvelope: Sendable {
    /// The sample rate of the audio, in Hz.
    public let sampleRate: Double
    /// Length of the transform of the consumed spectra, in samples.
    public let fftSize: Int
    /// Frames per second; frame k describes the audio around k / `framesPerSecond` seconds.
    public let framesPerSecond: Double
    /// Number of frames consumed.
    public var frameCount: Int { strengths.count }

    /// The flux of each frame in the four bands, in units of 1/`unitsPerOctave`, saturating.
    var strengths: [SIMD4<UInt16>] = []
    /// The features of the beats and bars.
    var features = BeatFeatures()
    /// When notes start.
    private(set) var attacks: AttackCurve

    /// Fixed-point scale of `strengths`: the flux of a band in which the power of every bin doubles.
    static let unitsPerOctave: Float = 1024

    /// γ: the compression turns from linear to logarithmic at a power of 1/γ, 50 dB below full scale.
    private static let compression: Float = 1e5

    /// The compressed bins of the previous frame in groups of four.
    private var previous: [SIMD4<Float>]
    /// First block of four bins of each narrow band, followed by the end of the last.
    private let bandStarts: [Int]
    /// Numbers of bins of the narrow bands.
    private let binCounts: SIMD8<Float>
    private let bandScales: SIMD4<Float>
    private var harmony: HarmonicChange

    /// Creates an empty envelope.
    ///
    /// - Parameters:
    ///   - sampleRate: Sample rate in Hz, above 0.
    ///   - fftSize: Length of the Hann-windowed transforms, even and at least 64; about 23 ms of audio is best.
    ///   - framesPerSecond: Rate of the spectra; the tempo estimator is tuned for 60.
    ///   - expectedSeconds: Duration of audio to reserve memory for.
    public init(sampleRate: Double, fftSize: Int, framesPerSecond: Double, expectedSeconds: Double = 0) {
        precondition(sampleRate > 0 && framesPerSecond > 0 && fftSize >= 64 && fftSize % 2 == 0)
        self.sampleRate = sampleRate
        self.fftSize = fftSize
        self.framesPerSecond = framesPerSecond
        let blockCount = fftSize / 8
        previous = Array(repeating: .zero, count: blockCount)
        let blocksPerHertz = Double(fftSize) / sampleRate / 4
        let block = { (hertz: Double) in Int((hertz * blocksPerHertz).rounded()) }
        // Kick and bass; their overtones and low voices (2 bands); voices and snare (2); cymbals (2).
        var starts: [Int] = []
        for edge in [0.0, 172, 344, 690, 1378, 3445, 6890, 15_000] {
            starts.append(min(max(block(edge), (starts.last ?? -1) + 1), blockCount))
        }
        bandStarts = starts
        var counts = SIMD8<Float>(repeating: 1)
        for band in 0..<BeatFeatures.bandCount {
            counts[band] = Float(max(1, 4 * (starts[band + 1] - starts[band])))
        }
        binCounts = counts
        bandScales = Self.unitsPerOctave / Self.merged(counts).squareRoot()
        harmony = HarmonicChange(blockEdges: [0, 344, 1378, 2756].map { min(block($0), blockCount) })
        // Growing by doubling would temporarily need up to three times the memory.
        attacks = AttackCurve(sampleRate: sampleRate, expectedSeconds: expectedSeconds)
        let expectedFrames = Int((expectedSeconds * framesPerSecond).rounded(.up)) + 1
        strengths.reserveCapacity(expectedFrames)
        features.reserveCapacity(expectedFrames)
    }

    /// Appends one frame.
    ///
    /// - Parameter power: |X|² of the `fftSize`/2 + 1 bins, normalised so that a full-scale sine at the centre of a bin has
    ///   power 1. Bins missing from a shorter buffer count as silent.
    public mutating func consume(power: UnsafeBufferPointer<Float>) {
        let available = power.count / 4
        var rises = SIMD8<Float>.zero
        var levels = SIMD8<Float>.zero
        for band in 0..<BeatFeatures.bandCount {
            var rise = SIMD4<Float>.zero
            var total = SIMD4<Float>.zero
            let start = bandStarts[band]
            for block in start..<max(start, min(bandStarts[band + 1], available)) {
                let base = 4 * block
                let bins = SIMD4(power[base], power[base + 1], power[base + 2], power[base + 3])
                let level = Self.approximateLog2(1 + Self.compression * bins)
                let change = level - previous[block]
                previous[block] = level
                rise += change.replacing(with: 0, where: change .< 0)
                total += level
            }
            rises[band] = rise.sum()
            levels[band] = total.sum()
        }
        // The rises are sums of positive values.
        let scaled = Self.merged(rises) * bandScales
        let limited = scaled.replacing(with: 65_535, where: scaled .> 65_535)
        strengths.append(SIMD4<UInt16>(truncatingIfNeeded: limited.integerParts))
        let change = previous.withUnsafeBufferPointer { harmony.append($0) }
        features.append(rises: rises / binCounts, levels: levels / binCounts, harmonicChange: change)
    }

    /// Appends the next samples of the mono mix. They show to the millisecond where beats are; without them, beats are 10 to 30 ms late.
    public mutating func consume(samples: UnsafeBufferPointer<Float>) { attacks.consume(samples) }

    /// Returns the sums of the four bands from those of the narrow ones.
    private static func merged(_ narrow: SIMD8<Float>) -> SIMD4<Float> {
        SIMD4(narrow[0], narrow[1] + narrow[2], narrow[3] + narrow[4], narrow[5] + narrow[6])
    }

    /// Returns log₂ of each lane within 0.001, for finite x ≥ 1: exact exponent, mantissa by a cubic.
    @inline(__always)
    static func approximateLog2(_ x: SIMD4<Float>) -> SIMD4<Float> {
        let bits = unsafeBitCast(x, to: SIMD4<Int32>.self)
        let exponent = SIMD4<Float>((bits &>> 23) &- 127)
        let mantissa = unsafeBitCast((bits & 0x7F_FFFF) | 0x3F80_0000, to: SIMD4<Float>.self)
        // Exact at 1 and 2, so that the curve is continuous where the exponent changes.
        let t = mantissa - 1
        return exponent + t * (1.422_865 + t * (-0.582_085 + t * 0.159_220))
    }
}
